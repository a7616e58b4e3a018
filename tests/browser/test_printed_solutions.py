"""A page that is printed, for a class say, shows its exercises and not their solutions."""

import pytest
from reader import reading


@pytest.mark.chapter("04")
def test_no_printed_page_opens_a_solution(browser, site):
    with reading(browser, (site / "book/04_bptt.html").as_uri(), scroll=False) as page:
        page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
        page.emulate_media(media="print")
        heights = "nodes => nodes.map((node) => node.getBoundingClientRect().height)"
        assert any(page.locator(".exercise").evaluate_all(heights))
        solutions = page.locator(".solution").evaluate_all(heights)
        assert solutions
        assert not any(solutions)

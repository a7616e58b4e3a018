"""What is opened once for all the tests that play with it: a figure's page, and a deck."""

import pytest
from reader import EACH_FIGURE, OWN_PAGE, open_deck, reading, screen, wake

from rnn_helpers.site.slides import BOOK


@pytest.fixture(scope="session", params=EACH_FIGURE)
def figure_page(request, browser, site):
    """A figure's page with the figure alive; the tests of both files play with it, in their order.

    It knows what it asked for before anybody scrolled.
    """
    name = request.param
    with reading(browser, (site / f"{OWN_PAGE[name]}.html").as_uri(), scroll=False) as page:
        page.wait_for_load_state("networkidle")
        page.first, page.name = set(page.asked), name
        wake(page)
        yield page
        assert page.complaints == []


@pytest.fixture(scope="session")
def opened(request, browser):
    """A chapter's deck; one after another, the tests leaf through it and play with its figures."""
    with screen(browser) as page:
        page.path = BOOK / "slides" / f"{request.param}.md"
        open_deck(page, page.path)
        yield page

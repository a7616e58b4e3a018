"""A figure's page, opened once for all the tests that play with it."""

import pytest
from reader import EACH_FIGURE, OWN_PAGE, loaded, reading, wake


@pytest.fixture(scope="session", params=EACH_FIGURE)
def figure_page(request, browser, site):
    """A figure's page with the figure alive, which the tests of both files use in their order.

    `page.first` has the addresses that it loaded before anybody scrolled.
    """
    name = request.param
    with reading(browser, (site / f"{OWN_PAGE[name]}.html").as_uri(), scroll=False) as page:
        loaded(page)
        page.first, page.name = set(page.asked), name
        wake(page)
        yield page
        assert page.complaints == []

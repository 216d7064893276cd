"""Pages of a report in a real Chromium, for tests."""

from contextlib import contextmanager
from pathlib import Path

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextmanager
def opened_address(browser, url: str, home: str, **options):  # type: ignore[no-untyped-def]
    """A page, which may ask for nothing but what begins with `home`, and complain of nothing."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, **options)
    context.set_default_timeout(120_000)  # the machine may be busy; nothing here is about time
    tab = context.new_page()
    asked: list[str] = []
    complaints: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    tab.on("console", lambda message: complaints.append(message.text))
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.goto(url)
    yield tab
    context.close()
    assert [one for one in asked if not one.startswith(home)] == []
    assert complaints == []


def opened(browser, page: Path, **options):  # type: ignore[no-untyped-def]
    """A page that lies in a file, as do all that it asks for."""
    return opened_address(browser, page.as_uri(), "file:", **options)


def column(tab, table: str, number: int) -> list[str]:  # type: ignore[no-untyped-def]
    found: list[str] = tab.locator(f"#{table} tbody tr > :nth-child({number})").all_inner_texts()
    return found

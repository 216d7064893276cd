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
def opened(browser, page: Path, **options):  # type: ignore[no-untyped-def]
    """A page, of which every request and every complaint is checked at the end."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, **options)
    tab = context.new_page()
    asked: list[str] = []
    complaints: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    tab.on("console", lambda message: complaints.append(message.text))
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.goto(page.as_uri())
    yield tab
    context.close()
    assert [url for url in asked if not url.startswith("file:")] == []
    assert complaints == []


def column(tab, table: str, number: int) -> list[str]:  # type: ignore[no-untyped-def]
    found: list[str] = tab.locator(f"#{table} tbody tr > :nth-child({number})").all_inner_texts()
    return found

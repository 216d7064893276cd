import io
import json
import urllib.error
import urllib.request
from unittest.mock import patch

URL = "https://books.example.invalid/list.json"


class FakeResponse(io.BytesIO):
    status = 200

    def getcode(self):
        return self.status


def page(entries):
    return FakeResponse(json.dumps(entries, ensure_ascii=False).encode("utf-8"))


def test_titles_in_order():
    with patch("urllib.request.urlopen") as opened:
        opened.return_value = page([{"title": "Tides"}, {"title": "Atlas"}])
        assert fetch_titles(URL) == ["Tides", "Atlas"]


def test_objects_without_title():
    with patch("urllib.request.urlopen") as opened:
        opened.return_value = page([{"name": "x"}, {"title": "Only"}, {}])
        assert fetch_titles(URL) == ["Only"]


def test_other_scripts():
    with patch("urllib.request.urlopen") as opened:
        opened.return_value = page([{"title": "Война и мир"}, {"title": "こころ"}])
        assert fetch_titles(URL) == ["Война и мир", "こころ"]


def test_asks_for_the_url_once():
    with patch("urllib.request.urlopen") as opened:
        opened.return_value = page([])
        assert fetch_titles(URL) == []
        asked = opened.call_args[0][0]
        assert opened.call_count == 1
        assert getattr(asked, "full_url", asked) == URL


def test_http_error():
    error = urllib.error.HTTPError(URL, 503, "Service Unavailable", {}, None)
    with patch("urllib.request.urlopen", side_effect=error) as opened:
        assert fetch_titles(URL) == []
        assert opened.call_count == 1

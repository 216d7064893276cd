import io
import urllib.error
import urllib.request
from unittest.mock import patch


class FakeResponse(io.BytesIO):
    def __init__(self, status):
        super().__init__(b"")
        self.status = self.code = status

    def getcode(self):
        return self.status


def fake_urlopen(url, data=None, timeout=None):
    url = getattr(url, "full_url", url)
    if "gone" in url:
        raise urllib.error.HTTPError(url, 410, "Gone", {}, None)
    if "broken" in url:
        raise urllib.error.HTTPError(url, 500, "Internal Server Error", {}, None)
    if "lost" in url:
        raise urllib.error.URLError("no such host")
    return FakeResponse(204 if "empty" in url else 200)


def test_good_links():
    with patch("urllib.request.urlopen", side_effect=fake_urlopen):
        result = link_status(["http://a.invalid/", "http://a.invalid/empty"])
    assert result == {"http://a.invalid/": 200, "http://a.invalid/empty": 204}


def test_http_errors():
    with patch("urllib.request.urlopen", side_effect=fake_urlopen):
        result = link_status(["http://a.invalid/gone", "http://a.invalid/broken"])
    assert result == {"http://a.invalid/gone": 410, "http://a.invalid/broken": 500}


def test_unreachable():
    with patch("urllib.request.urlopen", side_effect=fake_urlopen):
        result = link_status(["http://lost.invalid/", "http://a.invalid/"])
    assert result == {"http://lost.invalid/": None, "http://a.invalid/": 200}


def test_timeout_is_given():
    with patch("urllib.request.urlopen", side_effect=fake_urlopen) as opened:
        link_status(["http://a.invalid/", "http://b.invalid/"])
    assert opened.call_count == 2
    assert all(call[1].get("timeout") == 5 for call in opened.call_args_list)


def test_no_links():
    with patch("urllib.request.urlopen", side_effect=fake_urlopen) as opened:
        assert link_status([]) == {}
        assert opened.call_count == 0

import json
import urllib.error
import urllib.request


def fetch_titles(url):
    try:
        with urllib.request.urlopen(url) as response:
            entries = json.loads(response.read().decode("utf-8"))
    except urllib.error.HTTPError:
        return []
    return [entry["title"] for entry in entries if "title" in entry]

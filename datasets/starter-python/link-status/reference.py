import urllib.error
import urllib.request


def link_status(urls):
    result = {}
    for url in urls:
        try:
            with urllib.request.urlopen(url, timeout=5) as response:
                result[url] = response.status
        except urllib.error.HTTPError as error:  # a URLError too, so it comes first
            result[url] = error.code
        except urllib.error.URLError:
            result[url] = None
    return result

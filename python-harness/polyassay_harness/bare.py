"""A Python whose start files (*.pth, sitecustomize) are left alone."""

import os
import site
import sys


def complete() -> None:
    """What else Python does when it starts: names for people, and the place of its libraries."""
    if sys.flags.no_site:
        site.setquit()
        site.setcopyright()
        site.sethelper()
        sys.path += filter(os.path.isdir, site.getsitepackages())

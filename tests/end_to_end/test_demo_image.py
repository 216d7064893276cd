"""The image of docs/install.md: made by its tool, run with the flags that the page names."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from documents import ROOT, blocks
from end_to_end.engines import running_engine
from real_parts import missing, need

BASE = Path(os.environ.get("POLYASSAY_DEMO_BASE", ROOT / "build" / "polyassay-demo-base.tar"))
PAGE = "docs/install.md"


@pytest.fixture(scope="module")
def docker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """An environment in which `docker` has an engine with the image `polyassay`."""
    if not BASE.exists():
        need("debootstrap")
    BASE.parent.mkdir(exist_ok=True)
    with running_engine(tmp_path_factory.mktemp("engine")) as address:
        variables = os.environ | {"DOCKER_HOST": address, "POLYASSAY_DEMO_BASE": str(BASE)}
        made = subprocess.run(
            [ROOT / "tools" / "demo-image"],
            env=variables,
            capture_output=True,
            text=True,
            check=False,
        )
        if made.returncode and not BASE.exists():
            missing("debootstrap", f"the image could not be made: {made.stderr.strip()[-200:]}")
        assert made.returncode == 0, made.stderr
        yield variables


def line_of_page() -> list[str]:
    """The page's own command, without a network: an engine of tests has none."""
    own = f"tests/end_to_end/{Path(__file__).name}"
    found = [b.script for b in blocks(ROOT / PAGE) if b.mark("run by") == own]
    (line,) = (line for line in found[0].splitlines() if line.startswith("docker run"))
    return line.replace("docker run", "docker run --network none").split()


def test_candidates_are_judged_in_the_image(docker: dict[str, str]) -> None:
    ended = subprocess.run(
        [*line_of_page(), "polyassay", "doctor"],
        env=docker,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert ended.stdout.count("a good candidate passed and a bad one failed") == 2
    assert re.search("sandbox +bubblewrap", ended.stdout)


def test_each_flag_is_needed(docker: dict[str, str]) -> None:
    line = line_of_page()
    flags = [n for n, word in enumerate(line) if word == "--security-opt"]
    assert flags
    for place in flags:
        if "apparmor" in line[place + 1]:
            continue  # needed where AppArmor is, and allowed where it is not
        fewer = [*line[:place], *line[place + 2 :], "polyassay", "doctor"]
        ended = subprocess.run(fewer, env=docker, capture_output=True, check=False, timeout=600)
        assert ended.returncode != 0, line[place + 1]


def test_its_default_command_is_the_demo(docker: dict[str, str]) -> None:
    said = subprocess.run(
        ["docker", "image", "inspect", "polyassay"],
        env=docker,
        capture_output=True,
        check=True,
    )
    (image,) = json.loads(said.stdout)
    assert image["Config"]["Cmd"] == ["polyassay-demo"]
    assert image["Config"]["User"] == "polyassay"

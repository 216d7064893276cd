"""The Java harness' smaller parts: finding a JDK, the compile service's silence, and reports."""

from pathlib import Path
from typing import NoReturn
from xml.etree import ElementTree

import pytest
from py4j.protocol import Py4JNetworkError

from polyassay.errors import PolyAssayError
from polyassay.harness.java import compile as compile_module
from polyassay.harness.java.compile import BrokeOff, Compiler
from polyassay.harness.java.jdk import Image, Jdk, find_jdk
from polyassay.harness.java.jvm import JvmSpec, java_command
from polyassay.harness.java.messages import BuildLayers
from polyassay.junit.report import read_cases
from polyassay.junit.xml import Case, write_xml
from polyassay.model import TestStatus
from polyassay.sandbox import Starved


def fake_jdk(folder: Path, version: str) -> Path:
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "javac").touch()
    (folder / "release").write_text(f'IMPLEMENTOR="x"\nJAVA_VERSION="{version}"\n')
    return folder


def test_jdk_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(PolyAssayError, match="No JDK was found"):
        find_jdk(None)


def test_jdk_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(PolyAssayError, match="no bin/javac"):
        find_jdk(tmp_path)


@pytest.mark.parametrize("version", ["1.8.0_392", "11.0.2", ""])
def test_jdk_that_is_too_old(tmp_path: Path, version: str) -> None:
    with pytest.raises(PolyAssayError, match="too old"):
        find_jdk(fake_jdk(tmp_path / "jdk", version))


def test_jdk_of_java_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", str(fake_jdk(tmp_path / "jdk", "25.0.1")))
    assert find_jdk(None).version == "25.0.1"


@pytest.mark.parametrize(
    ("version", "denied"), [("17.0.15", False), ("23", False), ("24", True), ("25.0.3", True)]
)
@pytest.mark.parametrize("spec", [JvmSpec(64), JvmSpec(64, worker=True), JvmSpec(64, program=True)])
def test_no_candidate_reaches_memory_by_foreign_functions(
    tmp_path: Path, version: str, denied: bool, spec: JvmSpec
) -> None:
    image = Image(tmp_path / f"java-{version}-0123456789ab")
    image.folder.mkdir()
    (image.folder / "modules.txt").write_text("java.base")
    assert ("--illegal-native-access=deny" in java_command(image, spec)) is denied


def test_reports_hold_what_xml_cannot() -> None:
    case = Case("a", TestStatus.ERROR, "T\0", "bell \a, half \ud800, ]]> & <")
    (found,) = ElementTree.fromstring(write_xml("C", [case])).iter("error")
    assert found.attrib == {"type": "T\ufffd", "message": "bell \ufffd, half \ufffd, ]]> & <"}


@pytest.mark.parametrize("thrown", ["polyassay.passed", "polyassay.polyassay.passed", "polyassay."])
def test_no_exception_says_how_the_test_ended(thrown: str) -> None:
    (found,) = read_cases(write_xml("C", [Case("a", TestStatus.ERROR, thrown)]))
    assert found.result.status is TestStatus.ERROR


class SilentService:
    """A compile service that is there, and has not answered when the connection gives up."""

    def __init__(self) -> None:
        self.process = self

    def poll(self) -> int | None:
        return None

    def build(self, _: object) -> NoReturn:
        raise Py4JNetworkError("read timed out")

    def close(self) -> None:
        """Nothing is there."""


@pytest.mark.parametrize("waited", [0.0, 3600.0])
def test_a_source_is_not_blamed_where_the_service_had_no_time(
    waited: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Compiler, "_start", lambda _: SilentService())
    monkeypatch.setattr(compile_module, "_WALL_SECONDS", 0.0 if waited else 3600.0)
    compiler = Compiler(Jdk(Path("/jdk"), "17"), Path("/jars"))
    request = BuildLayers("A", "a", (), (), {}, (), cpu_seconds=2.0)
    if waited:
        with pytest.raises(Starved, match="was not compiled in"):
            compiler.build(request)
    else:
        with pytest.raises(BrokeOff, match="the compiler broke off"):
            compiler.build(request)

"""The Java harness' smaller parts: finding a JDK, messages, reports, and the compiler's limits."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from py4j.protocol import Py4JError

from polyassay.errors import PolyAssayError
from polyassay.harness.java.compile import Compiler, Layer
from polyassay.harness.java.jdk import find_jars, find_jdk
from polyassay.harness.java.messages import Malformed, Message, MessageReader
from polyassay.junit_report import read_cases
from polyassay.junit_xml import Case, write_xml
from polyassay.model import Language, Style, Task, TestStatus


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


def test_messages_are_read_as_written() -> None:
    message = Message().number(-7).flag(True).text("naïve 😀").texts(["a", ""])
    reader = MessageReader(message.blobs({"x": b"\0"}).encoded())
    assert reader.number() == -7
    assert reader.flag()
    assert reader.text() == "naïve 😀"
    assert reader.texts() == ["a", ""]
    assert reader.blobs() == {"x": b"\0"}


@pytest.mark.parametrize("frame", [b"", b"\0\0\0\x05ab", b"\xff\xff\xff\xff", b"\x7f\0\0\0a"])
def test_messages_that_nobody_wrote_are_refused(frame: bytes) -> None:
    with pytest.raises(Malformed):
        MessageReader(frame).text()
    with pytest.raises(Malformed):
        MessageReader(frame).texts()


def test_reports_hold_what_xml_cannot() -> None:
    case = Case("a", TestStatus.ERROR, "T\0", "bell \a, half \ud800, ]]> & <")
    (found,) = ElementTree.fromstring(write_xml("C", [case])).iter("error")
    assert found.attrib == {"type": "T\ufffd", "message": "bell \ufffd, half \ufffd, ]]> & <"}


@pytest.mark.parametrize("thrown", ["polyassay.passed", "polyassay.polyassay.passed", "polyassay."])
def test_no_exception_says_how_the_test_ended(thrown: str) -> None:
    (found,) = read_cases(write_xml("C", [Case("a", TestStatus.ERROR, thrown)]))
    assert found.result.status is TestStatus.ERROR


def test_a_source_that_breaks_the_compiler_is_its_own_problem_only() -> None:
    try:
        jars = find_jars()
    except PolyAssayError as error:
        pytest.skip(error.problem)
    # Constants are folded: the last one has 2^40 characters.
    doubled = "".join(f"static final String S{i + 1} = S{i} + S{i};" for i in range(40))
    endless = Layer({"A.java": f'class A {{ static final String S0 = "x"; {doubled} }}'})
    good = Layer({"A.java": "class A { void a() {} }"})
    compiler = Compiler(find_jdk(None), jars, seconds=2)
    try:
        before = compiler.build("A", "a", (good,))
        broken = compiler.build("A", "a", (endless,))
        after = compiler.build("A", "a", (good,))
        huge = compiler.build("A", "a", (Layer({"A.java": " " * (2 << 20)}),))
    finally:
        compiler.close()
    assert before.classes == after.classes
    assert list(after.classes[0]) == ["A"]
    assert broken.problem in (
        "the compiler ran out of memory",
        "the compiler did not finish in 2 s",
    )
    assert huge.problem == "the source exceeds 1 MB"


def test_a_service_that_gives_no_plan_is_replaced() -> None:
    try:
        jars = find_jars()
    except PolyAssayError as error:
        pytest.skip(error.problem)
    good = Task(
        id="a",
        suite="s",
        language=Language.JAVA,
        style=Style.JUNIT,
        prompts={},
        class_name="A",
        signature="public static int a()",
        test_source="class ATest { void a() { A.a(); } }",
    )
    compiler = Compiler(find_jdk(None), jars)
    try:
        assert compiler.plan(good).test_classes == ("ATest",)
        service = compiler._service
        assert service is not None
        service._gateway.shutdown()  # its process lives on, and no longer answers
        with pytest.raises(Py4JError):
            compiler.plan(good)
        assert service.process.poll() is not None
        assert compiler.plan(good).test_classes == ("ATest",)
    finally:
        compiler.close()

"""Class-data archives, which a sample run records: a JVM starts in less time with one.

Gain: `tools/bench-java --without archive`, see docs/benchmarks.md. A compile service takes 0.42 s
of CPU time up to its first class with one, and 0.6 s without.
"""

import hashlib
import os
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from polyassay.environments.cache import making
from polyassay.errors import PolyAssayError
from polyassay.harness.java.attempt import JUnitRequest
from polyassay.harness.java.compile import BrokeOff, Compiler
from polyassay.harness.java.jdk import Image, Jdk
from polyassay.harness.java.jvm import JvmSpec, java_command
from polyassay.harness.java.messages import (
    AskCandidate,
    BuildLayers,
    Call,
    Leave,
    Load,
    PlanTask,
    RunProgram,
    SourceLayer,
)
from polyassay.harness.java.wire import encode
from polyassay.model import Limits
from polyassay.sandbox import SCRATCH_VARIABLE, Starved
from polyassay_harness.switches import on
from polyassay_harness.wire.frames import framed

_CANDIDATE = "public class Sample { public static int twice(int n) { return 2 * n; } }"
_ADAPTER = """
import java.util.*;
public class PolyassayAdapter {
  public static Object call(int n, List<?> values) {
    System.out.println(values.size());
    Map<String, Object> all = new TreeMap<>(Map.of("twice", Sample.twice(n)));
    all.put("of", new int[] {n});
    return new ArrayList<>(List.of(all, String.join(" ", all.keySet()), Optional.of(1.5)));
  }
}
"""
_PROGRAM = """
import java.io.*;
import java.util.*;
public class Sample {
  public static void main(String[] args) throws IOException {
    Scanner in = new Scanner(System.in);
    List<Integer> numbers = new ArrayList<>();
    while (in.hasNextInt()) numbers.add(in.nextInt());
    Map<Integer, Integer> counts = new HashMap<>();
    for (int each : numbers) counts.merge(each, 1, Integer::sum);
    StringBuilder text = new StringBuilder("sum ");
    System.out.println(text.append(numbers.stream().mapToInt(n -> n).sum()));
    System.out.printf("%d %.2f%n", counts.size(), 1.5);
    new BufferedReader(new StringReader("a b")).readLine().split(" ");
  }
}
"""
_JUPITER = """
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.Test;
class SampleTest {
  @Test void passes() { assertEquals(4, Sample.twice(2)); assertTrue(Sample.twice(1) > 0); }
  @Test void fails() { assertEquals(5, Sample.twice(2), "on purpose"); }
  @Test void refuses() {
    assertThrows(IllegalStateException.class, () -> { throw new IllegalStateException(); });
  }
}
class InheritingTest extends SampleTest {}
"""
_PLAN = PlanTask(
    class_name="Sample",
    signature="public static int twice(int n)",
    superclass="",
    context="",
    support={},
    test_source=_JUPITER,
    jars=(),
    reference={"Sample.java": _CANDIDATE},
    named=("Sample",),
)
_RECORD_SECONDS = 120.0
_VINTAGE = """
import static org.junit.Assert.*;
import org.junit.Test;
public class SampleTest {
  @Test public void passes() { assertEquals(4, Sample.twice(2)); }
  @Test public void fails() { assertEquals(5, Sample.twice(2)); }
}
"""


def make_archive(image: Image, compiler: Compiler, spec: JvmSpec) -> None:
    """Records the archive for one kind of JVM, where it is missing."""
    if not on("archive"):
        return
    archive = image.archive(spec.archive)
    with making(archive):
        if archive.is_file():
            return
        half = archive.with_suffix(".half")
        half.unlink(missing_ok=True)
        spec = replace(spec, jars=())  # one archive serves all suites, and only our code makes it
        command = java_command(image, spec, f"-XX:ArchiveClassesAtExit={half}")
        messages = _messages(compiler, spec)
        _run(command, messages, half.parent)
        if not half.is_file():
            raise PolyAssayError(
                "No class-data archive could be made.", hint="Try another JDK with --jdk."
            )
        half.rename(archive)


def service_flags(image: Image, jdk: Jdk, jars: Path) -> Sequence[str]:
    """What a compile service starts with: its own archive, which is made where it is missing.

    The service has the JDK's own JVM and not the image's, which is only where the archive is kept.
    """
    if not on("archive"):
        return ()
    archive = image.archive(f"service-{_mark(jars)}")
    with making(archive):
        if not archive.is_file():
            _record_service(archive, jdk, jars)
    # A JVM that refuses the archive would say so where the service tells its port.
    used = ("-Xshare:auto", "-Xlog:disable", f"-XX:SharedArchiveFile={archive}")
    return used if archive.is_file() else ()


def _record_service(archive: Path, jdk: Jdk, jars: Path) -> None:
    half = archive.with_suffix(".half")
    half.unlink(missing_ok=True)
    recorded = Compiler(jdk, jars, lambda: (f"-XX:ArchiveClassesAtExit={half}",))
    try:
        recorded.plan("sample", _PLAN)
        _to_executor(recorded, JvmSpec(memory_mb=64))
        recorded.finish(_RECORD_SECONDS)
    except (BrokeOff, Starved, PolyAssayError):
        return  # a service without an archive is slower, and a later one makes it
    finally:
        recorded.close()
    if half.is_file():
        half.rename(archive)


def _mark(jars: Path) -> str:
    """Another one where a jar is in another place, or was written again: a JVM compares both."""
    found = [(str(jar), jar.stat().st_mtime_ns) for jar in sorted(jars.glob("*.jar"))]
    return hashlib.sha256(repr(found).encode()).hexdigest()[:8]


def _messages(compiler: Compiler, spec: JvmSpec) -> list[object]:
    """The messages to the JVM of the sample run."""
    if spec.program:
        classes = _compile(compiler, SourceLayer({"Sample.java": _PROGRAM}))
        return [RunProgram(b"sample", "Sample", b"2 3\n", 1000, {}, classes)]
    return _to_worker(compiler) if spec.worker else _to_executor(compiler, spec)


def _to_executor(compiler: Compiler, spec: JvmSpec) -> list[object]:
    tests = {"SampleTest.java": _VINTAGE if spec.vintage else _JUPITER}
    classes = _compile(
        compiler, SourceLayer({"Sample.java": _CANDIDATE}), SourceLayer(tests, junit=True)
    )
    names = ("passes", "fails") if spec.vintage else ("passes", "fails", "refuses")
    # What inherits its tests needs JUnit's engine, and what does not runs without.
    kinds = ("SampleTest",) if spec.vintage else ("SampleTest", "InheritingTest")
    requests = (JUnitRequest((kind,), names, classes, {}, Limits(), spec.vintage) for kind in kinds)
    return [request.message(b"sample") for request in requests]


def _to_worker(compiler: Compiler) -> list[object]:
    """A call of a method of a list, a map, an array and a text, and one that throws."""
    source = {"Sample.java": _CANDIDATE, "PolyassayAdapter.java": _ADAPTER}
    classes = _compile(compiler, SourceLayer(source))
    one, nothing = b"\x05\0\0\0\x01", b"\0"
    lists = b"\x0c\0\0\0\0\x01" + one + b"\x09\0\0\0\x01\0a"
    calls = [Call(False, -1, 2, one + value) for value in (lists, nothing)]
    asked = [AskCandidate(b"", encode(call)) for call in calls]
    return [Load("Sample", "PolyassayAdapter", 1000, classes), *asked, Leave(b"")]


def _compile(compiler: Compiler, *layers: SourceLayer) -> dict[str, bytes]:
    built = compiler.build(BuildLayers("Sample", "twice", (), (), {}, layers, cpu_seconds=60.0))
    return {name: code for layer in built.layers for name, code in layer.classes.items()}


def _run(command: tuple[str, ...], messages: list[object], folder: Path) -> None:
    """Runs trusted code, and so outside of any sandbox; the archive is written as it ends."""
    sent = b"".join(framed(encode(message)) for message in messages)
    # A folder of its own: JVMs empty the one that they work in, and two may be recorded at once.
    with tempfile.TemporaryDirectory(dir=folder) as work:
        made = {**os.environ, SCRATCH_VARIABLE: work}
        subprocess.run(
            command,
            input=sent,
            capture_output=True,
            cwd=work,
            env=made,
            timeout=_RECORD_SECONDS,
            check=False,
        )

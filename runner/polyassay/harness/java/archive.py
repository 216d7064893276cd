"""Class-data archives, which a sample run records: a JVM starts in a third of the time with one."""

import struct
import subprocess
from dataclasses import replace
from pathlib import Path

from polyassay.errors import PolyAssayError
from polyassay.harness.java.compile import Compiler, Layer
from polyassay.harness.java.executor import Request, encode
from polyassay.harness.java.jdk import Image, locked
from polyassay.harness.java.jvm import Kind, java_command
from polyassay.harness.java.messages import Message
from polyassay.model import Limits

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
"""
_VINTAGE = """
import static org.junit.Assert.*;
import org.junit.Test;
public class SampleTest {
  @Test public void passes() { assertEquals(4, Sample.twice(2)); }
  @Test public void fails() { assertEquals(5, Sample.twice(2)); }
}
"""


def make_archive(image: Image, compiler: Compiler, kind: Kind) -> None:
    """Records the archive for one kind of JVM, where it is missing."""
    archive = image.archive(kind.archive)
    with locked(archive.with_suffix(".lock")):
        if archive.is_file():
            return
        making = archive.with_suffix(".making")
        making.unlink(missing_ok=True)
        kind = replace(kind, jars=())  # one archive serves all suites, and only our code makes it
        command = java_command(image, kind, f"-XX:ArchiveClassesAtExit={making}")
        frames = _worker_frames if kind.worker else _executor_frames
        _run(command, frames(compiler, kind), making.parent)
        if not making.is_file():
            raise PolyAssayError(
                "No class-data archive could be made.", hint="Try another JDK with --jdk."
            )
        making.rename(archive)


def _executor_frames(compiler: Compiler, kind: Kind) -> list[bytes]:
    tests = Layer({"SampleTest.java": _VINTAGE if kind.vintage else _JUPITER}, junit=True)
    build = compiler.build("Sample", "twice", (Layer({"Sample.java": _CANDIDATE}), tests))
    own, test = build.classes
    names = ["passes", "fails"] if kind.vintage else ["passes", "fails", "refuses"]
    request = Request(["SampleTest"], names, {**own, **test}, {}, Limits(), kind.vintage)
    return [encode(request, b"sample")]


def _worker_frames(compiler: Compiler, kind: Kind) -> list[bytes]:
    """A call of a method of a list, a map, an array and a text, and one that throws."""
    source = {"Sample.java": _CANDIDATE, "PolyassayAdapter.java": _ADAPTER}
    (classes,) = compiler.build("Sample", "twice", (Layer(source),)).classes
    load = Message().blob(b"").text("load").text("Sample").text("PolyassayAdapter").number(1000)
    one, nothing = b"\x05\0\0\0\x01", b"\0"
    lists = b"\x0c\0\0\0\0\x01" + one + b"\x09\0\0\0\x01\0a"
    frames = [load.blobs(classes).encoded()]
    for value in (lists, nothing):
        call = Message().blob(b"").text("call").number(-1).number(2)
        frames.append(call.blob(one + value).encoded())
    return [*frames, Message().blob(b"").text("leave").encoded()]


def _run(command: tuple[str, ...], frames: list[bytes], folder: Path) -> None:
    """Runs trusted code, and so outside of any sandbox; the archive is written as it ends."""
    work = folder / "train"
    work.mkdir(exist_ok=True)
    sent = b"".join(struct.pack(">I", len(frame)) + frame for frame in frames)
    subprocess.run(command, input=sent, capture_output=True, cwd=work, timeout=120, check=False)

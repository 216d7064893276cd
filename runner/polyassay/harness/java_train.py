"""Class-data archives, which a sample run records: a JVM starts in a third of the time with one."""

import struct
import subprocess
from pathlib import Path

from polyassay.errors import PolyAssayError
from polyassay.harness.java_compile import Compiler, Layer
from polyassay.harness.java_executor import Kind, Request, encode, java_command
from polyassay.harness.java_jdk import Image, locked
from polyassay.model import Limits

_CANDIDATE = "public class Sample { public static int twice(int n) { return 2 * n; } }"
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


def make_archive(image: Image, compiler: Compiler, vintage: bool) -> None:
    """Records the archive for one kind of executor, where it is missing."""
    archive = image.archive("vintage" if vintage else "executor")
    with locked(archive.with_suffix(".lock")):
        if archive.is_file():
            return
        making = archive.with_suffix(".making")
        making.unlink(missing_ok=True)
        kind = Kind(memory_mb=256, vintage=vintage)
        command = java_command(image, kind, f"-XX:ArchiveClassesAtExit={making}")
        _run(command, encode(_sample(compiler, kind), b"sample"), making.parent)
        if not making.is_file():
            raise PolyAssayError(
                "No class-data archive could be made.", hint="Try another JDK with --jdk."
            )
        making.rename(archive)


def _sample(compiler: Compiler, kind: Kind) -> Request:
    tests = Layer({"SampleTest.java": _VINTAGE if kind.vintage else _JUPITER}, junit=True)
    build = compiler.build("Sample", "twice", (Layer({"Sample.java": _CANDIDATE}), tests))
    own, test = build.classes
    names = ["passes", "fails"] if kind.vintage else ["passes", "fails", "refuses"]
    return Request(["SampleTest"], names, {**own, **test}, {}, Limits(), kind)


def _run(command: tuple[str, ...], frame: bytes, folder: Path) -> None:
    """Runs trusted code, and so outside of any sandbox; the archive is written as it ends."""
    work = folder / "train"
    work.mkdir(exist_ok=True)
    frames = struct.pack(">I", len(frame)) + frame
    subprocess.run(command, input=frames, capture_output=True, cwd=work, timeout=120, check=False)

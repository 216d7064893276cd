"""Finds the JDK and the harness jars, and makes the image that candidates run on.

The image has the modules that the JDK's own `java` gives a program, JUnit and our harness, and
lacks what reaches around the language (LEFT_OUT): a limited set of modules on the command line
would do the same, but turns class-data archives off.
"""

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from polyassay.environments.cache import making, use
from polyassay.environments.harness_jars import (
    find_jars as find_jars,  # for those who need the JDK as well
)
from polyassay.errors import PolyAssayError

OLDEST = 17
_MODULE_LIST = "modules.txt"
_OURS = (
    "com.polyassay.harness",
    "org.junit.platform.launcher",
    "org.junit.jupiter.engine",
    "org.junit.jupiter.params",
)
# Modules that the JDK's own `java` gives to programs and that candidates do not get, and why.
LEFT_OUT = {
    "jdk.unsupported": "sun.misc.Unsafe reads and changes any memory, and so JUnit's results",
    "jdk.attach": "loads agents, which change any class, into running JVMs",
    "jdk.management": "dumps the heap, with what is there of tests and of other candidates",
    "jdk.management.agent": "serves jdk.management to other processes",
    "jdk.management.jfr": "needs jdk.management",
    "jdk.jdwp.agent": "lets another process debug this one",
    "jdk.jdi": "debugs other JVMs, and needs jdk.attach",
    "jdk.jshell": "needs jdk.jdi",
    "jdk.jconsole": "needs jdk.attach and jdk.management",
    "jdk.jstatd": "looks into other JVMs",
    "jdk.jlink": "links images, for which this image lacks the files",
    "jdk.jpackage": "needs jdk.jlink",
}
# Modules that `java` gives to no program by itself; some are drawn in by those that need them.
_NOT_BY_DEFAULT = re.compile(
    r"jdk\.(incubator|internal|graal)\.|jdk\.(hotspot\.agent|jcmd)$|java\.se$"
)


@dataclass(frozen=True, slots=True)
class Jdk:
    home: Path
    version: str

    def tool(self, name: str) -> str:
        return str(self.home / "bin" / name)


def find_jdk(chosen: Path | None) -> Jdk:
    """The chosen JDK, else JAVA_HOME's, else the one that the java on PATH belongs to."""
    home = chosen or _from_environment()
    if home is None:
        raise PolyAssayError(
            "No JDK was found.",
            hint=f"Install a JDK of version {OLDEST} or later, and set JAVA_HOME or give --jdk.",
        )
    if not (home / "bin" / "javac").is_file():
        raise PolyAssayError(
            f"{home} is not a JDK: it has no bin/javac.",
            hint="Give the folder of a JDK (not of a JRE) with --jdk or JAVA_HOME.",
        )
    version = _version(home)
    major = re.match(r"(?:1\.)?(\d+)", version)
    if major is None or int(major[1]) < OLDEST:
        raise PolyAssayError(
            f"The JDK in {home} is version {version or 'unknown'}, which is too old.",
            hint=f"Choose one of version {OLDEST} or later with --jdk or JAVA_HOME.",
        )
    return Jdk(home.resolve(), version)


def _from_environment() -> Path | None:
    if home := os.environ.get("JAVA_HOME"):
        return Path(home)
    java = shutil.which("javac") or shutil.which("java")
    return Path(java).resolve().parent.parent if java else None


def _version(home: Path) -> str:
    try:
        release = (home / "release").read_text(encoding="utf-8", errors="replace")
    except OSError:
        release = ""
    found = re.search(r'^JAVA_VERSION="([^"]+)"', release, re.MULTILINE)
    return found[1] if found else ""


@dataclass(frozen=True, slots=True)
class Image:
    """A runtime for sandboxed JVMs, with its class-data archives and the harness' jars beside it.

    An archive is good for jars at the paths that it was made with, so there is a copy of them here.
    """

    folder: Path

    @property
    def jars(self) -> Path:
        return self.folder / "jars"

    @property
    def java(self) -> str:
        return str(self.folder / "image" / "bin" / "java")

    def archive(self, kind: str) -> Path:
        return self.folder / f"{kind}.jsa"

    @property
    def major(self) -> int:
        """The JDK's version, as the folder's name begins with it."""
        found = re.match(r"java-(?:1\.)?(\d+)", self.folder.name)
        return int(found[1]) if found else OLDEST

    @property
    def modules(self) -> str:
        """The JDK's modules in it, as the command line takes them."""
        return (self.folder / _MODULE_LIST).read_text(encoding="utf-8")


def make_image(jdk: Jdk, jars: Path, cache: Path) -> Image:
    """The image of this JDK and these jars, made where it is missing (a few seconds)."""
    image = Image(use(cache / f"java-{jdk.version}-{_fingerprint(jdk, jars)}"))
    with making(image.folder):
        if not Path(image.java).is_file():
            shutil.rmtree(image.folder, ignore_errors=True)
            with tempfile.TemporaryDirectory(dir=cache, ignore_cleanup_errors=True) as aside:
                half = Path(aside, "half")
                shutil.copytree(jars, half / "jars")
                _link(jdk, jars, half / "image")
                half.rename(image.folder)
    return image


def _link(jdk: Jdk, jars: Path, image: Path) -> None:
    if not Path(jdk.tool("jlink")).is_file():
        raise PolyAssayError(
            f"The JDK in {jdk.home} has no jlink.",
            hint="Choose a whole JDK with --jdk or JAVA_HOME.",
        )
    modules = candidate_modules(jdk)
    command = [jdk.tool("jlink"), "--module-path", str(jars)]
    command += ["--add-modules", ",".join((*modules, *_OURS))]
    command += ["--no-header-files", "--no-man-pages", "--output", str(image)]
    _call(command)
    _call([str(image / "bin" / "java"), "-Xshare:dump"])
    (image.parent / _MODULE_LIST).write_text(",".join(modules), encoding="utf-8")


def candidate_modules(jdk: Jdk) -> tuple[str, ...]:
    """What candidates may use: what `java` gives to programs, without LEFT_OUT."""
    listed = (
        line.partition("@")[0] for line in _call([jdk.tool("java"), "--list-modules"]).split()
    )
    return tuple(
        name for name in listed if name not in LEFT_OUT and not _NOT_BY_DEFAULT.match(name)
    )


def _call(command: list[str]) -> str:
    """What it prints."""
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        last = (done.stdout + done.stderr).strip().splitlines()[-1:] or ["no message"]
        raise PolyAssayError(
            f"{Path(command[0]).name} failed: {last[0]}",
            hint="Try another JDK with --jdk, and see `polyassay doctor`.",
        )
    return done.stdout


def _fingerprint(jdk: Jdk, jars: Path) -> str:
    digest = hashlib.sha256(f"{jdk.home} {sorted(LEFT_OUT)}".encode())
    digest.update((jdk.home / "release").read_bytes())  # tells builds of one version apart
    for jar in sorted(jars.glob("*.jar")):
        digest.update(hashlib.sha256(jar.read_bytes()).digest())
    return digest.hexdigest()[:12]

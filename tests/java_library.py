"""A suite in a folder whose only task is about a library, which the JDK's own tools make."""

import subprocess
from pathlib import Path

LIBRARY = """package bounds;
public final class Bounds {
  private static int calls;
  public static int clamp(int x, int low, int high) {
    System.out.println("call " + ++calls);
    return Math.max(low, Math.min(high, x));
  }
}
"""
FILES = {
    "suite.toml": 'name = "bounded"\n',
    "clamp/task.toml": 'language = "java"\nstyle = "junit"\nclass_name = "Clamp"\n'
    'signature = "public static int clamp(int x, int low, int high)"\n'
    'prompts = { en = "Clamp." }\n',
    # The tests use the library as well.
    "clamp/ClampTest.java": """
import static org.junit.jupiter.api.Assertions.assertEquals;
import bounds.Bounds;
import org.junit.jupiter.api.Test;
class ClampTest {
  @Test void lowers() { assertEquals(3, Clamp.clamp(5, 0, 3)); }
  @Test void agrees() { assertEquals(Bounds.clamp(-1, 0, 3), Clamp.clamp(-1, 0, 3)); }
}
""",
    "clamp/Clamp.java": """import bounds.Bounds;
public class Clamp {
  public static int clamp(int x, int low, int high) { return Bounds.clamp(x, low, high); }
}
""",
}
METHOD = """public static int clamp(int x, int low, int high) {
  return Bounds.clamp(x, low, high);
}
"""


def write_suite(folder: Path, library: str = LIBRARY) -> Path:
    """Writes the suite, with the library in lib/bounds.jar."""
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    made = folder.with_name(folder.name + "-library")
    (made / "classes").mkdir(parents=True)
    (made / "Bounds.java").write_text(library)
    (folder / "lib").mkdir()
    jar = folder / "lib" / "bounds.jar"
    for command in (
        ["javac", "-d", made / "classes", made / "Bounds.java"],
        ["jar", "--create", "--file", jar, "-C", made / "classes", "."],
    ):
        subprocess.run([str(part) for part in command], check=True)
    return folder

"""Long tests get the JVM's second compiler, by CPU time of the same search with and without it."""

import os
import subprocess
from pathlib import Path

from polyassay.harness import RunSettings
from polyassay.harness.java.harness import JavaHarness
from polyassay.harness.java.jvm import JvmSpec, java_command
from polyassay.sandbox.choose import find
from real_parts import given

# As an alphametics puzzle is solved by trying all digits: boxed numbers, maps, recursion.
SEARCH = """
import java.util.*;

public class Search {
  static final String[] WORDS = {"THIS", "A", "FIRE", "FOR", "ALL", "HISTORIES", "TALE", "TITLE"};

  static long tried(List<Character> letters, int at, Map<Character, Integer> chosen, int used) {
    if (at == letters.size()) {
      long sum = 0;
      for (String word : WORDS) {
        long value = 0;
        for (char letter : word.toCharArray()) {
          value = value * 10 + chosen.get(letter);
        }
        sum += value;
      }
      return sum == 7 ? 0 : 1;
    }
    long count = 0;
    for (int digit = 0; digit < 10; digit++) {
      if ((used & 1 << digit) == 0) {
        chosen.put(letters.get(at), digit);
        count += tried(letters, at + 1, chosen, used | 1 << digit);
      }
    }
    return count;
  }

  public static void main(String[] arguments) {
    List<Character> letters = new ArrayList<>();
    for (char letter : "THISAFREOL".toCharArray()) {
      letters.add(letter);
    }
    System.out.println(tried(letters, 0, new HashMap<>(), 0));
  }
}
"""


def cpu_seconds(command: list[str], folder: Path) -> float:
    before = os.times()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    after = os.times()
    assert done.stdout == "3628800\n"
    return (
        after.children_user + after.children_system - before.children_user - before.children_system
    )


def test_a_long_search_is_compiled_by_the_second_compiler(java_home: Path, tmp_path: Path) -> None:
    with given("java"):
        harness = JavaHarness(RunSettings(find(), java_home))
    harness.close()
    (tmp_path / "Search.java").write_text(SEARCH)
    subprocess.run([harness.jdk.tool("javac"), "Search.java"], cwd=tmp_path, check=True)
    command = list(java_command(harness.image, JvmSpec(256, program=True)))
    start = next(place for place, part in enumerate(command) if part.endswith("/bin/java"))
    java, *flags = command[start : command.index("--add-modules")]
    ours = [java, *flags, "-cp", ".", "Search"]
    first_only = [java, "-XX:TieredStopAtLevel=1", *flags, "-cp", ".", "Search"]
    # Measured: 2.3 s with the first compiler alone, 1.1 s with both.
    assert cpu_seconds(ours, tmp_path) < 0.8 * cpu_seconds(first_only, tmp_path)

"""What AixBench's evaluations saw, noted without a change of what they count."""

import subprocess
from pathlib import Path

import pytest

from polyassay.suites.java.watching import watch_class, watched
from polyassay.suites.public import aixbench
from polyassay.suites.text import as_published

PACKAGE = "com.aixcode.autoTest"
CHECKS = r"""package com.aixcode.autoTest.evaluation;

import java.util.*;

public class Evaluation0 {
  Candidate solution = new Candidate();
  static int asked = 0;

  public Evaluation0(String basePackage, String prefix) {}

  public int[] evaluation() {
    int pass_count = 0;
    Map<Integer, String> map = new TreeMap<>() {{ put(1, "\t"); put(2, "b\0"); }};
    for (Map.Entry<Integer, String> entry : map.entrySet()) {
      try {
        if (solution.pad(entry.getKey(), '\t').equals(entry.getValue())) {
          pass_count++;
        }
      } catch (Exception e) {
      }
    }
    try {
      int[] found = solution.sorted(new int[] {2, 1});
      if (found.length == 2 && found[0] < found[1]) pass_count++;
    } catch (Exception e) { }
    try {
      String none = solution.pad(-1, 'x');
      if (none == null) { pass_count++; }
    } catch (Exception e) { }
    try {
      solution.refuse(asked);
    } catch (IllegalArgumentException e) {
      pass_count++;
    }
    try {
      if (solution.odd(null).isEmpty()) pass_count++;
    } catch (Exception e) { }
    return new int[]{pass_count, 6};
  }
}
"""
CANDIDATE = """package com.aixcode.autoTest.evaluation;

class Candidate {
  static class Own { public String toString() { throw new Error("never asked"); } }

  String pad(int length, char with) { return String.valueOf(with).repeat(length); }
  int[] sorted(int[] all) { return all; }
  void refuse(int asked) {}
  String odd(Object any) { return null; }
}
"""
PRINTED = """package com.aixcode.autoTest;

class Print {
  public static void main(String[] names) throws Exception {
    Class<?> tests = Class.forName("com.aixcode.autoTest.Evaluation0Test");
    for (int i = 0; i < 6; i++) {
      try {
        var method = tests.getDeclaredMethod("test_" + i);
        method.setAccessible(true);
        method.invoke(tests.getDeclaredConstructor().newInstance());
        System.out.println("passed");
      } catch (java.lang.reflect.InvocationTargetException failed) {
        Throwable cause = failed.getCause();
        System.out.println(cause.getStackTrace()[0].getLineNumber() + " " + cause.getMessage());
      }
    }
  }
}
"""
TEST = """package org.junit.jupiter.api;
@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
public @interface Test {}
"""


def printed(folder: Path, evaluation: str, candidate: str = CANDIDATE) -> list[str]:
    """What each of six tests says, with javac and java alone."""
    place = "com/aixcode/autoTest"
    sources = {
        f"{place}/evaluation/Evaluation0.java": watched(evaluation, PACKAGE),
        f"{place}/evaluation/Candidate.java": candidate,
        f"{place}/PolyAssayWatch.java": watch_class(PACKAGE, f"{PACKAGE}.evaluation"),
        f"{place}/Evaluation0Test.java": aixbench._test_source("0", 6),
        f"{place}/Print.java": PRINTED,
        "org/junit/jupiter/api/Test.java": TEST,
    }
    for name, text in sources.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    compiled = ["javac", "-encoding", "UTF-8", "-d", "out", *sources]
    subprocess.run(compiled, cwd=folder, check=True)
    command = ["java", "-Dstdout.encoding=UTF-8", "-cp", "out", f"{PACKAGE}.Print"]
    result = subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return result.stdout.decode().splitlines()


def test_each_failed_case_says_what_was_seen(tmp_path: Path) -> None:
    first, *failed = printed(tmp_path, CHECKS)
    assert first == "passed"
    assert failed == [
        '16 pad(2, \'\\t\'): expected: <"b\\u0000"> but was: <"\\t\\t">',
        "24 sorted(new int[] {2, 1}) gave [2, 1]: found.length == 2 && found[0] < found[1] is false"
        " (found = [2, 1])",
        "29 pad(-1, 'x') threw java.lang.IllegalArgumentException: count is negative: -1",
        "31 refuse(0) threw nothing, and should",
        "37 odd(null) gave null: then java.lang.NullPointerException",
    ]


def test_a_candidates_own_objects_are_never_asked(tmp_path: Path) -> None:
    returned = CANDIDATE.replace("String odd(Object any) { return null; }", "Own own;").replace(
        "int[] sorted(int[] all) { return all; }",
        "Own[] sorted(int[] all) { return new Own[] {new Own()}; }"
        " java.util.List<Object> odd(Object any)"
        " { return java.util.Collections.unmodifiableList(java.util.List.of(new Own())); }",
    )
    evaluation = CHECKS.replace("int[] found", "Object[] found").replace(
        "found[0] < found[1]", "found[0] == null"
    )
    told = printed(tmp_path, evaluation, returned)
    assert "gave [Candidate$Own]" in told[2]
    assert "odd(null) gave Collections$UnmodifiableRandomAccessList" in told[5]


def test_notes_that_do_not_fit_the_count_are_told_together(tmp_path: Path) -> None:
    evaluation = CHECKS.replace("new int[]{pass_count, 6}", "new int[]{pass_count + 1, 6}")
    assert evaluation != CHECKS  # then no counter is known by its name, and nothing is noted
    assert {line.partition(" ")[2] for line in printed(tmp_path, evaluation)[2:]} == {
        "the evaluation counted 2 of 6"
    }


def test_several_notes_for_fewer_failures(tmp_path: Path) -> None:
    evaluation = CHECKS.replace(
        "    return new int[]{pass_count, 6};",
        "    pass_count++;\n    return new int[]{pass_count, 6};",
    )
    told = printed(tmp_path, evaluation)
    assert told[:2] == ["passed", "passed"]
    assert len(set(told[2:])) == 1 and told[2].startswith("16 the evaluation counted 2 of 6: pad(2")
    assert told[2].count(" gave ") == 2 and told[2].count("; ") == 4


def test_what_was_put_in_can_be_taken_out(aixbench_checkout: Path) -> None:
    files = sorted((aixbench_checkout / aixbench.JAVA).glob("**/evaluation/Evaluation*.java"))
    assert len(files) == 175
    changed = 0
    for file in files:
        source = file.read_text("utf-8")
        noting = watched(source, PACKAGE)
        assert as_published(noting) == source
        assert noting.count("\n") == source.count("\n")
        changed += ".missed(" in noting or ".differs(" in noting
    assert changed == 172


@pytest.mark.parametrize(
    "condition",
    ["a != null && a.get(0) == 1", "a == null || a.get(0) == 1", "b ? a.get(0) == 1 : true"],
)
def test_what_the_evaluation_may_not_reach_is_not_read(condition: str) -> None:
    source = (
        "class E { int[] evaluation(List<Integer> a, boolean b) { int n = 0;"
        f" if ({condition}) n++; return new int[]{{n, 1}}; }} }}"
    )
    assert ", a.get(0)" not in watched(source, PACKAGE)
    assert '"a", a' in watched(source, PACKAGE)

"""AixBench: a small checkout in the repository's layout, and the real one where it is."""

import base64
import json
import subprocess
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from polyassay.errors import PolyAssayError
from polyassay.model import Style, Suite, Task
from polyassay.suites.java.watching import NOTES
from polyassay.suites.public import aixbench

JAVA = "src/main/java/com/aixcode/"
BASE = """package com.aixcode.autoTest;
import java.util.*;
public abstract class GenerateMethodBase {
  public String join(List<String> all) throws Exception { throw new RuntimeException(); }
  public void put(byte[] data, short v, int at) throws Exception { throw new RuntimeException(); }
  public void put(byte[] data, int at, short v) throws Exception { throw new RuntimeException(); }
  public java.io.InputStream open(String name) throws Exception { throw new RuntimeException(); }
  public <K, V> Map.Entry<K,V> first(Map<K, V> m) throws Exception { throw new RuntimeException(); }
}
"""
ABSTRACT = """package com.aixcode.autoTest;
public abstract class AbstractBaseEvaluation {
  public GenerateMethodBase solution;
  public AbstractBaseEvaluation(String basePackage, String prefix) {
    String number = getClass().getSimpleName().substring("Evaluation".length());
    try {
      solution = (GenerateMethodBase)
          Class.forName(basePackage + "." + prefix + number).getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      System.exit(1);
    }
  }
  public abstract int[] evaluation();
}
"""
EVALUATION = """package com.aixcode.autoTest.evaluation;
import com.aixcode.autoTest.AbstractBaseEvaluation;
{imports}
public class Evaluation{id} extends AbstractBaseEvaluation {{
  public Evaluation{id}(String basePackage, String prefix) {{ super(basePackage, prefix); }}
  @Override public int[] evaluation() {{ {body} }}
}}
"""
ROWS = [
    (0, "Join with commas", "public static String join(List<String> all)"),
    (6, "写入一个短整数", "public static void put(byte[] data, short v, int at)"),
    (26, "Open a file", "public InputStream open(String name)"),
    (72, "First entry", "public static <K, V> Map.Entry<K, V> first(Map<K, V> m)"),
]
BODIES = {
    0: "try { return counts(); } catch (Exception e) { return new int[] {0, 0}; }",
    6: "return null;",
    26: 'return new int[] {0, "src/main/java/com/aixcode/autoTest/Executor.java".length()};',
    72: 'return new int[] {0, Executor.class.getName().length()}; // "Wanderer" is no class',
}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    files = {
        "src/main/resources/dataset_autotest_nl.jsonl": "".join(
            json.dumps({"task_id": id_, "raw_nl": text, "signature": signature}) + "\n"
            for id_, text, signature in ROWS
        ),
        "src/main/resources/dataset_manual_nl.jsonl": '{"task_id": 0, "raw_nl": "Read it."}\n'
        '{"task_id": 1, "raw_nl": "读取文件"}\n',
        "src/main/resources/tempFile/a/b.txt": "text",
        JAVA + "autoTest/GenerateMethodBase.java": BASE,
        JAVA + "autoTest/AbstractBaseEvaluation.java": ABSTRACT,
        JAVA + "autoTest/Executor.java": "package com.aixcode.autoTest;\n"
        "public class Executor { Util util; }\n",
        JAVA + "autoTest/Util.java": "package com.aixcode.autoTest;\npublic class Util {}\n",
        JAVA + "sampleHelper/Person.java": "package com.aixcode.sampleHelper;\nclass Person {}\n",
    }
    for id_, body in BODIES.items():
        imports = "import com.aixcode.autoTest.Executor;" if "Executor.class" in body else ""
        files[f"{JAVA}autoTest/evaluation/Evaluation{id_}.java"] = EVALUATION.format(
            id=id_, imports=imports, body=body
        )
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, "utf-8")
    return tmp_path


def by_id(suite: Suite) -> dict[str, Task]:
    return {task.id: task for task in suite.tasks}


def support_of(task: Task) -> list[str]:
    return [Path(path).stem for path in task.support]


def test_two_suites(checkout: Path) -> None:
    automated, manual = aixbench.read(checkout, None)
    assert (automated.name, manual.name) == ("aixbench", "aixbench-manual")
    assert automated.version == "1.0+modified"
    assert [(task.id, dict(task.prompts)) for task in manual.tasks] == [
        ("0", {"en": "Read it."}),
        ("1", {"zh": "读取文件"}),
    ]
    assert {task.style for task in manual.tasks} == {Style.RUBRIC}
    assert aixbench.read(checkout, "mine")[1].name == "mine-manual"


def test_tasks(checkout: Path) -> None:
    tasks = by_id(aixbench.read(checkout, None)[0])
    assert tasks["0"].signature == "public String join(List<String> all)"
    assert tasks["0"].class_name == "com.aixcode.autoTest.generate.candidate.GenerateMethod0"
    assert tasks["0"].extra == {"extends": "com.aixcode.autoTest.GenerateMethodBase"}
    assert [test.name for test in tasks["0"].tests] == [f"test_{i}" for i in range(5)]
    assert list(tasks["6"].prompts) == ["zh"] and len(tasks["6"].tests) == 4
    assert "<K, V>" in tasks["72"].signature


def test_each_task_gets_what_it_needs(checkout: Path) -> None:
    tasks = by_id(aixbench.read(checkout, None)[0])
    usual = ["AbstractBaseEvaluation", "GenerateMethodBase", "PolyAssayWatch"]
    assert support_of(tasks["0"]) == [*usual, "Evaluation0"]
    assert support_of(tasks["72"]) == [usual[0], "Executor", *usual[1:], "Util", "Evaluation72"]
    assert not tasks["0"].data_files and "files" in tasks["26"].tags
    assert sorted(tasks["26"].data_files) == [
        "src/main/java/com/aixcode/autoTest/Executor.java",
        "src/main/resources/tempFile/a/b.txt",
    ]
    content = tasks["26"].data_files["src/main/resources/tempFile/a/b.txt"]
    assert base64.b64decode(content) == b"text"


def test_jars_are_for_tasks_with_tests(checkout: Path) -> None:
    before = aixbench.read(checkout, None)
    (checkout / "lib").mkdir()
    with zipfile.ZipFile(checkout / "lib" / "words-1.0.jar", "w") as jar:
        jar.writestr("words.txt", "words")
    automated, manual = aixbench.read(checkout, None)
    assert list(automated.jars) == ["words-1.0.jar"] and not manual.jars
    assert {tuple(task.jars) for task in automated.tasks} == {("words-1.0.jar",)}
    assert automated.checksum != before[0].checksum and manual.checksum == before[1].checksum


CASES = {  # what an evaluation of five cases does → how many cases pass
    "return new int[] {5, 5};": 5,
    "return new int[] {3, 5};": 3,
    "return new int[] {0, 0};": 0,
    "return null;": 0,
    "return new int[] {2};": 0,
    "throw new IllegalStateException();": 0,
    "throw new StackOverflowError();": 0,
    "return new int[] {2, 2};": 2,  # counted fewer: the rest has not passed
    "return new int[] {6, 6};": 5,
    "return new int[] {5, 6};": 4,  # counted more, and one of them failed
    "return new int[] {5, 3};": 5,  # task 164 counts more than it divides by
    "return new int[] {7, 5};": 0,
}
STAND_INS = {  # for JUnit, so that this test needs a JDK and no jars
    "org/junit/jupiter/api/Test.java": """package org.junit.jupiter.api;
@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
public @interface Test {}
""",
    "com/aixcode/autoTest/Count.java": """package com.aixcode.autoTest;
public class Count {
  public static void main(String[] args) throws Exception {
    for (String name : args) {
      Class<?> tests = Class.forName(name);
      int passed = 0;
      for (var method : tests.getDeclaredMethods()) {
        if (!method.isAnnotationPresent(org.junit.jupiter.api.Test.class)) continue;
        try {
          method.invoke(tests.getDeclaredConstructor().newInstance());
          passed++;
        } catch (java.lang.reflect.InvocationTargetException failed) {
          continue;
        }
      }
      System.out.println(passed);
    }
  }
}
""",
}


def test_counts_become_cases(tmp_path: Path) -> None:
    sources = dict(STAND_INS)
    for index, body in enumerate(CASES):
        sources[f"com/aixcode/autoTest/evaluation/Evaluation{index}.java"] = (
            "package com.aixcode.autoTest.evaluation;\n"
            f"public class Evaluation{index} {{ public Evaluation{index}(String a, String b) {{}}\n"
            f"  public int[] evaluation() {{ {body} }}\n"
            f"  public java.util.List<String> {NOTES}() {{ return java.util.List.of(); }} }}\n"
        )
        sources[f"com/aixcode/autoTest/Evaluation{index}Test.java"] = aixbench._test_source(
            str(index), 5
        )
    for name, text in sources.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    subprocess.run(["javac", "-d", "out", *sources], cwd=tmp_path, check=True)
    tests = [f"com.aixcode.autoTest.Evaluation{index}Test" for index in range(len(CASES))]
    command = ["java", "-cp", "out", "com.aixcode.autoTest.Count", *tests]
    result = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True)
    assert dict(zip(CASES, map(int, result.stdout.split()), strict=True)) == CASES


def test_a_folder_that_is_no_checkout(tmp_path: Path) -> None:
    with pytest.raises(PolyAssayError, match="is no checkout of AixBench") as caught:
        aixbench.read(tmp_path, None)
    assert "clone" in caught.value.hint


@pytest.mark.parametrize(
    ("file", "old", "new", "words"),
    [
        ("dataset_autotest_nl.jsonl", "join(List<String>", "join(Set<String>", '"signature"'),
        ("dataset_autotest_nl.jsonl", '"task_id": 0', '"task_id": 184', "not in the manifest"),
        ("dataset_autotest_nl.jsonl", '"task_id": 0', '"task_id": 1', "has no class"),
        ("dataset_manual_nl.jsonl", '"task_id": 0', '"task_id": "x"', "whole number"),
        ("dataset_manual_nl.jsonl", '"raw_nl"', '"nl"', '"raw_nl" is missing'),
    ],
)
def test_checkouts_that_do_not_fit(checkout: Path, file: str, old: str, new: str, words: str):
    path = checkout / "src/main/resources" / file
    path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")
    with pytest.raises(PolyAssayError) as caught:
        aixbench.read(checkout, None)
    assert f"{path}, line 1" in caught.value.problem and words in caught.value.problem


def test_the_real_checkout(aixbench_checkout: Path, shared_data: Path) -> None:
    automated, manual = aixbench.read(aixbench_checkout, None)
    assert len(manual.tasks) == 161
    with (shared_data / "expected" / "aixbench_copilot.jsonl").open() as file:
        expected = {str(row["task_id"]): row for row in map(json.loads, file)}
    totals = {t.id: int(t.extra.get("published_total", len(t.tests))) for t in automated.tasks}
    assert totals == {key: row["total"] for key, row in expected.items()}
    assert [task.id for task in automated.tasks if "published_total" in task.extra] == ["164"]
    assert all(expected[t.id]["prompt_language"] in t.prompts for t in automated.tasks)
    assert Counter(nl for t in automated.tasks for nl in t.prompts) == {"en": 124, "zh": 51}
    assert [task.id for task in automated.tasks if task.needs_network] == ["7"]
    tasks = by_id(automated)
    assert "GenerateMethod95" in support_of(tasks["27"])
    assert all("Executor" in support_of(tasks[key]) for key in ("72", "87", "95", "146"))

"""Java tasks in folders, which the JDK reads."""

from pathlib import Path

from polyassay.suites.native import jsonl as native
from unit.test_folder import SUITE, lay_out


def test_java_tasks(tmp_path: Path) -> None:
    files = {
        "max/task.toml": 'language = "java"\nstyle = "junit"\nclass_name = "p.Max"\n',
        "max/Max.java": "package p;\npublic class Max {}\n",
        "max/MaxTest.java": "package p;\nclass MaxTest { @Test void b() { new Max(); }\n"
        " @org.junit.Test public void a() {} }\n",
        "max/Shape.java": "package p;\ninterface Shape {}\n",
    }
    (task,) = native.read(lay_out(tmp_path, SUITE | files), None)[0].tasks
    assert task.reference == files["max/Max.java"]
    assert [test.name for test in task.tests] == ["b", "a"]
    assert task.support == {"Shape.java": files["max/Shape.java"]}

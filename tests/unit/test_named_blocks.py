"""The many ways in which chats name the files that they give, for Java and Python."""

import difflib
import json
from collections.abc import Callable, Mapping

import pytest

from polyassay.candidates import make_program
from polyassay.model import Candidate, CandidateKey, Language, Style, Task

KEY = CandidateKey("s", "t", "tool", "en", 0)
SHOP, ITEM, TAX = (f"src/main/java/{name}.java" for name in ("Shop", "Item", "Tax"))
JAVA = Task(
    *("t", "s", Language.JAVA, Style.JUNIT, {"en": "…"}),
    class_name="Shop",
    solution={
        SHOP: "class Shop {\n    int total() {\n        return 0;\n    }\n}\n",
        ITEM: "class Item {\n    int price() {\n        return 0;\n    }\n}\n",
    },
)
PYTHON = Task(
    *("t", "s", Language.PYTHON, Style.PYTEST, {"en": "…"}),
    solution={
        "shop.py": "class Shop:\n    def total(self):\n        pass\n",
        "item.py": "class Item:\n    def price(self):\n        pass\n",
    },
)
Files = Mapping[str, str]
SOLVED: dict[Language, tuple[Task, Files]] = {
    Language.JAVA: (
        JAVA,
        {
            SHOP: "class Shop {\n    int total() {\n        return new Item().price();\n    }\n}",
            ITEM: "class Item {\n    int price() {\n        return Tax.on(7);\n    }\n}",
            TAX: "class Tax {\n    static int on(int x) {\n        return x + 1;\n    }\n}",
        },
    ),
    Language.PYTHON: (
        PYTHON,
        {
            "shop.py": "from item import Item\n\n\nclass Shop:\n    def total(self):\n"
            "        return Item().price()",
            "item.py": "import tax\n\n\nclass Item:\n    def price(self):\n"
            "        return tax.on(7)",
            "tax.py": "def on(x):\n    return x + 1",
        },
    ),
}


def fence(code: str, info: str = "") -> str:
    return f"```{info}\n{code}\n```\n"


def short(path: str) -> str:
    return path.rpartition("/")[2]


def above(line: str) -> Callable[[Files, str], str]:
    """Each file in a fence below a line in which PATH or NAME stands for it."""

    def chat(files: Files, language: str) -> str:
        return "Split in three.\n\n" + "\n".join(
            line.replace("PATH", path).replace("NAME", short(path)) + "\n" + fence(code, language)
            for path, code in files.items()
        )

    return chat


def inside(line: str) -> Callable[[Files, str], str]:
    """Each file in a fence whose first lines name it."""

    def chat(files: Files, language: str) -> str:
        remark = "//" if language == "java" else "#"
        return "\n".join(
            fence(f"{line.replace('#', remark).replace('NAME', short(path))}\n{code}", language)
            for path, code in files.items()
        )

    return chat


def behind(info: str) -> Callable[[Files, str], str]:
    """Each file in a fence that names it."""

    def chat(files: Files, language: str) -> str:
        return "\n".join(
            fence(code, info.replace("PATH", path).replace("LANGUAGE", language))
            for path, code in files.items()
        )

    return chat


def stub(path: str) -> str:
    return {**JAVA.solution, **PYTHON.solution}.get(path, "")


def diff(path: str, code: str) -> str:
    before, after = stub(path).splitlines(), code.splitlines()
    old = f"a/{path}" if before else "/dev/null"
    return "\n".join(difflib.unified_diff(before, after, old, f"b/{path}", lineterm="")) + "\n"


def diffs(join: Callable[[list[str]], str]) -> Callable[[Files, str], str]:
    return lambda files, language: join([diff(path, code) for path, code in files.items()])


def replaced(path: str, code: str, words: tuple[str, str] = ("SEARCH", "REPLACE")) -> str:
    return f"<<<<<<< {words[0]}\n{stub(path)}=======\n{code}\n>>>>>>> {words[1]}\n"


def patch(files: Files, language: str) -> str:
    parts = ["*** Begin Patch"]
    for path, code in files.items():
        old = stub(path).splitlines()
        parts += [f"*** Update File: {path}", "@@"] if old else [f"*** Add File: {path}"]
        parts += [*(f"-{line}" for line in old), *(f"+{line}" for line in code.splitlines())]
    return "\n".join((*parts, "*** End Patch"))


def marked(files: Files, language: str) -> str:
    remark = "//" if language == "java" else "#"
    return "\n\n".join(f"{remark} ---- {path} ----\n{code}" for path, code in files.items())


def whole_and_edited(files: Files, language: str) -> str:
    (first, code), *others = files.items()
    whole = "\n".join(f"`{short(path)}`:\n{fence(text, language)}" for path, text in others)
    return f"{first}\n{fence(replaced(first, code), language)}\n{whole}"


STYLES: dict[str, Callable[[Files, str], str]] = {
    **{
        line: above(line)
        for line in (
            "### NAME",
            "## 2. `PATH`",
            "### NAME - what it holds",
            "### `NAME`\n\nIt holds the parts\nthat matter here, and\nmore of it.\n",
            "#### Updated: NAME",
            "**NAME** (new file)",
            "**File: PATH**\n",
            "**File 1:** `NAME`",
            "__NAME__",
            "1. **NAME**\n",
            "Here is NAME:",
            "Put this into `NAME` and save it",
            "./PATH",
            "/home/me/work/PATH:",
            "[NAME](PATH)",
            "📄 PATH",
            "=== PATH ===",
            "<summary>NAME</summary>\n",
            "**文件：NAME**",
            "下面是 `NAME` 的代码：",
            "**Archivo: NAME**",
            "Файл NAME:",
            "### ファイル: NAME",
            "`PATH` (NAME):",
        )
    },
    "backslashes": lambda files, language: "\n".join(
        path.replace("/", "\\") + "\n" + fence(code, language) for path, code in files.items()
    ),
    **{
        f"in the fence: {line}": inside(line)
        for line in ("# NAME", "# File: NAME", "# NAME - what it holds", "# ---\n# NAME\n# ---")
    },
    "a bare path in the fence": inside("NAME"),
    **{
        info: behind(info)
        for info in ("LANGUAGE {filename=PATH}", "LANGUAGE (PATH)", "LANGUAGE:PATH", "PATH")
    },
    "no name at all": lambda files, language: "\n".join(
        fence(code, language) for code in files.values()
    ),
    "elements": lambda files, language: "\n".join(
        f'<file path="{path}">\n{code}\n</file>' for path, code in files.items()
    ),
    "nested elements": lambda files, language: "\n".join(
        f"<file>\n<path>{path}</path>\n<content>\n{code}\n</content>\n</file>"
        for path, code in files.items()
    ),
    "JSON": lambda files, language: json.dumps({"files": dict(files)}),
    "JSON in a fence": lambda files, language: fence(
        json.dumps([{"path": path, "content": code} for path, code in files.items()]), "json"
    ),
    "a shell": lambda files, language: fence(
        "\n".join(f"cat > {path} <<'EOF'\n{code}\nEOF" for path, code in files.items()), "bash"
    ),
    "one fence": lambda files, language: fence(marked(files, language), language),
    "no fence": marked,
    "diffs": diffs(lambda parts: "".join(fence(part, "diff") for part in parts)),
    "one diff": diffs(lambda parts: "So:\n\n" + fence("".join(parts))),
    "an unfenced diff": diffs("".join),
    "a diff without headers": lambda files, language: "\n".join(
        f"In `{short(path)}`:\n" + fence("".join(diff(path, code).splitlines(True)[2:]), "diff")
        for path, code in files.items()
    ),
    "a patch": patch,
    "edits": lambda files, language: "\n".join(
        f"{path}\n{fence(replaced(path, code), language)}" for path, code in files.items()
    ),
    "edits with a path inside": lambda files, language: "\n".join(
        fence(f"{path}\n{replaced(path, code)}", language) for path, code in files.items()
    ),
    "edits below a sentence": lambda files, language: "\n".join(
        f"In `{short(path)}`:\n\n{fence(replaced(path, code), language)}"
        for path, code in files.items()
    ),
    "edits in other words": lambda files, language: "\n".join(
        f"{path}\n{replaced(path, code, ('ORIGINAL', 'UPDATED'))}" for path, code in files.items()
    ),
    "edits and whole files": whole_and_edited,
}


@pytest.mark.parametrize("language", [Language.JAVA, Language.PYTHON])
@pytest.mark.parametrize("style", STYLES)
def test_a_chat_is_read(style: str, language: Language) -> None:
    task, files = SOLVED[language]
    program = make_program(task, Candidate(KEY, STYLES[style](files, language)))
    assert not program.problem
    found = {task.main_file: program.source, **program.files}
    assert found.keys() == files.keys()
    for path, code in files.items():
        assert found[path].strip().endswith(code), path


def test_several_types_in_one_block_are_files_each() -> None:
    parts = (*SOLVED[Language.JAVA][1].values(), "public class Bag { List<Item> items; }")
    together = "import java.util.List;\n\n" + "\n\n".join(parts) + "\n\nclass Lid {}"
    text = fence(together.replace("total()", "total(Bag bag)"), "java")
    for answer in (text, text.removeprefix("```java\n").removesuffix("```\n")):
        program = make_program(JAVA, Candidate(KEY, answer))
        bag = program.files["src/main/java/Bag.java"]
        assert bag.startswith("import java.util.List;") and "class Lid {}" in bag
        assert "class Tax" in program.files[ITEM] and "class Item" not in program.source


def test_an_example_of_use_is_no_file() -> None:
    task, files = SOLVED[Language.PYTHON]
    use = "\n### Usage of `shop.py`\n" + fence("from shop import Shop\n\nShop().total()", "python")
    program = make_program(task, Candidate(KEY, above("### NAME")(files, "python") + use))
    assert program.source.strip() == files["shop.py"]
    task, files = SOLVED[Language.JAVA]
    use = "\n### Usage of `Shop.java`\n" + fence("new Shop().total();", "java")
    program = make_program(task, Candidate(KEY, above("### NAME")(files, "java") + use))
    assert program.source.strip() == files[SHOP]


def test_a_sentence_that_mentions_another_file_names_nothing() -> None:
    files = SOLVED[Language.JAVA][1]
    text = "It needs Item.java, which stays:\n" + fence(files[SHOP], "java")
    program = make_program(JAVA, Candidate(KEY, text))
    assert program.source.strip() == files[SHOP] and program.files == {ITEM: JAVA.solution[ITEM]}


def test_a_block_whose_file_the_chat_gives_whole_later_is_moot() -> None:
    files = SOLVED[Language.JAVA][1]
    text = f"{SHOP}\n" + replaced(SHOP, "class Old {}") + f"\n\n{SHOP}\n{fence(files[SHOP])}"
    program = make_program(JAVA, Candidate(KEY, text))
    assert program.source.strip() == files[SHOP]


def test_the_place_that_a_diff_names_is_the_one_that_is_changed() -> None:
    stub_twice = (
        "class Shop {\n  int a() {\n    return 0;\n  }\n  int b() {\n    return 0;\n  }\n}\n"
    )
    task = Task(
        *("t", "s", Language.JAVA, Style.JUNIT, {}),
        class_name="Shop",
        solution={SHOP: stub_twice},
    )
    text = fence(
        f"--- a/{SHOP}\n+++ b/{SHOP}\n@@ -6,1 +6,1 @@\n-    return 0;\n+    return 5;", "diff"
    )
    program = make_program(task, Candidate(KEY, text))
    assert program.source == "return 5;".join(stub_twice.rsplit("return 0;", 1))


def test_a_hunk_that_fits_nowhere_is_told() -> None:
    text = fence(f"--- {SHOP}\n+++ {SHOP}\n@@ @@\n-    return 9;\n+    return 1;", "diff")
    program = make_program(JAVA, Candidate(KEY, text))
    assert program.problem == f"a hunk of a diff is not in {SHOP}" and not program.source


def test_an_edit_that_fits_another_file_alone_is_that_files() -> None:
    files = SOLVED[Language.JAVA][1]
    text = f"{SHOP}\n{replaced(ITEM, files[ITEM])}\n{TAX}\n{replaced(TAX, files[TAX])}"
    program = make_program(JAVA, Candidate(KEY, text))
    assert program.source == JAVA.solution[SHOP]
    assert program.files[ITEM].strip() == files[ITEM]


def test_lines_that_an_edit_only_adds() -> None:
    more = f"--- {SHOP}\n+++ {SHOP}\n@@ -2,0 +3,1 @@\n+    // here\n"
    program = make_program(JAVA, Candidate(KEY, fence(more, "diff")))
    assert program.source.splitlines()[2] == "    // here"
    search = f"{SHOP}\n<<<<<<< SEARCH\n=======\n// last\n>>>>>>> REPLACE\n"
    program = make_program(JAVA, Candidate(KEY, search))
    assert program.source.endswith("}\n// last\n")
    blank = f"{SHOP}\n<<<<<<< SEARCH\n\nreturn 0;\n\n=======\n\nreturn 8;\n\n>>>>>>> REPLACE\n"
    program = make_program(JAVA, Candidate(KEY, blank))
    assert program.source == JAVA.solution[SHOP].replace("0", "8")


def test_python_blocks_that_say_nothing_of_their_file() -> None:
    files = SOLVED[Language.PYTHON][1]
    odd = ("def broken(:", "import pytest\n\n\ndef test_x():\n    pass", "x = 1")
    text = above("### NAME")(files, "python") + "So:\n\n" + "\n".join(map(fence, odd))
    program = make_program(PYTHON, Candidate(KEY, text))
    assert (
        program.files.keys() == {"item.py", "tax.py"} and program.source.strip() in files.values()
    )


def test_a_python_block_with_the_entry_is_the_main_file() -> None:
    task = Task(
        *("t", "s", Language.PYTHON, Style.FUNCTION, {}), entry="run", solution={"shop.py": ""}
    )
    texts = fence("from tax import on\n\n\ndef run():\n    return on(1)", "python") + "\nand\n"
    program = make_program(
        task, Candidate(KEY, texts + fence("def on(x):\n    return x", "python"))
    )
    assert "def run" in program.source and "def on" in program.files["tax.py"]

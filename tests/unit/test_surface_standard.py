"""The standard flavour: the libraries' values, defects mended, hostile text survived."""

import pytest
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu import sentence_bleu, sentence_chrf

from polyassay.measures.surface import texts
from polyassay.measures.surface.comparing import comparison
from polyassay.measures.surface.corpus import corpus
from polyassay.measures.surface.standard import standard
from polyassay.measures.surface.trees.match import shape
from polyassay.model import Language, Style, Task

LOOP = "total = 0\nfor x in values:\n    total += x * 2\nreturn total\n"
OTHER = "return sum(2 * x for x in values)\n"
JAVA = "int best = a[0];\nfor (int x : a) {\n  if (x > best) {\n    best = x;\n  }\n}\nreturn best;"


@pytest.mark.parametrize(("answer", "reference"), [(OTHER, LOOP), (LOOP, OTHER), ("x", LOOP)])
def test_values_are_the_libraries(answer: str, reference: str) -> None:
    values = standard(answer, [reference], "python").values
    assert values["bleu"] == pytest.approx(sentence_bleu(answer, [reference]).score / 100)
    assert values["chrf"] == pytest.approx(sentence_chrf(answer, [reference]).score)
    scored = RougeScorer(["rougeL"]).score(reference, answer)["rougeL"].fmeasure
    assert values["rouge_l"] == pytest.approx(scored)


@pytest.mark.parametrize(("code", "language"), [(LOOP, "python"), (JAVA, "java"), ("x", "python")])
def test_a_copy_gets_full_marks(code: str, language: str) -> None:
    values = standard(code, [code], language).values
    for name in ("bleu", "rouge_l", "codebleu", "codebleu_ngram", "codebleu_syntax", "exact"):
        assert values[name] == pytest.approx(1.0), name
    assert values["chrf"] == pytest.approx(100.0)


def test_an_empty_answer_gets_nothing_and_does_not_crash() -> None:
    for answer in ("", " \n\t"):
        assert set(standard(answer, [LOOP], "python").values.values()) == {0.0}


def test_codebleu_is_unknown_where_the_answer_does_not_parse() -> None:
    values = standard("for x in (", [LOOP], "python").values
    assert values["codebleu"] is None and values["codebleu_syntax"] is None
    assert values["bleu"] is not None


def test_codebleu_leaves_data_flow_out_where_the_reference_has_none() -> None:
    values = standard("print(1)", ["print(2)"], "python").values
    assert values["codebleu_dataflow"] is None
    assert values["codebleu"] is not None and values["codebleu"] > 0.5


def test_codebleu_sees_inside_strings_and_not_white_space_or_comments() -> None:
    reference = "x = 'a b'\nprint(x)"
    assert standard("x  =  'a b' # so\nprint( x )", [reference], "python").values["codebleu"] == 1.0
    assert (standard("x = 'ab'\nprint(x)", [reference], "python").values["codebleu"] or 0) < 1.0


def test_padding_does_not_pay() -> None:
    padded = LOOP + "\nspare = values\nprint(spare)\n"
    assert (standard(padded, [LOOP], "python").values["codebleu_syntax"] or 0) < 1.0


def test_the_best_of_several_references_counts() -> None:
    both = standard(OTHER, [LOOP, OTHER], "python").values
    assert both["codebleu"] == both["exact"] == both["rouge_l"] == 1.0


def test_a_java_completion_may_close_the_tasks_braces() -> None:
    assert standard(f"{JAVA}\n}}\n}}", [JAVA], "java").values["codebleu"] == pytest.approx(1.0)


def test_flow_follows_names_and_not_their_spelling() -> None:
    renamed = JAVA.replace("best", "most").replace("x", "item")
    assert shape(JAVA, "java").flow == shape(renamed, "java").flow
    assert shape(JAVA, "java").flow.total() > 5
    assert shape(LOOP, "python").flow != shape(OTHER, "python").flow


@pytest.mark.parametrize("language", ["python", "java"])
@pytest.mark.parametrize(
    "answer", ["(" * 5000, "\x00\ud800", "if x:\n" * 300, "x" * 100_000, "名前 = 'é'\nprint(名前)"]
)
def test_any_text_gives_values(answer: str, language: str) -> None:
    values = standard(answer, [LOOP if language == "python" else JAVA], language).values
    assert values["exact"] == 0.0 and values["bleu"] is not None


def test_a_corpus_is_not_the_mean_of_its_samples() -> None:
    samples = [standard(LOOP, [LOOP], "python"), standard("x", [OTHER], "python")]
    found = corpus(samples, "standard")
    assert found["rouge_l"] == pytest.approx(11 / 18)
    assert found["bleu"] is not None and found["bleu"] != pytest.approx(0.5, abs=0.05)


def test_longest_common_subsequence() -> None:
    assert texts.common_subsequence("abcbdab", "bdcaba") == 4
    assert texts.common_subsequence("abc", "") == texts.common_subsequence("", "abc") == 0


def task(**fields: str) -> Task:
    given: dict[str, object] = {"context": "def f(x):\n\treturn ", "entry": "f"}
    given |= {"reference": "def f(x):\n    return x + 1\n"}
    return Task("t", "s", Language.PYTHON, Style.FUNCTION, {}, **(given | fields))  # type: ignore[arg-type]


def test_like_is_compared_with_like() -> None:
    fragment = comparison(task(), "x + 2", published=False)
    assert fragment is not None and fragment.references == ("x + 1\n",)
    whole = comparison(task(), "def f(x):\n    y = x\n    return y", published=False)
    assert whole is not None and whole.references == (task().reference,)
    repeated = comparison(task(), "def f(x):\n    return x + 2", published=False)
    assert repeated is not None and repeated.answer == "x + 2"
    assert comparison(task(reference=""), "x", published=True) is None

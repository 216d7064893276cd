"""Statistics of public suites, as their papers print them."""

from pathlib import Path

import pytest

from polyassay.measures.measuring.suite import SuiteStatistics, suite_statistics
from polyassay.suites.public import mbupp, odex


@pytest.fixture(scope="module")
def of_odex(shared_data: Path) -> SuiteStatistics:
    (suite,) = odex.read(shared_data / "odex", None)
    return suite_statistics(suite)


def test_odex_table_1(of_odex: SuiteStatistics) -> None:
    found = {n: (g.libraries, g.open, g.closed, g.tasks) for n, g in of_odex.groups.items()}
    assert found == {
        "en": (45, 230, 209, 439),
        "es": (20, 48, 42, 90),
        "ja": (44, 113, 51, 164),
        "ru": (35, 114, 138, 252),
        "all": (79, 505, 440, 945),
    }


def test_odex_table_2_has_these_code_lengths(of_odex: SuiteStatistics) -> None:
    lengths = {n: round(g.code_tokens or 0, 2) for n, g in of_odex.groups.items() if n != "all"}
    assert lengths == {"en": 18.49, "es": 28.62, "ja": 17.70, "ru": 20.19}


def test_odex_table_5_counts_imports(of_odex: SuiteStatistics) -> None:
    assert sum(of_odex.imports.values()) == 1050 and len(of_odex.imports) == 80
    wanted = {"none": 440, "pandas": 81, "numpy": 80, "re": 62, "os": 42, "collections": 26}
    wanted |= {"matplotlib": 22, "datetime": 21, "urllib": 19, "sys": 17, "random": 16, "io": 15}
    wanted |= {"itertools": 9, "math": 8, "selenium": 6, "tensorflow": 6, "django": 5, "obspy": 2}
    assert {name: of_odex.imports[name] for name in wanted} == wanted
    assert of_odex.libraries["numpy"] == 76  # tasks


def test_mbupp_figure_4(shared_data: Path) -> None:
    suites = {suite.name: suite for suite in mbupp.read(shared_data / "mbupp", None)}
    sets = suite_statistics(suites["mbupp"]).assertion_sets
    assert sum(sets.values()) == 466 and sets[1] == 170 and sets[2] == 128 and max(sets) == 26
    assert suite_statistics(suites["mbupp-mbpp"]).assertion_sets == {1: 466}

def test_chain():
    assert build_order({"app": ["core"], "core": ["base"], "base": []}) == [
        ["base"],
        ["core"],
        ["app"],
    ]


def test_same_round_is_sorted():
    order = build_order({"web": ["core"], "cli": ["core"], "api": ["core"], "core": []})
    assert order == [["core"], ["api", "cli", "web"]]


def test_module_known_only_as_dependency():
    assert build_order({"app": ["zlib", "json"]}) == [["json", "zlib"], ["app"]]


def test_diamond_and_stranger():
    order = build_order({"d": ["b", "c"], "b": ["a"], "c": ["a"], "e": []})
    assert order == [["a", "e"], ["b", "c"], ["d"]]


def test_nothing_to_build():
    assert build_order({}) == []


def test_circle():
    try:
        build_order({"a": ["b"], "b": ["c"], "c": ["a"], "d": []})
        raised = False
    except ValueError:
        raised = True
    assert raised, "ValueError expected for a circle of needs"

"""A task of DS-1000 in its published form, made here."""

from typing import Any

CONTEXT = '''import copy


def generate_test_case(test_case_id):
    def define_test_input(test_case_id):
        return [3, 1, 2] if test_case_id == 1 else [9, 8]

    test_input = define_test_input(test_case_id)
    return test_input, sorted(copy.deepcopy(test_input))


def exec_test(result, ans):
    assert result == ans
    return 1


exec_context = r"""
data = test_input
[insert]
result = ordered
"""


def test_execution(solution: str):
    code = exec_context.replace("[insert]", solution)
    for i in range(2):
        test_input, expected_result = generate_test_case(i + 1)
        test_env = {"test_input": test_input}
        exec(code, test_env)
        assert exec_test(test_env["result"], expected_result)
'''
STRING = """

def test_string(solution: str):
    assert "for" not in solution.split()
"""
ROW: dict[str, Any] = {
    "prompt": "Problem:\nSort data.\nA:\n<code>\ndata = [3, 1, 2]\n</code>\nBEGIN SOLUTION\n",
    "reference_code": "ordered = sorted(data)",
    "metadata": {
        "problem_id": 0,
        "library_problem_id": 0,
        "library": "Pandas",
        "test_case_cnt": 2,
        "perturbation_type": "Origin",
        "perturbation_origin_id": 0,
    },
    "code_context": CONTEXT + STRING,
}

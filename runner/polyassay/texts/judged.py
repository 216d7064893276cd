"""What judging says of an answer, in Chinese: our own words only.

A verdict keeps its words in English. Those of ours have a fixed form with values; what compilers,
interpreters and tests said stays as it was said, as a quotation.
"""

import re
from collections.abc import Mapping
from functools import cache

from markupsafe import Markup, escape

from polyassay.texts import spoken

_NUMBERS = ("line", "column", "number", "of", "count", "seconds", "mb")
# A field `said` holds words in turn, of ours or others'; any other is a name, a number or a value.
JUDGED: Mapping[str, str] = {
    # Why an answer did not pass.
    "the answer is empty": "答案为空",
    "the answer holds no code": "答案中没有代码",
    'the answer defines {names} and not "{wanted}"': "答案定义了 {names}，而不是 “{wanted}”",
    "the answer is nested too deeply": "答案嵌套过深",
    "reading the answer takes too much memory": "读取答案占用的内存过多",
    "the answer's reader broke off": "读取答案的进程中断",
    "used more than {seconds} s of CPU time": "CPU 时间超过 {seconds} 秒",
    "used up the CPU time that all tests have together": "用完了全部测试共有的 CPU 时间",
    "used more than {mb} MB of memory": "内存超过 {mb} MB",
    "did nothing for {seconds} s": "{seconds} 秒内没有任何动作",
    "the candidate's time was used up before it": "在此之前候选答案的时间已用完",
    "out of memory": "内存不足",
    "unbuilt": "未能构建",
    "exit status {status}: {said}": "退出状态 {status}：{said}",
    "exit status {status}": "退出状态 {status}",
    "line {line}, column {column}: {said}": "第 {line} 行第 {column} 列：{said}",
    "line {line}: {said}": "第 {line} 行：{said}",
    "expected {expected} but was {found}": "期望 {expected}，实际 {found}",
    "{test}: expected {expected} but was {found}": "{test}：期望 {expected}，实际 {found}",
    "before the answer's first line: {said}": "在答案第一行之前：{said}",
    "{test} does not hold": "{test} 不成立",
    "{said}, while it loaded": "{said}（加载时）",
    # Where.
    "at line {line} of the answer": "答案第 {line} 行",
    "at line {line} of the task's own code": "任务自带代码第 {line} 行",
    "{said}, at line {line} of the answer": "{said}（答案第 {line} 行）",
    "{said} (at line {line} of the answer)": "{said}（答案第 {line} 行）",
    "{said} (at line {line} of the test)": "{said}（测试第 {line} 行）",
    # What was made of an answer.
    "from a fenced block": "取自代码块",
    "from fenced block {number} of {of}": "取自 {of} 个代码块中的第 {number} 个",
    "from {count} fenced blocks": "取自 {count} 个代码块",
    "from diffs": "取自差异文本",
    "from blocks that search and replace": "取自查找替换块",
    "as given: {files}": "沿用原有文件：{files}",
    "with {files} from other blocks": "连同其他代码块中的 {files}",
    "with helpers from other blocks": "连同其他代码块中的辅助代码",
    "a method, put into a class": "一个方法，已放入类中",
    "a body, put under the task's signature": "一个方法体，已放在任务的签名之下",
    "a body, put under {entry}": "一个函数体，已放在 {entry} 之下",
    "a completion of the task's context": "任务上下文的续写",
    "added: the start of the task's context": "已添加：任务上下文的开头",
    "added: {what}": "已添加：{what}",
    "package {name} left out": "已去掉包声明 {name}",
    'class "{name}" renamed to "{wanted}"': "类 “{name}” 已改名为 “{wanted}”",
    "static left out": "已去掉 static",
    "helpers' public left out": "已去掉辅助类的 public",
    "prose around the code left out": "已去掉代码周围的文字",
    "a server's signs left out": "已去掉服务器的标记",
    "a shell's prompts and output left out": "已去掉命令行的提示符和输出",
    "other kinds of spaces replaced": "已替换其他种类的空格",
    "operators put together": "已合并拆开的运算符",
    "a brace too many left out": "已去掉多余的花括号",
    "a missing brace added": "已补上缺少的花括号",
    # Why a task is judged together.
    "the tests share files with the candidate": "测试与候选答案共用文件",
    "the tests read streams": "测试读取流",
    "the tests capture output": "测试截取输出",
    "the tests compare identities": "测试比较对象身份",
    "the tests use mocks": "测试使用模拟对象",
    "the tests look into the class": "测试查看类的内部",
    "the tests change what the whole process sees": "测试改变整个进程所见",
    "the tests pass objects of their own classes": "测试传入自己定义的类的对象",
    "the tests keep what they make the object of": "测试保留构造对象所用之物",
    "the tests use more of the class than its method": "测试所用的不止该类的方法",
    "objects of {library} cannot be passed between processes": "{library} 的对象不能在进程之间传递",
    "types that the tests define": "测试所定义的类型",
    "tests that change what the answer sees": "测试改变答案所见",
    "files that tests and answer share": "测试与答案共用的文件",
    "standard input": "标准输入",
    "code that is made while it runs": "运行时生成的代码",
    "the answer's namespace": "答案的命名空间",
    "mocks": "模拟对象",
    "identity": "对象身份",
    "randomness": "随机性",
    "types that only the candidate knows": "只有候选答案知道的类型",
    "objects of the tests that the answer compares": "由答案比较的测试对象",
    "objects that are asked how they compare": "被询问如何比较的对象",
    "values of numpy that are no plain arrays": "不是普通数组的 numpy 值",
    "tests that raise or catch the task's class": "抛出或捕获任务的类的测试",
}


def retold(text: str) -> Markup:
    """Words of a verdict, a note or a task in the language that is spoken.

    >>> from polyassay.texts import speaking
    >>> with speaking("zh"):
    ...     print(retold("ValueError: <x>, at line 3 of the answer"))
    <q lang="en">ValueError: &lt;x&gt;</q>（答案第 3 行）
    """
    if spoken() == "en" or not text.strip():
        return escape(text)
    return Markup("\n").join(_line(line) for line in text.split("\n"))


def _line(text: str) -> Markup:
    for form, chinese in _forms():
        if found := form.fullmatch(text):
            values = {
                name: _line(value) if name == "said" else escape(value)
                for name, value in found.groupdict().items()
            }
            return Markup(chinese).format(**values)  # noqa: S704 - a sentence of ours
    return Markup('<q lang="en">{}</q>').format(text) if text.strip() else escape(text)


@cache
def _forms() -> list[tuple[re.Pattern[str], str]]:
    """Where words stand comes last in a message, so that is looked for first."""
    ends_first = sorted(JUDGED, key=lambda english: not english.startswith("{said}"))
    return [(re.compile(_form(english), re.DOTALL), JUDGED[english]) for english in ends_first]


def _form(english: str) -> str:
    def field(name: re.Match[str]) -> str:
        return rf"(?P<{name[1]}>{'[0-9.,]+' if name[1] in _NUMBERS else '.+'})"

    return re.sub(r"\\{(\w+)\\}", field, re.escape(english))

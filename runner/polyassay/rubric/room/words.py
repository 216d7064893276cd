"""Every word of the grading room that is not a rubric's: in English and Chinese, in one table."""

import os
from collections.abc import Mapping

from polyassay.rubric.rubrics import Rubric, Words

LANGUAGES = ("en", "zh")


def _both(en: str, zh: str) -> Words:
    return {"en": en, "zh": zh}


WORDS: Mapping[str, Words] = {
    # Where one is.
    "item": _both("item {number} of {total}", "第 {number} 项，共 {total} 项"),
    "done": _both("done", "已完成"),
    "done_count": _both("{done} done", "已完成 {done} 项"),
    "pace": _both("you: {pace} a minute", "每分钟 {pace} 项"),
    "left": _both("about {minutes} min left", "约剩 {minutes} 分钟"),
    "calibration": _both("calibration", "校准"),
    "flagged": _both("flagged", "已标记"),
    "skipped": _both("skipped", "已跳过"),
    "task": _both("task", "任务"),
    "answer": _both("answer", "答案"),
    "reference": _both("reference", "参考答案"),
    "difference": _both("A (−) and B (+)", "A（−）与 B（+）"),
    "comment_shown": _both("comment: {text}", "备注：{text}"),
    # What keys do: a word for the key's button, a sentence for the help.
    "score": _both("score", "评分"),
    "score_help": _both("give points where the focus is, or choose", "为当前维度评分或选择"),
    "focus_help": _both("move the focus", "移动焦点"),
    "turn_help": _both("show the item before or the next one", "显示上一项或下一项"),
    "down_help": _both("scroll down", "向下滚动"),
    "up_help": _both("scroll up", "向上滚动"),
    "choose": _both("choose", "选择"),
    "undo": _both("undo", "撤销"),
    "undo_help": _both("take the last key press back", "撤销上一次操作"),
    "back": _both("back", "上一项"),
    "back_help": _both("show the item before", "显示上一项"),
    "next": _both("next", "下一项"),
    "next_help": _both("show the next item", "显示下一项"),
    "skip": _both("skip", "跳过"),
    "skip_help": _both("leave the item for the end", "把此项留到最后"),
    "comment": _both("comment", "备注"),
    "comment_help": _both("comment on what has the focus", "为当前维度写备注"),
    "flag": _both("flag", "标记"),
    "flag_help": _both("flag the item for the team, or take the flag away", "标记此项，或取消标记"),
    "diff": _both("diff", "差异"),
    "diff_help": _both("show what differs between A and B", "显示 A 与 B 的差异"),
    "reference_help": _both("show the reference, once you have scored", "评分后显示参考答案"),
    "help": _both("help", "帮助"),
    "help_help": _both("show the whole rubric and the keys", "显示完整评分标准和按键"),
    "quit": _both("quit", "退出"),
    "quit_help": _both("leave: everything is saved already", "退出：所有内容均已保存"),
    "revisit": _both("go through the skipped items", "处理跳过的项"),
    # What is answered to a key.
    "range": _both("{name} takes {keys}.", "{name} 的可选值为 {keys}。"),
    "nothing_skipped": _both(
        "Nothing was skipped; b goes back to the last item.", "没有跳过的项；按 b 返回上一项。"
    ),
    "nothing_to_undo": _both("There is nothing to take back.", "没有可撤销的操作。"),
    "no_such_key": _both("Press one of {keys}.", "请按以下按键之一：{keys}。"),
    "no_difference": _both("There is only one answer here.", "此处只有一个答案。"),
    "no_reference": _both("This task has no reference.", "此任务没有参考答案。"),
    "score_first": _both(
        "Score first; then you may see the reference.", "请先评分，然后可查看参考答案。"
    ),
    "told_already": _both(
        "Known scores are on the screen; go on with n.", "已显示标准分数；按 n 继续。"
    ),
    "comment_title": _both(
        "comment on {name} · Enter keeps it, Escape gives up", "{name} 的备注 · 回车保存，Esc 取消"
    ),
    "closing": _both("All {total} items are done. Thank you!", "全部 {total} 项已完成。谢谢！"),
    "closing_skipped": _both(
        "{done} of {total} items are done, {skipped} skipped. Thank you!",
        "共 {total} 项，已完成 {done} 项，跳过 {skipped} 项。谢谢！",
    ),
    # Around the session, in a terminal.
    "opening": _both("Opening the session …", "正在打开会话……"),
    "left_saved": _both(
        "{done} of {total} items done, all saved. The same command goes on from here.",
        "共 {total} 项，已完成 {done} 项，全部已保存。用同一命令可从此处继续。",
    ),
    "left_saved_skipped": _both(
        "{done} of {total} items done, {skipped} skipped, all saved. "
        "The same command goes on from here.",
        "共 {total} 项，已完成 {done} 项，跳过 {skipped} 项，全部已保存。用同一命令可从此处继续。",
    ),
    "ended": _both("All items done. Next:  {commands}", "全部完成。接下来：  {commands}"),
    "ended_skipped": _both(
        "{done} of {total} items done, {skipped} skipped. Next:  {commands}",
        "共 {total} 项，已完成 {done} 项，跳过 {skipped} 项。接下来：  {commands}",
    ),
    # Calibration.
    "known": _both(
        "This answer was for practice. Known scores: {scores}. {reason} Go on with n.",
        "此答案用于练习。标准分数：{scores}。{reason} 按 n 继续。",
    ),
    # Preferences.
    "as_a_whole": _both("as a whole", "总体"),
    "a_much_better": _both("A much better", "A 好得多"),
    "a_much_better_text": _both("A is much better than B.", "A 比 B 好得多。"),
    "a_better": _both("A better", "A 较好"),
    "a_better_text": _both("A is better than B.", "A 比 B 好。"),
    "tie": _both("equal", "相当"),
    "tie_text": _both("Both are equally good.", "两者一样好。"),
    "b_better": _both("B better", "B 较好"),
    "b_better_text": _both("B is better than A.", "B 比 A 好。"),
    "b_much_better": _both("B much better", "B 好得多"),
    "b_much_better_text": _both("B is much better than A.", "B 比 A 好得多。"),
    "both_bad": _both("both bad", "都不好"),
    "both_bad_text": _both("Neither of them would do.", "两者都不可用。"),
    # The page.
    "saved": _both("every key is saved at once", "每次按键都会立即保存"),
    "offline": _both(
        "The server does not answer. Nothing you gave is lost; start it again, then press a key.",
        "服务器没有响应。已给出的内容不会丢失；请重新启动服务器，然后按任意键。",
    ),
    "download": _both("download the scores", "下载评分"),
    "kept_here": _both(
        "Scores are kept in this browser. Download them when you are done, and send the file back.",
        "评分保存在此浏览器中。完成后请下载并发回文件。",
    ),
    "not_kept": _both(
        "This browser keeps nothing: download the scores before you close the page.",
        "此浏览器无法保存：关闭页面前请先下载评分。",
    ),
    "keep": _both("keep", "保存"),
    "cancel": _both("cancel", "取消"),
    "close": _both("close", "关闭"),
    "keys": _both("keys", "按键"),
}


def say(words: Words, language: str) -> str:
    """The wording in a language, else in English, else in whatever there is."""
    return words.get(language) or words.get("en") or next(iter(words.values()), "")


def word(name: str, language: str, /, **values: object) -> str:
    return say(WORDS[name], language).format(**values)


def usual_language(rubric: Rubric) -> str:
    """The language of the locale where the rubric has it, else English, else the rubric's first."""
    named = (os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    wanted = next((value for value in named if value), "")[:2].lower()
    return next((one for one in (wanted, "en") if one in rubric.languages), rubric.languages[0])

"""The built-in tool `empty` in Java: a class that compiles and returns the type's default."""

import re
from typing import Any

from polyassay.candidates.java.imports import declared_types, missing_imports
from polyassay.candidates.java.syntax import DEFAULTS, read_signature, syntax_tree
from polyassay.candidates.java.tokens import (
    Edit,
    edited,
    last_method,
    missing_closers,
    tokens,
    without_package,
)
from polyassay.model import Program, Task


def empty_java(task: Task) -> Program:
    code = _from_context(task) or _from_signature(task) or _from_reference(task)
    package = task.package
    found = tokens(code)
    imported = re.findall(r"(?m)^\s*import\s+([\w.*]+)\s*;", code)
    added = missing_imports(found, imported, declared_types(found), task)
    lines = ([f"package {package};"] if package else []) + [f"import {item};" for item in added]
    return Program("".join(line + "\n" for line in lines) + code)


def _from_context(task: Task) -> str:
    head = without_package(task.context)
    method = last_method(head)
    return _closed(head, read_signature(method).default) if method else ""


def _from_signature(task: Task) -> str:
    signature = read_signature(task.signature)
    if not signature.name:
        return ""
    text, base = signature.text, task.extra.get("extends", "")
    if base:
        text = re.sub(r"\bstatic\s+", "", text)
    extends = f" extends {base}" if base else ""
    head = f"public class {task.simple_class_name}{extends} {{\n  {text} {{\n"
    return _closed(head, signature.default)


def _closed(head: str, default: str) -> str:
    result = f"    return {default};\n" if default else ""
    return head + result + "}" * missing_closers(head) + "\n"


def _from_reference(task: Task) -> str:
    """All classes of the reference with nothing in their methods; a bare class without one."""
    name = task.simple_class_name
    code = empty_source(without_package(task.reference)) if task.reference else ""
    return code or f"public class {name} {{}}\n"


def empty_source(text: str) -> str:
    """A source with nothing in its methods; empty where it has none."""
    source = text.encode("utf-8", "replace")
    edits: list[Edit] = []
    pending: list[Any] = [syntax_tree(source)]
    while pending:
        node = pending.pop()
        edit = _emptied(node)
        if edit is None:
            pending.extend(node.children)
        else:
            edits.append(edit)
    # Edits count bytes, and so does Latin-1.
    code = edited(source.decode("latin-1"), edits).encode("latin-1").decode("utf-8")
    return code if edits else ""


def _emptied(node: Any) -> Edit | None:
    """A method's body gives the default; a field that waits for its value is not final."""
    body = node.child_by_field_name("body")
    if node.type == "method_declaration" and body is not None:
        kind = node.child_by_field_name("type").text.decode()
        result = DEFAULTS.get(kind, "null")
        text = f"{{ return {result}; }}" if result else "{ }"
        return Edit(body.start_byte, body.end_byte, text)
    if node.type == "constructor_declaration" and body is not None:
        calls = [c.text.decode("latin-1") for c in body.children if "explicit" in c.type]
        return Edit(body.start_byte, body.end_byte, f"{{ {' '.join(calls)} }}")
    if node.type == "final" and node.parent.parent.type == "field_declaration":
        value = node.parent.parent.child_by_field_name("declarator").child_by_field_name("value")
        return Edit(node.start_byte, node.end_byte, "final" if value else "")
    return None

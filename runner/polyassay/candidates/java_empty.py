"""The built-in tool `empty` in Java: a class that compiles and returns the type's default."""

import re

from polyassay.candidates.java_imports import declared_types, missing_imports
from polyassay.candidates.java_syntax import read_signature
from polyassay.candidates.java_tokens import last_method, missing_closers, tokens
from polyassay.model import Program, Task


def empty_java(task: Task) -> Program:
    package, _, name = task.class_name.rpartition(".")
    base = task.extra.get("extends", "")
    if task.context:
        head = task.context
        result = read_signature(last_method(head)).default
    else:
        signature = read_signature(task.signature)
        text, result = signature.text, signature.default
        if base:
            text = re.sub(r"\bstatic\s+", "", text)
        extends = f" extends {base}" if base else ""
        head = f"public class {name}{extends} {{\n" + (f"  {text} {{\n" if text else "")
    body = f"    return {result};\n" if result else ""
    code = head + (body if missing_closers(head) > 1 else "") + "}" * missing_closers(head) + "\n"
    found = tokens(code)
    imported = re.findall(r"(?m)^\s*import\s+([\w.*]+)\s*;", head)
    added = missing_imports(found, imported, declared_types(found), task)
    lines = ([f"package {package};"] if package else []) + [f"import {item};" for item in added]
    return Program("".join(line + "\n" for line in lines) + code)

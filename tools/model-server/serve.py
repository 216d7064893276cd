#!/usr/bin/env python3
"""llama.cpp's own HTTP server, on loopback, with any GGUF model.

usage: serve.py MODEL.gguf PORT [--slots N] [--api-key KEY] [--grammar FILE.gbnf]

`GET /health` says 200 when it is ready. A grammar makes the model say what it allows and nothing
else. Needs the extra `model-server`.
"""

import argparse
import threading
from pathlib import Path

import xllamacpp

CONTEXT = 4096  # tokens a slot


def parameters(given: argparse.Namespace) -> xllamacpp.CommonParams:
    found = xllamacpp.CommonParams()
    found.model.path = given.model
    found.hostnames = ["127.0.0.1"]
    found.port = given.port
    found.n_parallel = given.slots
    found.n_ctx = CONTEXT * given.slots
    found.cpuparams.n_threads = 1  # two threads on busy cores are ten times slower
    found.cpuparams_batch.n_threads = 1
    found.warmup = False
    found.n_predict = 256
    found.model_alias = {"tiny-random"}
    if given.api_key:
        found.api_keys = [given.api_key]
    if given.grammar:
        grammar = found.sampling.grammar
        grammar.type = xllamacpp.common_grammar_type.COMMON_GRAMMAR_TYPE_USER
        grammar.grammar = given.grammar.read_text()
        found.sampling.grammar = grammar
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("port", type=int)
    parser.add_argument("--slots", type=int, default=4)
    parser.add_argument("--api-key")
    parser.add_argument("--grammar", type=Path)
    server = xllamacpp.Server(parameters(parser.parse_args()))
    print("listening", server.listening_address, flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()

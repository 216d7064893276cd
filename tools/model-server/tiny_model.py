#!/usr/bin/env python3
"""Writes a model of half a megabyte with random weights, for tests of what talks to a server.

usage: tiny_model.py OUT.gguf [SEED]

It knows bytes, one merge (llama.cpp wants at least one) and three special tokens. The first
dimension of every embedding is a constant, which the output matrix uses as a bias: so the model
says printable ASCII, and now and then that it is done. Needs the extra `model-server`.
"""

import sys
from pathlib import Path

import gguf
import numpy as np

WIDTH, LAYERS, HEADS, CONTEXT = 64, 2, 4, 32768
SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
MERGED = "th"
CHAT = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
NEVER, SELDOM = -8.0, -0.2  # how much a token is wanted


def vocabulary() -> list[str]:
    """GPT-2's printable stand-ins for all bytes, in the bytes' order."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    stand_ins = dict(zip(printable, map(chr, printable), strict=True))
    others = (byte for byte in range(256) if byte not in stand_ins)
    stand_ins |= {byte: chr(256 + number) for number, byte in enumerate(others)}
    return [*(stand_ins[byte] for byte in range(256)), MERGED, *SPECIAL]


def describe(writer: gguf.GGUFWriter, tokens: list[str]) -> None:
    writer.add_name("tiny-random")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(2 * WIDTH)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(len(tokens))
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    normal = len(tokens) - len(SPECIAL)
    kinds = [gguf.TokenType.NORMAL] * normal + [gguf.TokenType.CONTROL] * len(SPECIAL)
    writer.add_token_types(kinds)
    writer.add_token_merges(["t h"])
    writer.add_bos_token_id(len(tokens) - 3)
    writer.add_eos_token_id(len(tokens) - 1)
    writer.add_pad_token_id(len(tokens) - 3)
    writer.add_add_bos_token(False)
    writer.add_chat_template(CHAT)


def add_weights(writer: gguf.GGUFWriter, size: int, seed: int) -> None:
    random = np.random.default_rng(seed)

    def noise(*shape: int, scale: float = 0.1) -> np.ndarray:
        return (random.standard_normal(shape) * scale).astype(np.float32)

    embedding = noise(size, WIDTH, scale=1.0)
    embedding[:, 0] = 6.0
    output = noise(size, WIDTH, scale=0.12)
    output[:, 0] = NEVER
    output[[9, 10, *range(32, 127), 256], 0] = 0.0
    output[size - 1, 0] = SELDOM
    writer.add_tensor("token_embd.weight", embedding)
    writer.add_tensor("output_norm.weight", np.ones(WIDTH, np.float32))
    writer.add_tensor("output.weight", output)
    for layer in range(LAYERS):
        prefix = f"blk.{layer}."
        for name in ("attn_norm", "ffn_norm"):
            writer.add_tensor(f"{prefix}{name}.weight", np.ones(WIDTH, np.float32))
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            writer.add_tensor(f"{prefix}{name}.weight", noise(WIDTH, WIDTH))
        writer.add_tensor(f"{prefix}ffn_gate.weight", noise(2 * WIDTH, WIDTH))
        writer.add_tensor(f"{prefix}ffn_up.weight", noise(2 * WIDTH, WIDTH))
        writer.add_tensor(f"{prefix}ffn_down.weight", noise(WIDTH, 2 * WIDTH))


def write(path: Path, seed: int = 0) -> None:
    writer, tokens = gguf.GGUFWriter(path, "llama"), vocabulary()
    describe(writer, tokens)
    add_weights(writer, len(tokens), seed)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)

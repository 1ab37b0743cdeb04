"""Vectors of e5-small-v2's float32 model, for cmd/internal/lab/eval -vectors.

    python fp32.py <folder with the model's .onnx and -tokenizer.json> <texts.jsonl> <vectors>

texts.jsonl is what eval -list writes: {"kind": "d" or "q", "text"} a line, texts twice
at will. Texts are sorted by length and run in batches of 32; what pads them is masked."""
import hashlib, json, sys
import numpy as np, onnxruntime, tokenizers

folder, texts, out = sys.argv[1:]
PREFIX = {"d": "passage: ", "q": "query: "}
seen = {(x["kind"], x["text"]) for x in map(json.loads, open(texts, encoding="utf-8"))}
todo = sorted(seen, key=lambda x: (len(x[1]), x))
t = tokenizers.Tokenizer.from_file(f"{folder}/e5-small-v2-tokenizer.json")
t.enable_truncation(512)
t.enable_padding()
o = onnxruntime.SessionOptions()
o.intra_op_num_threads = 2
s = onnxruntime.InferenceSession(f"{folder}/e5-small-v2.onnx", o, providers=["CPUExecutionProvider"])
with open(out, "wb") as f:
    for i in range(0, len(todo), 32):
        part = todo[i:i + 32]
        e = t.encode_batch([PREFIX[k] + x for k, x in part])
        ids, mask = np.array([x.ids for x in e]), np.array([x.attention_mask for x in e])
        rows = s.run(None, {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)})[0].astype(np.float64)
        v = (rows * mask[:, :, None]).sum(1)
        v /= np.linalg.norm(v, axis=1, keepdims=True)
        for (k, x), row in zip(part, v):
            f.write(hashlib.sha256(k.encode() + b"\0" + x.encode()).digest()[:16])
            f.write(row.astype("<f4").tobytes())
        print(f"\r{i + len(part)}/{len(todo)}", end="", file=sys.stderr)
print(file=sys.stderr)

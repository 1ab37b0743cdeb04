"""Reference vectors from the float32 models, by ONNX Runtime.

    python reference.py <folder with the models' .onnx and -tokenizer.json files> [--write]

Without --write it computes them anew and compares them with what is kept: texts and
token ids have to be equal, vectors to have a cosine of .99999.

reference.json: what made it, and for each text its kind, the text and its token ids (no
prefix, none cut). reference.bin: for each model, for each text, 384 float16 numbers, the
document's vector. Half precision costs 1e-7 of cosine."""
import hashlib, json, os, sys
import numpy as np, onnxruntime, tokenizers
from texts import texts

MODELS = [("e5-small-v2", "e5-small-v2", "passage: ", 512), ("all-MiniLM-L6-v2", "all-minilm-l6-v2", "", 256)]
HERE = os.path.dirname(os.path.abspath(__file__))


def tokenizer(folder, file):
    t = tokenizers.Tokenizer.from_file(f"{folder}/{file}-tokenizer.json")
    t.no_padding()
    t.no_truncation()
    return t


def vectors(folder, file, prefix, limit, all_texts):
    t = tokenizer(folder, file)
    t.enable_truncation(limit)
    o = onnxruntime.SessionOptions()
    o.intra_op_num_threads = 1
    s = onnxruntime.InferenceSession(f"{folder}/{file}.onnx", o, providers=["CPUExecutionProvider"])
    out = []
    for _, text in all_texts:
        ids = np.array([t.encode(prefix + text).ids])
        rows = s.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)})[0][0]
        v = rows.astype(np.float64).mean(0)
        out.append(v / np.linalg.norm(v))
    return np.array(out)


def main(folder, write):
    all_texts = texts()
    t = tokenizer(folder, MODELS[0][1])
    about = {
        "onnxruntime": onnxruntime.__version__, "tokenizers": tokenizers.__version__,
        "models": [{"name": n, "prefix": p, "limit": l, "sha256": hashlib.sha256(open(f"{folder}/{f}.onnx", "rb").read()).hexdigest()} for n, f, p, l in MODELS],
        "texts": [{"kind": k, "text": x, "ids": t.encode(x, add_special_tokens=False).ids} for k, x in all_texts],
    }
    v = np.stack([vectors(folder, f, p, l, all_texts) for _, f, p, l in MODELS])
    if write:
        with open(f"{HERE}/reference.json", "w") as f:
            json.dump(about, f, ensure_ascii=True, separators=(",", ":"))
            f.write("\n")
        v.astype("<f2").tofile(f"{HERE}/reference.bin")
    kept = json.load(open(f"{HERE}/reference.json"))
    assert kept["texts"] == json.loads(json.dumps(about["texts"])), "texts or token ids differ"
    assert kept["models"] == about["models"], "models differ"
    old = np.fromfile(f"{HERE}/reference.bin", "<f2").astype(np.float64).reshape(v.shape)
    c = (old * v).sum(2) / np.linalg.norm(old, axis=2)
    print(f"{len(all_texts)} texts, ONNX Runtime {onnxruntime.__version__}: least cosine to what is kept {c.min():.7f}")
    assert c.min() > .99999


main(sys.argv[1], "--write" in sys.argv)

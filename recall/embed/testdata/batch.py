"""How fast ONNX Runtime embeds in batch, with int8 weights, as a measure for ours.

    python batch.py <folder with the models' .onnx and -tokenizer.json files> <threads> <rounds> <texts

Reads texts, one a line, sorts them by length so that little is padded, as ours does,
and embeds them in batches of 32 with e5-small-v2 quantized by ONNX Runtime's own
quantize_dynamic (kept beside the model). Prints the median of the rounds, in
milliseconds for all texts, tokenizing included."""
import os, statistics, sys, time
import numpy as np, onnxruntime, tokenizers
from onnxruntime.quantization import QuantType, quantize_dynamic

folder, threads, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
texts = ["passage: " + line.rstrip("\n") for line in sys.stdin]
small = f"{folder}/e5-small-v2.int8.onnx"
if not os.path.exists(small):
    quantize_dynamic(f"{folder}/e5-small-v2.onnx", small + ".tmp", weight_type=QuantType.QInt8)
    os.rename(small + ".tmp", small)
t = tokenizers.Tokenizer.from_file(f"{folder}/e5-small-v2-tokenizer.json")
t.enable_truncation(512)
t.enable_padding()
o = onnxruntime.SessionOptions()
o.intra_op_num_threads = threads
s = onnxruntime.InferenceSession(small, o, providers=["CPUExecutionProvider"])


def all_of_them():
    for i in range(0, len(texts), 32):
        e = t.encode_batch(sorted_texts[i:i + 32])
        ids, mask = np.array([x.ids for x in e]), np.array([x.attention_mask for x in e])
        rows = s.run(None, {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)})[0]
        v = (rows * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
        v / np.linalg.norm(v, axis=1, keepdims=True)


sorted_texts = sorted(texts, key=len)
all_of_them()
took = []
for _ in range(rounds):
    start = time.perf_counter()
    all_of_them()
    took.append(1000 * (time.perf_counter() - start))
print(statistics.median(took))

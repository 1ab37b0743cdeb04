package modeltest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
)

// Lookup is an ONNX model that can be run: it looks the tokens of Vocab up in a table,
// which is returned, too, and does nothing else.
func Lookup(dim int) (model []byte, table [][]float32) {
	r := rand.New(rand.NewPCG(9, 9))
	w := weight{name: "table", rows: len(Vocab), cols: dim}
	for range Vocab {
		row := make([]float32, dim)
		for i := range row {
			row[i] = float32(r.NormFloat64())
		}
		table, w.values = append(table, row), append(w.values, row...)
	}
	const int64s, floats = 7, 1
	node := message(1, slices.Concat(message(1, []byte("table")), message(1, []byte("input_ids")), message(2, []byte("last_hidden_state")),
		message(3, []byte("look")), message(4, []byte("Gather"))))
	graph := slices.Concat(node, message(2, []byte("g")), tensor(w),
		message(11, valueInfo("input_ids", int64s, "b", "s")), message(11, valueInfo("attention_mask", int64s, "b", "s")),
		message(12, valueInfo("last_hidden_state", floats, "b", "s", dim)))
	opset := message(8, slices.Concat(message(1, nil), number(2, 13)))
	return slices.Concat(number(1, 8), opset, message(7, graph)), table
}

// valueInfo is what a graph says of an input or output: dimensions that are names are
// free.
func valueInfo(name string, kind uint64, dims ...any) []byte {
	var shape []byte
	for _, d := range dims {
		dim := message(2, fmt.Append(nil, d))
		if n, ok := d.(int); ok {
			dim = number(1, uint64(n))
		}
		shape = slices.Concat(shape, message(1, dim))
	}
	tensorType := slices.Concat(number(1, kind), message(2, shape))
	return slices.Concat(message(1, []byte(name)), message(2, message(1, tensorType)))
}

// FullTokenizer is a tokenizer.json with all that Hugging Face's libraries want in it.
func FullTokenizer() []byte {
	ids, special := map[string]int{}, []any{}
	for id, token := range Vocab {
		ids[token] = id
		if token[0] == '[' {
			special = append(special, map[string]any{"id": id, "content": token, "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true})
		}
	}
	one := func(token string) any {
		return map[string]any{"SpecialToken": map[string]any{"id": token, "type_id": 0}}
	}
	text := map[string]any{"Sequence": map[string]any{"id": "A", "type_id": 0}}
	known := func(token string) any {
		return map[string]any{"id": token, "ids": []int{ids[token]}, "tokens": []string{token}}
	}
	out, err := json.Marshal(map[string]any{
		"version": "1.0", "added_tokens": special,
		"normalizer":    map[string]any{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": nil, "lowercase": true},
		"pre_tokenizer": map[string]any{"type": "BertPreTokenizer"},
		"post_processor": map[string]any{"type": "TemplateProcessing", "single": []any{one("[CLS]"), text, one("[SEP]")}, "pair": []any{one("[CLS]"), text, one("[SEP]")},
			"special_tokens": map[string]any{"[CLS]": known("[CLS]"), "[SEP]": known("[SEP]")}},
		"decoder": map[string]any{"type": "WordPiece", "prefix": "##", "cleanup": true},
		"model":   map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": ids},
	})
	if err != nil {
		panic(err) // strings and numbers
	}
	return out
}

package convert

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// mostHeader bounds the header of a safetensors file: a thousand tensors need 100 KB.
const mostHeader = 8 << 20

// listed is what the header says of a tensor.
type listed struct {
	name    string
	Type    string `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets []int  `json:"data_offsets"` // begin and end, from the end of the header
}

// ReadSafetensors reads the weights of a safetensors file: those that are vectors or
// matrices of F32, F16 or BF16. Weights of other types, as of a model that is
// quantised already, are an error, and so is a header that the file does not bear
// out: the tensors' bytes lie one after the other and fill it.
func ReadSafetensors(file []byte) (map[string]Tensor, error) {
	tensors, err := readSafetensors(file)
	if err != nil {
		return nil, fmt.Errorf("read safetensors: %w", err)
	}
	return tensors, nil
}

func readSafetensors(file []byte) (map[string]Tensor, error) {
	if len(file) < 8 {
		return nil, fmt.Errorf("a file of %d bytes", len(file))
	}
	n := binary.LittleEndian.Uint64(file)
	if n > mostHeader || n > uint64(len(file)-8) {
		return nil, fmt.Errorf("a header of %d bytes in a file of %d", n, len(file))
	}
	all, err := header(file[8 : 8+n])
	if err != nil {
		return nil, err
	}
	return cut(all, file[8+n:])
}

// header lists the tensors in the order of their bytes.
func header(text []byte) (all []listed, err error) {
	var entries map[string]json.RawMessage
	if err := json.Unmarshal(text, &entries); err != nil {
		return nil, fmt.Errorf("the header: %w", err)
	}
	delete(entries, "__metadata__")
	for name, raw := range entries {
		l := listed{name: name}
		if err := json.Unmarshal(raw, &l); err != nil || len(l.Offsets) != 2 {
			return nil, fmt.Errorf("the header says nothing clear of tensor %q", name)
		}
		all = append(all, l)
	}
	slices.SortFunc(all, func(a, b listed) int {
		return cmp.Or(cmp.Compare(a.Offsets[0], b.Offsets[0]), cmp.Compare(a.Offsets[1], b.Offsets[1]), cmp.Compare(a.name, b.name))
	})
	return all, nil
}

var safetensorKinds = map[string]kind{"F32": float32s, "F16": float16s, "BF16": bfloat16s}

// cut cuts the tensors out of the data.
func cut(all []listed, data []byte) (map[string]Tensor, error) {
	tensors, at := map[string]Tensor{}, 0
	for _, l := range all {
		from, to := l.Offsets[0], l.Offsets[1]
		if from != at || to < from || to > len(data) {
			return nil, fmt.Errorf("tensor %q lies at %d to %d, where %d begins, of %d bytes", l.name, from, to, at, len(data))
		}
		at = to
		k, known := safetensorKinds[l.Type]
		switch {
		case !known && strings.HasSuffix(l.name, ".weight"):
			return nil, fmt.Errorf("tensor %q is of type %.20q; F32, F16 and BF16 can be read", l.name, l.Type)
		case !known || len(l.Shape) < 1 || len(l.Shape) > 2:
			continue // position ids and the like
		}
		t, err := newTensor(l.name, l.Shape, k, data[from:to:to])
		if err != nil {
			return nil, err
		}
		tensors[l.name] = t
	}
	if at != len(data) {
		return nil, fmt.Errorf("%d bytes behind the last tensor", len(data)-at)
	}
	return tensors, nil
}

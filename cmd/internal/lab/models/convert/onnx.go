package convert

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// ReadONNX reads the float weights of an ONNX model. Exporters fold the transposed
// matrix of a linear map into an anonymous constant: it is found by the name of the
// node that multiplies with it, "/encoder/layer.0/output/dense/MatMul", and given the
// name that the model's authors gave it, "encoder.layer.0.output.dense.weight".
func ReadONNX(model []byte) (map[string]Tensor, error) {
	var graph []byte
	if err := fields(model, func(n int, _ uint64, b []byte) error {
		if n == 7 { // ModelProto.graph
			graph = b
		}
		return nil
	}); err != nil {
		return nil, fmt.Errorf("read ONNX model: %w", err)
	}
	g := onnxGraph{tensors: map[string]Tensor{}, names: map[string]string{}}
	if err := fields(graph, g.field); err != nil {
		return nil, fmt.Errorf("read ONNX graph: %w", err)
	}
	for constant, name := range g.names {
		if t, ok := g.tensors[constant]; ok {
			g.tensors[name] = Tensor{Rows: t.Cols, Cols: t.Rows, raw: t.raw, turned: true}
		}
	}
	return g.tensors, nil
}

type onnxGraph struct {
	tensors map[string]Tensor
	names   map[string]string // of the constants that MatMul nodes multiply with
}

func (g *onnxGraph) field(n int, _ uint64, b []byte) error {
	switch n {
	case 1: // GraphProto.node
		return g.node(b)
	case 5: // GraphProto.initializer
		return g.tensor(b)
	}
	return nil
}

func (g *onnxGraph) node(b []byte) error {
	var inputs []string
	var name, op string
	err := fields(b, func(n int, _ uint64, b []byte) error {
		switch n {
		case 1:
			inputs = append(inputs, string(b))
		case 3:
			name = string(b)
		case 4:
			op = string(b)
		}
		return nil
	})
	if path, ok := strings.CutSuffix(name, "/MatMul"); ok && op == "MatMul" && len(inputs) == 2 {
		g.names[inputs[1]] = strings.ReplaceAll(strings.Trim(path, "/"), "/", ".") + ".weight"
	}
	return err
}

func (g *onnxGraph) tensor(b []byte) error {
	var dims []int
	var dataType uint64
	var name string
	var raw []byte
	err := fields(b, func(n int, v uint64, b []byte) error {
		switch n {
		case 1:
			dims = append(dims, int(v))
		case 2:
			dataType = v
		case 8:
			name = string(b)
		case 4, 9: // float_data, packed, and raw_data: the same bytes
			raw = b
		}
		return nil
	})
	const float32s = 1 // of TensorProto.DataType
	if err != nil || dataType != float32s || len(dims) < 1 || len(dims) > 2 {
		return err // position ids and the like are integers
	}
	g.tensors[name], err = newTensor(name, dims, raw)
	return err
}

var errWire = errors.New("broken protocol buffer")

// fields calls f for each field of a protocol buffer message: its number, and its
// value as a number or as bytes.
func fields(b []byte, f func(number int, v uint64, bytes []byte) error) error {
	for len(b) > 0 {
		key, n := binary.Uvarint(b)
		if n <= 0 {
			return errWire
		}
		b = b[n:]
		v, bytes, n := value(b, int(key&7))
		if n < 0 {
			return errWire
		}
		b = b[n:]
		if err := f(int(key>>3), v, bytes); err != nil {
			return err
		}
	}
	return nil
}

// value takes one value of a wire type off b; n is the length that it had, -1 if
// there is none.
func value(b []byte, wire int) (v uint64, bytes []byte, n int) {
	switch wire {
	case 0:
		if v, n = binary.Uvarint(b); n > 0 {
			return v, nil, n
		}
	case 1:
		if len(b) >= 8 {
			return binary.LittleEndian.Uint64(b), nil, 8
		}
	case 2:
		if v, n = binary.Uvarint(b); n > 0 && v <= uint64(len(b)-n) {
			return 0, b[n : n+int(v)], n + int(v)
		}
	case 5:
		if len(b) >= 4 {
			return uint64(binary.LittleEndian.Uint32(b)), nil, 4
		}
	}
	return 0, nil, -1
}

package modeltest

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// message is the wire form of a field of bytes.
func message(field int, b []byte) []byte {
	out := binary.AppendUvarint(nil, uint64(field<<3|2))
	return append(binary.AppendUvarint(out, uint64(len(b))), b...)
}

func number(field int, v uint64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(nil, uint64(field<<3)), v)
}

// ONNX is the model as exporters write it, with anonymous transposed matrices.
func (m Tiny) ONNX() []byte {
	var graph []byte
	for i, w := range m.weights() {
		path, isMap := strings.CutSuffix(w.name, ".weight")
		if !isMap || w.rows == 0 || strings.HasPrefix(w.name, "embeddings.") {
			graph = append(graph, tensor(w)...)
			continue
		}
		constant := fmt.Sprintf("onnx::MatMul_%d", i)
		graph = append(graph, multiply(nodePath(path), constant)...)
		graph = append(graph, tensor(turned(w, constant))...)
	}
	return message(7, graph)
}

// nodePath is how exporters call a module: "/encoder/layer.0/output/dense".
func nodePath(name string) string {
	path := "/" + strings.ReplaceAll(name, ".", "/")
	return strings.Replace(path, "/layer/", "/layer.", 1)
}

// turned is a matrix by columns, under another name.
func turned(w weight, name string) weight {
	out := weight{name: name, rows: w.cols, cols: w.rows, values: make([]float32, len(w.values))}
	for r := range w.rows {
		for c := range w.cols {
			out.values[c*w.rows+r] = w.values[r*w.cols+c]
		}
	}
	return out
}

// tensor is an initializer of a graph.
func tensor(w weight) []byte {
	var b []byte
	if w.rows > 0 {
		b = number(1, uint64(w.rows))
	}
	b = slices.Concat(b, number(1, uint64(w.cols)), number(2, 1), message(8, []byte(w.name)), message(9, floats(w.values)))
	return message(5, b)
}

// multiply is a node that multiplies with a constant.
func multiply(path, constant string) []byte {
	b := slices.Concat(message(1, []byte("x")), message(1, []byte(constant)), message(3, []byte(path+"/MatMul")), message(4, []byte("MatMul")))
	return message(1, b)
}

package stores

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"path/filepath"
	"slices"

	"github.com/git-sage/git-sage/internal/plainfile"
	"github.com/git-sage/git-sage/recall/embed"
)

// mostAsked is of how many questions that nobody types the vectors are kept: of the names
// of the project, which every session starts with, and of what its subagents are told of.
const mostAsked = 4

// mostKept bounds what is read of a file that keeps something, in bytes.
const mostKept = 4 << 20

// A knownQuestion is the vector of a question that is asked again and again: to embed it takes
// half of the start of a session (10 of 20 ms). The question itself is not kept.
type knownQuestion struct {
	Of     []byte `json:"of"`     // SHA-256 of the model's name, NUL and the question
	Vector []byte `json:"vector"` // float32, little-endian
	Sum    []byte `json:"sum"`    // SHA-256 of both
}

func (k knownQuestion) sum() []byte {
	sum := sha256.Sum256(slices.Concat(k.Of, k.Vector))
	return sum[:]
}

// VectorAgain is Vector for a question that is asked again and again.
func (l Sources) VectorAgain(ctx context.Context, query string) ([]float32, error) {
	if len(l) == 0 || l[0].Model == nil {
		return nil, nil
	}
	model, file := l[0].Model.Model(), filepath.Join(l[0].Store.Knowledge.SidecarDir(), "asked.json")
	list, of := readAsked(file), sha256.Sum256([]byte(model.Name+"\x00"+query))
	if v := vectorOf(list, of[:], model); v != nil {
		return v, nil
	}
	v, err := l.Vector(ctx, query)
	if err != nil {
		return nil, err
	}
	b, err := binary.Append(nil, binary.LittleEndian, v)
	if err == nil {
		k := knownQuestion{Of: of[:], Vector: b}
		k.Sum = k.sum()
		list = append([]knownQuestion{k}, list[:min(len(list), mostAsked-1)]...)
		writeAsked(file, list)
	}
	return v, nil
}

func vectorOf(list []knownQuestion, of []byte, model embed.Model) []float32 {
	i := slices.IndexFunc(list, func(k knownQuestion) bool {
		return bytes.Equal(k.Of, of) && bytes.Equal(k.Sum, k.sum()) && len(k.Vector) == 4*model.Dim
	})
	if i < 0 {
		return nil
	}
	v := make([]float32, model.Dim)
	if _, err := binary.Decode(list[i].Vector, binary.LittleEndian, v); err != nil {
		return nil
	}
	return v
}

// readAsked is what writeAsked wrote; nothing if that is damaged.
func readAsked(file string) (list []knownQuestion) {
	b, err := plainfile.Read(file, mostKept)
	if err != nil || json.Unmarshal(b, &list) != nil {
		return nil
	}
	return list
}

// writeAsked keeps a list, or does not: then the next one asks the model again.
func writeAsked(file string, list []knownQuestion) {
	if b, err := json.Marshal(list); err == nil {
		_ = plainfile.Write(file, b)
	}
}

// Vector is that of a query, nil without a model.
func (l Sources) Vector(ctx context.Context, query string) ([]float32, error) {
	if len(l) == 0 || l[0].Model == nil {
		return nil, nil
	}
	v, err := l[0].Model.Queries(ctx, []string{query})
	if err != nil {
		return nil, err
	}
	return v[0], nil
}

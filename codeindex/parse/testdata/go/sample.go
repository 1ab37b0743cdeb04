// Package sample is read by a test.
package sample

import (
	"fmt"
	str "strings"
)

// Limit bounds a set.
const Limit = 10

const (
	// First is the first.
	First = iota
	second
)

var cache, _ = fmt.Println()

// A Set holds values.
type Set[T comparable] struct {
	values map[T]bool
}

type (
	// A Reader reads.
	Reader interface {
		Read(p []byte) (int, error)
	}
	Alias = Set[string]
)

// Add adds a value.
// It says whether it was new.
func (s *Set[T]) Add(v T) bool {
	if s.values == nil {
		s.values = make(map[T]bool)
	}
	keep(s.values, v)
	return func() bool { return s.has(v) }()
}

func (s Set[T]) has(v T) bool { return s.values[v] }

func keep[T comparable](
	m map[T]bool,
	v T,
) {
	m[v] = true
	str.ToUpper("x")
}

func TestSet(t *T) {}

func main() { keep[int](nil, 1) }

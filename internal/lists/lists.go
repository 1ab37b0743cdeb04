// Package lists makes lists of others, whose order tells what matters more.
package lists

import (
	"maps"
	"slices"
)

// Union is a and what of b is not in it.
func Union[T comparable](a, b []T) []T {
	out := slices.Clone(a)
	for _, v := range b {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// Map makes a list of what f makes of each; of none it is empty, and not nil.
func Map[A, B any](list []A, f func(A) B) []B {
	out := make([]B, len(list))
	for i, v := range list {
		out[i] = f(v)
	}
	return out
}

// Sorted are the keys of a map, in order.
func Sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// SortedUnion is what is in a or in b, sorted and each once. Where b adds nothing it is a.
func SortedUnion(a, b []string) []string {
	if len(b) == 0 || slices.Equal(a, b) {
		return a
	}
	out := append(slices.Clone(a), b...)
	slices.Sort(out)
	return slices.Compact(out)
}

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

// PutFirst is a list with what is wanted before the rest, each in its order.
func PutFirst[T any](list []T, wanted func(T) bool) []T {
	var first, rest []T
	for _, x := range list {
		if wanted(x) {
			first = append(first, x)
		} else {
			rest = append(rest, x)
		}
	}
	return append(first, rest...)
}

// Behind is a list in its order, but for what comes right behind others: of says behind which, by
// their places. In a circle the one that comes first stays first.
func Behind[T any](list []T, of func(i int) []int) []T {
	placed, out := make([]bool, len(list)), make([]T, 0, len(list))
	var place func(i int)
	place = func(i int) {
		if placed[i] {
			return
		}
		placed[i] = true
		for _, before := range of(i) {
			place(before)
		}
		out = append(out, list[i])
	}
	for i := range list {
		place(i)
	}
	return out
}

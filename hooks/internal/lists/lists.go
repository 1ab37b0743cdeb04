// Package lists joins lists whose order tells what matters more.
package lists

import "slices"

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

package sagetest

import "github.com/google/go-cmp/cmp"

// Parsed fails unless a text can be read.
func Parsed[T any](t Fataler, parse func([]byte) (T, error), text string) T {
	t.Helper()
	it, err := parse([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return it
}

type Fataler interface {
	Helper()
	Fatalf(string, ...any)
}

// CheckCanonical fails unless b is what we print for what it says.
func CheckCanonical[T any](t Fataler, b []byte, parse func([]byte) (T, error), print func(T) []byte) {
	t.Helper()
	c, err := parse(b)
	if err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	if d := cmp.Diff(string(b), string(print(c))); d != "" {
		t.Fatalf("not canonical: %s\n%s", d, b)
	}
}

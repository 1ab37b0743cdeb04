package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A guard is one safeguard.
type guard struct {
	name, what  string
	check, says string
	swaps       []swap
}

// A swap is one replacement.
type swap struct{ file, old, without string }

func readGuard(path string) (g guard, err error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return g, err
	}
	g.name = strings.TrimSuffix(filepath.Base(path), ".txt")
	lines := strings.SplitAfter(string(b), "\n")
	what, _, _ := strings.Cut(string(b), "\n\n")
	g.what = strings.ReplaceAll(what, "\n", " ")
	var file string
	for i := 0; i < len(lines); i++ {
		key, value, _ := strings.Cut(strings.TrimSuffix(lines[i], "\n"), ": ")
		switch key {
		case "file":
			file = value
		case "check":
			g.check = value
		case "says":
			g.says = value
		case "<<<<":
			var s swap
			if s, i, err = readSwap(file, lines, i+1); err != nil {
				return g, fmt.Errorf("%s: %w", g.name, err)
			}
			g.swaps = append(g.swaps, s)
		}
	}
	if g.check == "" || g.says == "" || len(g.swaps) == 0 {
		return g, fmt.Errorf("%s: it needs 'file', 'check', 'says' and a replacement", g.name)
	}
	return g, nil
}

func readSwap(file string, lines []string, i int) (s swap, end int, err error) {
	s.file = file
	to := &s.old
	for ; i < len(lines); i++ {
		switch lines[i] {
		case "====\n":
			to = &s.without
		case ">>>>\n":
			return s, i, nil
		default:
			*to += lines[i]
		}
	}
	return s, i, errors.New("'>>>>' is missing")
}

// takeOut makes the replacements in the source at root; back undoes them.
func (g guard) takeOut(root string) (back func() error, err error) {
	was := map[string][]byte{}
	back = func() error {
		var errs []error
		for file, b := range was {
			errs = append(errs, os.WriteFile(file, b, 0o644))
		}
		return errors.Join(errs...)
	}
	for _, s := range g.swaps {
		file := filepath.Join(root, filepath.FromSlash(s.file))
		b, err := os.ReadFile(file)
		if err != nil {
			return back, err
		}
		if was[file] == nil {
			was[file] = b
		}
		if n := strings.Count(string(b), s.old); n != 1 {
			return back, fmt.Errorf("the old lines are in %s %d times and not once: somebody moved the safeguard", s.file, n)
		}
		if err := os.WriteFile(file, []byte(strings.Replace(string(b), s.old, s.without, 1)), 0o644); err != nil {
			return back, err
		}
	}
	return back, nil
}

//go:build linux

package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ours are the paths of a repository that git-sage writes. Objects are git's own
// to judge: its fsck reads them all, and the user's have to be among them.
var ours = []string{
	".git/objects", ".git/sage", ".git/refs/sage", ".git/refs/notes/sage",
	".git/logs/refs/sage", ".git/logs/refs/notes/sage", ".sage",
}

// state digests every file of the user's: work tree, index, config, hooks, refs,
// reflogs, stash.
func (r *repo) state() (map[string]string, error) {
	out := map[string]string{}
	err := filepath.WalkDir(r.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(r.dir, path)
		if slices.Contains(ours, rel) {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		st, err := d.Info()
		if rel == ".git/packed-refs" {
			b = others(b)
		}
		out[rel] = fmt.Sprintf("%v %x", st.Mode(), sha256.Sum256(b))
		return err
	})
	return out, err
}

// others are the lines of packed-refs that are not about ours.
func others(packed []byte) []byte {
	var out bytes.Buffer
	for l := range bytes.Lines(packed) {
		if !bytes.Contains(l, []byte(" refs/sage/")) && l[0] != '#' {
			out.Write(l)
		}
	}
	return out.Bytes()
}

// changed names the user's things that are not as they were.
func changed(was, is map[string]string) []string {
	var out []string
	for name, v := range was {
		if is[name] != v {
			out = append(out, name)
		}
	}
	for name := range is {
		if _, ok := was[name]; !ok {
			out = append(out, name+" (new)")
		}
	}
	return slices.Sorted(maps.Keys(set(out)))
}

func set(names []string) map[string]bool {
	m := map[string]bool{}
	for _, n := range names {
		m[n] = true
	}
	return m
}

// locks are the lock files of git's in the repository, which are held by being
// there. Ours in sage/ are held by a process and may lie there for ever.
func (r *repo) locks() (out []string) {
	_ = filepath.WalkDir(r.path(".git"), func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(r.dir, path)
		if err == nil && strings.HasSuffix(path, ".lock") && !strings.HasPrefix(rel, ".git/sage/") {
			out = append(out, rel)
		}
		return nil
	})
	return out
}

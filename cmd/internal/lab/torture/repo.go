//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
)

// A repo is a user's repository with a memory in it, and what was acknowledged
// there.
type repo struct {
	b     *bench
	dir   string
	env   []string
	acked map[string]string // id to what its checkpoint must hold
	read  map[string]string // id to the text that was read
	mine  map[string]string // the user's own things: name to digest
	saves int
}

// save records a checkpoint with the program as it is, and notes that it was
// acknowledged.
func (r *repo) save(args ...string) (string, error) {
	return r.saveThat(r.thesis(), args...)
}

func (r *repo) saveThat(thesis string, args ...string) (string, error) {
	o, err := r.b.exec(r.dir, "", r.env, r.saving(thesis, args...)...)
	if err != nil {
		return "", err
	}
	ids := acknowledged(o.out)
	if len(ids) != 1 || o.code != 0 {
		return "", fmt.Errorf("save: exit status %d: %s", o.code, strings.TrimSpace(o.errs))
	}
	r.acked[ids[0]] = thesis
	return ids[0], nil
}

// thesis is a text that no other checkpoint has.
func (r *repo) thesis() string {
	r.saves++
	return fmt.Sprintf("Thought %d holds %s.", r.saves, strings.Repeat("w", r.saves%7))
}

func (r *repo) saving(thesis string, args ...string) []string {
	return append([]string{r.b.bin, "checkpoint", "save", "--json", "--core-question", "What holds?", "-c", "0.5", "-m", thesis}, args...)
}

// acknowledged are the ids in whole lines of JSON.
func acknowledged(out string) (ids []string) {
	for l := range strings.Lines(out) {
		var saved struct{ ID string }
		if strings.HasSuffix(l, "\n") && json.Unmarshal([]byte(l), &saved) == nil && saved.ID != "" {
			ids = append(ids, saved.ID)
		}
	}
	return ids
}

// template makes a repository as a user has one: history packed and loose, a
// dirty work tree, something staged, a stash, a tag, a note, a hook, an object
// that nothing refers to.
func (b *bench) template(dir string) (*repo, error) {
	r := &repo{b: b, dir: dir, acked: map[string]string{}, read: map[string]string{}}
	script := `set -e
git init -q "$1"; cd "$1"
echo one >a; git add a; git commit -q -m one; git tag v1; git branch side; git notes add -m note
git gc -q
echo two >b; git add b; git commit -q -m two
echo stashed >a; git stash -q
echo staged >c; git add c; echo dirty >b
printf '#!/bin/sh\nexit 1\n' >.git/hooks/reference-transaction; chmod +x .git/hooks/reference-transaction
echo mine | git hash-object -w --stdin >.git/dangling
`
	if _, err := b.must(b.dir, script, "sh", "-s", dir); err != nil {
		return nil, err
	}
	if _, err := b.sage(dir, "init"); err != nil {
		return nil, err
	}
	for range 3 {
		if _, err := r.save(); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// copy makes a repository of its own, at dir.
func (r *repo) copy(dir string) (*repo, error) {
	return r.at(dir), copyTree(r.dir, dir)
}

// at is the same repository at another place.
func (r *repo) at(dir string) *repo {
	c := *r
	c.dir, c.acked, c.read = dir, maps.Clone(r.acked), maps.Clone(r.read)
	return &c
}

// begin prepares a repository for an act, and remembers what is in it.
func (r *repo) begin(setup func(*repo) error) (err error) {
	if setup != nil {
		if err := setup(r); err != nil {
			return err
		}
	}
	if r.read, err = r.texts(); err == nil {
		r.mine, err = r.state()
	}
	return err
}

func (r *repo) drop() { _ = os.RemoveAll(r.dir) }

func (r *repo) path(name ...string) string {
	return filepath.Join(append([]string{r.dir}, name...)...)
}

//go:build linux

package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A verdict is what the oracle found. Lost are acknowledged checkpoints that are
// not there any more, which is the worst; wrong is all else that must not be.
type verdict struct {
	lost  []string
	wrong []string
}

func (v *verdict) ok() bool { return len(v.lost)+len(v.wrong) == 0 }

func (v *verdict) fault(format string, args ...any) {
	v.wrong = append(v.wrong, fmt.Sprintf(format, args...))
}

func (v *verdict) String() string {
	s := strings.Join(v.wrong, "; ")
	if len(v.lost) > 0 {
		s = fmt.Sprintf("LOST %s; %s", strings.Join(v.lost, " "), s)
	}
	return strings.TrimSuffix(s, "; ")
}

// judge asks whether all is as it has to be after a fault. It goes on in the
// repository as a user would: the first thing is another save.
func (r *repo) judge() *verdict {
	v := &verdict{}
	r.acknowledgedAreThere(v)
	if _, err := r.save(); err != nil {
		v.fault("the next save: %v", err)
	}
	r.acknowledgedAreThere(v)
	if locks := r.locks(); len(locks) > 0 {
		v.fault("locks are left: %s", strings.Join(locks, " "))
	}
	r.sound(v)
	r.untouched(v)
	return v
}

// acknowledgedAreThere reads every acknowledged checkpoint with plain git, and
// makes sure that it is as it was when it was first read and that one of our refs
// leads to it.
func (r *repo) acknowledgedAreThere(v *verdict) {
	texts, err := r.texts()
	if err != nil {
		v.fault("%v", err)
	}
	reach, err := r.b.git(r.dir, "rev-list", "--glob=refs/sage/heads", "--glob=refs/sage/forks")
	if err != nil {
		v.fault("%v", err)
	}
	for id, thesis := range r.acked {
		if r.read[id] == "" {
			r.read[id] = texts[id]
		}
		if texts[id] != r.read[id] || !strings.Contains(texts[id], thesis) || !strings.Contains(reach, id) {
			v.lost = append(v.lost, id)
		}
	}
}

// texts are the files of all acknowledged checkpoints that git can read.
func (r *repo) texts() (map[string]string, error) {
	ids := slices.Sorted(maps.Keys(r.acked))
	var ask strings.Builder
	for _, id := range ids {
		fmt.Fprintf(&ask, "%s:checkpoint.md\n", id)
	}
	o, err := r.b.exec(r.dir, ask.String(), nil, "git", "cat-file", "--batch")
	out, rest := map[string]string{}, o.out
	for _, id := range ids {
		var head string
		head, rest, _ = strings.Cut(rest, "\n")
		f := strings.Fields(head)
		if len(f) != 3 {
			continue // "<name> missing"
		}
		n, _ := strconv.Atoi(f[2])
		if n >= len(rest) {
			break
		}
		out[id], rest = rest[:n], rest[n+1:]
	}
	return out, err
}

// sound asks git's fsck, for which dangling objects are no fault, and ours.
func (r *repo) sound(v *verdict) {
	o, err := r.b.exec(r.dir, "", nil, "git", "fsck", "--full", "--no-dangling", "--no-progress")
	if err != nil || o.code != 0 || strings.TrimSpace(o.out+notices(o.errs)) != "" {
		v.fault("git fsck: %d %s", o.code, strings.TrimSpace(o.out+o.errs))
	}
	o, err = r.b.exec(r.dir, "", r.env, r.b.bin, "fsck")
	if err != nil || o.code != 0 {
		v.fault("git sage fsck: %d %s", o.code, strings.TrimSpace(o.out+o.errs))
	}
}

// notices leaves out what git remarks and does not complain of.
func notices(errs string) string {
	var out strings.Builder
	for l := range strings.Lines(errs) {
		if !strings.HasPrefix(l, "notice:") {
			out.WriteString(l)
		}
	}
	return out.String()
}

// untouched compares the user's own things, among them an object that nothing
// refers to.
func (r *repo) untouched(v *verdict) {
	now, err := r.state()
	if err != nil {
		v.fault("%v", err)
	}
	if c := changed(r.mine, now); len(c) > 0 {
		v.fault("the user's own changed: %s", strings.Join(c, " "))
	}
	if err := r.sh("git cat-file -e $(cat .git/dangling)"); err != nil {
		v.fault("the user's dangling object is gone")
	}
}

// fair looks at what a command said that did not succeed: one line that a person
// can act upon, and never the inside of the program.
func fair(o outcome, v *verdict) {
	if strings.Contains(o.errs, "goroutine ") || strings.Contains(o.errs, "panic:") {
		v.fault("it crashed: %s", o.errs)
	}
	said := 0
	for l := range strings.Lines(o.errs) {
		said += one(strings.HasPrefix(l, "fatal: ") || strings.HasPrefix(l, "error: "))
	}
	if o.code > 1 && said != 1 { // 1 is an answer, such as that there is something to repair
		v.fault("not one clear line: %q", o.errs)
	}
}

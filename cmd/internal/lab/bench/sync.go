package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// What two clones share, what each of them adds, and what a new clone takes in, in
// checkpoints; of the latter as many items, each in a commit of its own.
const sharedCommits, addedCommits, fetchedCommits = 100, 1000, 10_000

// What a merge of addedCommits with as many may take, and the megabytes that it may hold.
const (
	mostMerge       = 3 * time.Second
	mostMergeMemory = 100
)

// sync times what is done with what was fetched.
func (w *world) sync(n int) (rows []row, err error) {
	for _, part := range []func(int) ([]row, error){w.exchanges, w.joins, w.takes} {
		more, err := part(min(n, 11))
		if rows = append(rows, more...); err != nil || w.err != nil {
			return rows, err
		}
	}
	return rows, w.err
}

// memory makes a repository with fetchedCommits checkpoints and as many items, on refs below prefix.
func (w *world) memory(name, prefix string) (dir string, err error) {
	if dir, err = w.repository(name, 0, 0); err != nil {
		return "", err
	}
	m, err := w.cast(dir)
	if err != nil {
		return "", err
	}
	return dir, w.importing(dir, func(to io.Writer) {
		from := m.tip
		for i := range fetchedCommits {
			m.copy(to, prefix+"heads/main", from, i+1)
			from = ""
		}
		feedCommits(to, prefix+"knowledge", fetchedCommits)
	})
}

// exchanges times a sync with a bare repository that has fetchedCommits checkpoints and as many
// items: of nothing, of one new checkpoint, and of all, beside what plain git takes for the same.
func (w *world) exchanges(n int) ([]row, error) {
	dir, err := w.memory("exchanges", "refs/sage/")
	if err != nil {
		return nil, err
	}
	hub := dir + "-hub.git"
	if _, err := w.git(w.dir, "", "init", "-q", "--bare", hub); err != nil {
		return nil, err
	}
	if _, err := w.git(dir, "", "remote", "add", "origin", hub); err != nil {
		return nil, err
	}
	w.time(w.sage("share", "--yes").in(dir))
	fetch := unit{"git fetch", func(int) time.Duration {
		return w.time(command{dir: dir, argv: [][]string{{"git", "fetch", "-q", "--no-tags", "--refmap=", "origin", "+refs/sage/heads/main:refs/sage/remotes/origin/heads/main"}}})
	}}
	rows := []row{w.within("sync of nothing, "+thousands(fetchedCommits)+" checkpoints and items", n, func(int) command { return w.sage("sync").in(dir) }, goal{{1.5, fetch}})}
	save := func(i int) {
		w.time(w.sage("save", "-q", "-m", fmt.Sprintf("thought %d", i), "-c", "0.5").in(dir))
	}
	push := unit{"git push", func(i int) time.Duration {
		save(2*i + 1)
		took := w.time(command{dir: dir, argv: [][]string{{"git", "push", "-q", "origin", "refs/sage/heads/main"}}})
		w.time(w.sage("sync", "-q").in(dir))
		return took
	}}
	rows = append(rows, w.measured("sync of one new checkpoint at "+thousands(fetchedCommits), n, func(i int) time.Duration {
		save(2 * i)
		return w.time(w.sage("sync", "-q").in(dir))
	}, goal{{1.5, push}}))

	fresh := func(i int) string {
		there := fmt.Sprintf("%s-fresh-%d", dir, i)
		_, err := w.git(w.dir, "", "init", "-q", there)
		w.failed(err)
		_, err = w.git(there, "", "remote", "add", "origin", hub)
		w.failed(err)
		return there
	}
	mirror := unit{"git clone --mirror", func(i int) time.Duration {
		there := fmt.Sprintf("%s-mirror-%d", dir, i)
		defer os.RemoveAll(there)
		return w.time(command{dir: w.dir, argv: [][]string{{"git", "clone", "-q", "--mirror", "--no-local", hub, there}}})
	}}
	rows = append(rows, w.measured("first sync of "+thousands(fetchedCommits)+" checkpoints and items", n, func(i int) time.Duration {
		there := fresh(i)
		defer os.RemoveAll(there)
		return w.time(w.sage("sync", "-q").in(there))
	}, goal{{2, mirror}}))
	return rows, w.err
}

// joins times the merge of a line that two clones continued.
func (w *world) joins(n int) ([]row, error) {
	dir, err := w.repository("joins", 0, 0)
	if err != nil {
		return nil, err
	}
	if err := long(w, dir, sharedCommits); err != nil {
		return nil, err
	}
	m, err := w.cast(dir)
	if err != nil {
		return nil, err
	}
	refs := []string{"refs/sage/remotes/origin/heads/main", "refs/sage/heads/main"}
	err = w.importing(dir, func(to io.Writer) {
		for i, ref := range refs {
			from := m.tip
			for k := range addedCommits - 1 {
				m.copy(to, ref, from, (i+1)*fetchedCommits+k)
				from = ""
			}
			m.copy(to, ref, "", addedCommits) // on which both agree: else the command ends with 1
		}
	})
	if err != nil {
		return nil, err
	}
	return w.fetched(fmt.Sprintf("merge --fetched, %s checkpoints with %[1]s", thousands(addedCommits)), dir, n, w.time, goal{{mostMerge.Seconds() * 1000, whole(time.Millisecond)}})
}

// takes times what a clone does that has nothing yet: all that is fetched is judged before it
// is taken in. The unit is R, git rev-list --objects of the same; of both the time of the
// processors counts.
func (w *world) takes(n int) ([]row, error) {
	dir, err := w.memory("takes", "refs/sage/remotes/origin/")
	if err != nil {
		return nil, err
	}
	if _, err := w.git(dir, "", "update-ref", "-d", "refs/sage/heads/main"); err != nil {
		return nil, err
	}
	r := unit{"R", func(int) time.Duration {
		return w.spent(command{dir: dir, argv: [][]string{{"git", "rev-list", "--objects", "--glob=refs/sage/remotes"}}})
	}}
	return w.fetched(fmt.Sprintf("processor time of merge --fetched into nothing, %s checkpoints and items", thousands(fetchedCommits)), dir, n, w.spent, goal{{1, r}})
}

// feedCommits writes n items, each in a commit.
func feedCommits(to io.Writer, ref string, n int) {
	for i := range n {
		id := fmt.Sprintf("item-%06d", i)
		message := fmt.Sprintf("add knowledge %s\n\nSage-Format: 1\nSage-Kind: knowledge\n", id)
		text := fmt.Sprintf("---\nid: %s\ntype: knowledge\nkeywords: [cache, trace-%d]\nadded: 2026-01-01T00:00:00Z\n---\n\nThe refresh call of trace %d takes %d ms.\n", id, i, i, i%97)
		fmt.Fprintf(to, "commit %s\ncommitter Bench <bench@example.com> %d +0000\ndata %d\n%sM 100644 inline %s\ndata %d\n%s\n", ref, 1790000000+i, len(message), message, itemFile(id), len(text), text)
	}
}

// fetched times the merge of what was fetched, in a repository that is again as it was before
// each turn, and says how much memory that held.
func (w *world) fetched(act, dir string, n int, took func(command) time.Duration, g goal) ([]row, error) {
	refs, err := w.git(dir, "", "for-each-ref", "--format=update %(refname) %(objectname)", "refs/sage")
	if err != nil {
		return nil, err
	}
	reset := func() {
		made, err := w.git(dir, "", "for-each-ref", "--format=delete %(refname)", "refs/sage")
		w.failed(err)
		_, err = w.git(dir, made+"\n", "update-ref", "--stdin")
		w.failed(err)
		_, err = w.git(dir, refs+"\n", "update-ref", "--stdin")
		w.failed(err)
		w.failed(os.RemoveAll(filepath.Join(dir, ".git", "sage")))
	}
	merged := w.measured(act, n, func(int) time.Duration {
		reset()
		return took(w.sage("merge", "--fetched").in(dir))
	}, g)
	reset()
	_, held := w.deed(dir, deed{args: just("merge", "--fetched")}, 0)
	return []row{merged, megabytes("memory of "+strings.TrimPrefix(act, "processor time of "), mostMergeMemory, held.own)}, w.err
}

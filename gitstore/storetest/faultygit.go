package storetest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A How says what becomes of a call of git.
type How string

// What a [FaultyGit] can do instead of, or behind, what git does.
const (
	Fail   How = "fail"   // says "fatal: injected" and ends with 128; git is not run
	Die    How = "die"    // is killed before git runs
	Behind How = "behind" // runs git, then ends with 128 without a word
	Killed How = "killed" // runs git, then is killed
	Hang   How = "hang"   // never ends by itself
	Mute   How = "mute"   // ends well, having done and said nothing
	Old    How = "old"    // runs git, and knows no option that came after 2.31
)

// A FaultyGit stands in git's place on PATH. It counts the calls and lets the
// real git do them, but for the one that is to go wrong.
type FaultyGit struct {
	t   testing.TB
	dir string
}

// script counts by files that it makes without clobbering, which no two calls do at
// once, and without a process for each: a test makes some hundred calls. What is to go
// wrong stands in the file plan: a call's number or "-", a subcommand or "-", how.
const script = `#!/bin/sh
sub=
skip=
for a; do
	case $skip$a in
	-c|-C) skip=x;;
	-*) ;;
	x*) skip=;;
	*) sub=$a; break;;
	esac
done
n=1
set -C
until echo "$sub" >'%[1]s/'$n; do n=$((n+1)); done 2>/dev/null
set +C
how=
while read -r call what mode; do
	case $call in -|$n) ;; *) continue;; esac
	case $what in -|"$sub") how=$mode;; esac
done <'%[1]s/plan'
case $how in
'') exec '%[2]s' "$@";;
fail) echo 'fatal: injected' >&2; exit 128;;
die) kill -9 $$;;
behind) '%[2]s' "$@"; exit 128;;
killed) '%[2]s' "$@"; kill -9 $$;;
hang) exec sleep 1000;;
mute) cat >/dev/null </dev/null; exit 0;;
old) case " $* " in *' --batch-command '*) echo 'error: unknown option' >&2; exit 129;; esac; exec '%[2]s' "$@";;
esac
`

// FaultyGit puts a git on PATH, for the rest of the test, that does what the
// real one does until it is told otherwise. The world's own Git goes on to run
// the real one.
func (w *World) FaultyGit() *FaultyGit {
	w.t.Helper()
	g := &FaultyGit{w.t, w.t.TempDir()}
	bin := filepath.Join(w.t.TempDir(), "git")
	if err := os.WriteFile(bin, fmt.Appendf(nil, script, g.dir, w.git), 0o777); err != nil {
		w.t.Fatal(err)
	}
	g.plan("")
	w.t.Setenv("PATH", filepath.Dir(bin)+string(os.PathListSeparator)+os.Getenv("PATH"))
	return g
}

func (g *FaultyGit) plan(s string) {
	g.t.Helper()
	if err := os.WriteFile(filepath.Join(g.dir, "plan"), []byte(s), 0o666); err != nil {
		g.t.Fatal(err)
	}
}

// Call makes the n-th call from now go wrong; the first is 1.
func (g *FaultyGit) Call(n int, how How) {
	g.t.Helper()
	g.forget()
	g.plan(fmt.Sprintf("%d - %s\n", n, how))
}

// From makes the n-th call from now go wrong, and a hundred behind it.
func (g *FaultyGit) From(n int, how How) {
	g.t.Helper()
	g.forget()
	plan := ""
	for i := range 100 {
		plan += fmt.Sprintf("%d - %s\n", n+i, how)
	}
	g.plan(plan)
}

// Command makes every call of a subcommand go wrong.
func (g *FaultyGit) Command(name string, how How) {
	g.t.Helper()
	g.forget()
	g.plan(fmt.Sprintf("- %s %s\n", name, how))
}

// Heal makes all calls go well again.
func (g *FaultyGit) Heal() { g.t.Helper(); g.forget(); g.plan("") }

// Calls are the subcommands that were called since the last Call, Command or
// Heal, in order; "" is one that was ended before it could say which it is.
func (g *FaultyGit) Calls() (subs []string) {
	for n := 1; ; n++ {
		b, err := os.ReadFile(filepath.Join(g.dir, fmt.Sprint(n)))
		if err != nil {
			return subs
		}
		subs = append(subs, strings.TrimSpace(string(b)))
	}
}

func (g *FaultyGit) forget() {
	entries, err := os.ReadDir(g.dir)
	for _, e := range entries {
		if e.Name() != "plan" {
			err = errors.Join(err, os.Remove(filepath.Join(g.dir, e.Name())))
		}
	}
	if err != nil {
		g.t.Fatal(err)
	}
}

func realGit(t testing.TB) string {
	t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	return git
}

//go:build unix

package procs

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/git-sage/git-sage/gitstore/storetest"
)

// scratch is for what is built, where other users may run it as well.
var scratch string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		var err error
		if scratch, err = os.MkdirTemp("", "procs-"); err == nil {
			err = os.Chmod(scratch, 0o755)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(scratch)
		return m.Run()
	}())
}

// built is this version, and newer is it with format 3: each is made once.
var (
	built = sync.OnceValues(func() (string, error) { return build("git-sage", "-s -w") })
	newer = sync.OnceValues(func() (string, error) {
		return build("git-sage-3", "-s -w -X github.com/git-sage/git-sage/gitstore/internal/record.formatText=3")
	})
)

// build links as the Makefile does, so that it shares what is compiled.
func build(name, flags string) (string, error) {
	out := filepath.Join(scratch, name)
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", flags, "-o", out, "../../git-sage")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if b, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w: %s", name, err, b)
	}
	return out, os.Chmod(out, 0o755)
}

// A prog is a git-sage in a folder of a world.
type prog struct {
	t   testing.TB
	w   *storetest.World
	bin string
	dir string
	env []string
}

// world makes a repository and the git-sage that works in it.
func world(t testing.TB, which func() (string, error)) *prog {
	t.Helper()
	bin, err := which()
	if err != nil {
		t.Fatal(err)
	}
	w := storetest.New(t)
	w.Repo("r")
	return &prog{t: t, w: w, bin: bin, dir: "r"}
}

// as is the same place, seen by another git-sage.
func (p *prog) as(which func() (string, error)) *prog {
	p.t.Helper()
	bin, err := which()
	if err != nil {
		p.t.Fatal(err)
	}
	q := *p
	q.bin = bin
	return &q
}

// with is the same with more environment.
func (p *prog) with(env ...string) *prog {
	q := *p
	q.env = append(append([]string{}, p.env...), env...)
	return &q
}

func (p *prog) cmd(args ...string) *exec.Cmd {
	cmd := exec.Command(p.bin, args...)
	cmd.Dir = p.w.Path(p.dir)
	cmd.Env = append(append([]string{}, p.w.Env...), p.env...)
	return cmd
}

// try runs it and returns what it printed. An error is what it said, in one piece.
func (p *prog) try(args ...string) (string, error) { return outcome(p.cmd(args...)) }

func outcome(cmd *exec.Cmd) (string, error) {
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("%w: %s%s", err, strings.TrimSpace(errs.String()), strings.TrimSpace(out.String()))
	}
	return strings.TrimSpace(out.String()), nil
}

// run is try for what may not fail.
func (p *prog) run(args ...string) string {
	p.t.Helper()
	out, err := p.try(args...)
	if err != nil {
		p.t.Fatalf("git-sage %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// save saves a thought and returns its id.
func (p *prog) save(text string, args ...string) (string, error) {
	out, err := p.try(append([]string{"checkpoint", "save", "--json", "-m", text}, args...)...)
	if err != nil {
		return "", err
	}
	return field(out, "id")
}

// saved is save for what may not fail.
func (p *prog) saved(text string, args ...string) string {
	p.t.Helper()
	id, err := p.save(text, args...)
	if err != nil {
		p.t.Fatalf("save %s: %v", text, err)
	}
	return id
}

// field is a string out of one JSON object, whose others may be anything.
func field(json, name string) (string, error) {
	_, after, found := strings.Cut(json, `"`+name+`":"`)
	value, _, ends := strings.Cut(after, `"`)
	if !found || !ends {
		return "", errors.New("no " + name + " in " + json)
	}
	return value, nil
}

func (p *prog) git(args ...string) string { p.t.Helper(); return p.w.Git(p.dir, args...) }

// chain is what is on a ref, newest first.
func (p *prog) chain(ref string) []string {
	p.t.Helper()
	return strings.Fields(p.git("rev-list", "--first-parent", ref))
}

// holds fails unless all ids are reachable from our refs and git has nothing to say.
func (p *prog) holds(ids ...string) {
	p.t.Helper()
	on := map[string]bool{}
	for _, id := range strings.Fields(p.git("rev-list", "--glob=refs/sage")) {
		on[id] = true
	}
	lost := 0
	for _, id := range ids {
		if !on[id] {
			p.t.Errorf("acknowledged %s is lost", id)
			lost++
		}
	}
	p.git("fsck", "--full", "--no-dangling")
	p.t.Logf("acknowledged %d, lost %d", len(ids), lost)
}

// oneLine fails unless err is there and says what in one line.
func oneLine(t testing.TB, err error, what string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want %q", what)
		return
	}
	_, said, _ := strings.Cut(err.Error(), ": ")
	lines := strings.Split(said, "\n")
	for len(lines) > 1 && strings.HasPrefix(lines[len(lines)-1], "hint: ") {
		lines = lines[:len(lines)-1]
	}
	if len(lines) != 1 || !strings.Contains(said, what) {
		t.Errorf("got %q, want %q in one line", said, what)
	}
}

//go:build linux

package procs

import (
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"
)

// reader is the same place for somebody who may read it and write nothing in it: another
// user where the tests may be that, else the same one, from whom it is kept.
func (p *prog) reader() func(stdin string, args ...string) (out, errs string, err error) {
	p.t.Helper()
	p.t.Cleanup(func() { p.chmod(0o600, 0) })
	p.letIn()
	p.chmod(0o444, 0o222)
	home := p.w.Path(fmt.Sprint("home-", ann))
	p.w.Write(fmt.Sprintf("home-%d/.gitconfig", ann), "[user]\n\tname = Ann\n\temail = ann@example.com\n[safe]\n\tdirectory = *\n")
	if os.Geteuid() == 0 {
		give(p.t, home, ann, ann)
	}
	return func(stdin string, args ...string) (string, string, error) {
		cmd := p.cmd(args...)
		if os.Geteuid() == 0 {
			cmd.Env = append(cmd.Env, "HOME="+home, "XDG_CONFIG_HOME="+home)
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: ann, Gid: ann}}
		}
		var out, errs strings.Builder
		cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &errs
		err := cmd.Run()
		return out.String(), errs.String(), err
	}
}

// chmod adds these permissions to all of it, and takes those away. A folder that may be
// read may be entered.
func (p *prog) chmod(more, less fs.FileMode) {
	p.t.Helper()
	walk(p.t, p.w.Path(p.dir), func(path string, d fs.DirEntry) error {
		st, err := d.Info()
		if err != nil || d.Type() == fs.ModeSymlink {
			return err
		}
		mode := st.Mode()&^less | more
		if d.IsDir() {
			mode |= more & 0o444 >> 2
		}
		return os.Chmod(path, mode)
	})
}

// Case C52: where nothing may be written, what is asked for is there all the same, with
// status 0, and one line on standard error says what could not be kept. What is to be
// saved is refused.
func TestReadOnlyRepository(t *testing.T) {
	t.Parallel()
	for _, searched := range []bool{true, false} { // before it could not be written any more
		t.Run(fmt.Sprint("searched ", searched), func(t *testing.T) {
			p := world(t, built)
			p.saved("ARC beats LRU", "--core-question", "Which cache?")
			p.run("knowledge", "add", "--id", "staging", "--keyword", "staging database", "-m", "The staging database is emptied every Sunday.")
			if !searched {
				p.run("admin", "clear-cache")
				if err := os.RemoveAll(p.w.Path("r/.git/sage/cache")); err != nil {
					t.Fatal(err)
				}
			}
			as := p.reader()
			event := func(more string) string {
				return `{"session_id":"5e55104e-0000-4000-8000-000000000001","cwd":"` + p.w.Path("r") + `",` + more + `}`
			}
			for _, c := range []struct {
				args, stdin, has, unkept string
			}{
				{"checkpoint restore main", "", "ARC beats LRU", "warning: cannot save the session's position"},
				{"checkpoint restore --json", "", "ARC beats LRU", ""}, // on the line already: nothing is to be kept
				{"hook session-start", event(`"source":"startup"`), "ARC beats LRU", "git-sage: session-start: cannot save the session's position"},
				{"hook user-prompt", event(`"prompt":"why is the staging database empty?"`), "every Sunday", "git-sage: user-prompt: cannot record what this session was given"},
				{"knowledge match staging+database", "", "every Sunday", ""},
				{"search staging", "", "every Sunday", ""},
				{"log", "", "ARC beats LRU", ""},
				{"status", "", "main", ""},
			} {
				args := strings.Fields(c.args)
				for i := range args {
					args[i] = strings.ReplaceAll(args[i], "+", " ")
				}
				out, errs, err := as(c.stdin, args...)
				if err != nil || !strings.Contains(out, c.has) {
					t.Errorf("%s: %v\n%s%s", c.args, err, out, errs)
				}
				if c.unkept != "" && (!strings.HasPrefix(errs, c.unkept) || strings.Count(errs, "\n") != 1) {
					t.Errorf("%s says: %q", c.args, errs)
				}
				if c.args == "status" && errs != "" {
					t.Errorf("status complains of a cache: %q", errs)
				}
				if strings.Count(errs, "\n") > 1 {
					t.Errorf("%s says more than a line: %q", c.args, errs)
				}
			}
			if out, _, err := as("", "checkpoint", "save", "-m", "new"); err == nil {
				t.Errorf("saved: %s", out)
			}
		})
	}
}

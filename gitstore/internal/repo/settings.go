package repo

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/prose/cut"
)

// settings are git's own configuration, each key with its last value and the
// scope that it comes from: system, global, local, worktree or command.
type settings struct {
	value map[string]string
	Scope map[string]string
}

// readConfig starts to read the configuration at once, beside the discovery,
// and returns how to wait for it.
func (rp *Repo) readConfig(ctx context.Context) func() (*settings, error) {
	if c, ok := rp.cachedConfig(); ok {
		return func() (*settings, error) { return c, nil }
	}
	files, young := rp.configFiles()
	run := rp.Git // which the discovery may replace
	first := Early(func() answer { return ListConfig(ctx, run) })
	return sync.OnceValues(func() (*settings, error) {
		a := first()
		if a.Err != nil { // a bare repository, which was refused at first
			a = ListConfig(ctx, rp.Git)
		}
		c := parseConfig(a.Out, rp.Git.OwnConfig())
		if a.Err == nil {
			rp.keepConfig(files, young, c)
		}
		return c, a.Err
	})
}

type answer struct {
	Out []byte
	Err error
}

func ListConfig(ctx context.Context, run *git.Runner) answer {
	out, err := run.Run(ctx, "config", "--list", "-z", "--show-scope", "--includes")
	return answer{out, err}
}

// parseConfig reads the list but for the last entries, own in number, which are
// those that we gave to that very call.
func parseConfig(out []byte, own int) *settings {
	c := &settings{map[string]string{}, map[string]string{}}
	f := bytes.Split(out, []byte{0})
	for i := 0; i+1 < len(f)-2*own; i += 2 {
		key, value, ok := strings.Cut(string(f[i+1]), "\n")
		if !ok {
			value = "true" // a key without a value
		}
		c.value[key], c.Scope[key] = value, string(f[i])
	}
	return c
}

// Config returns the value of a key of git's configuration, lower case but for
// its middle part, and the scope it comes from.
func (rp *Repo) Config(key string) (value, scope string, ok bool) {
	c, err := rp.Settings()
	if err != nil {
		return "", "", false
	}
	value, ok = c.value[key]
	return value, c.Scope[key], ok
}

// ConfigKeys are the keys of git's configuration that begin with prefix, sorted.
func (rp *Repo) ConfigKeys(prefix string) (keys []string) {
	c, err := rp.Settings()
	if err != nil {
		return nil
	}
	for k := range c.value {
		if strings.HasPrefix(k, prefix) {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys
}

// UserConfig is Config without what came with the repository. It is for settings
// that name a program.
func (rp *Repo) UserConfig(key string) (value string, ok bool) {
	v, scope, ok := rp.Config(key)
	if !ok || OfRepository(scope) {
		return "", false
	}
	return v, true
}

// SetConfig writes a key into the repository's own configuration of git, which is its
// user's alone and travels with no push. It is git that writes, so that comments, links
// and locks are as git has them.
func (rp *Repo) SetConfig(ctx context.Context, key, value string) error {
	// Not to be cut off in the middle: a git that is killed leaves its lock.
	if _, err := rp.Git.Run(context.WithoutCancel(ctx), "config", "--local", "--replace-all", key, value); err != nil {
		return fmt.Errorf("set %s in git's configuration: %w", key, err)
	}
	return nil
}

// UnsetConfig takes a key out of the repository's own configuration of git.
func (rp *Repo) UnsetConfig(ctx context.Context, key string) error {
	if _, err := rp.Git.Run(context.WithoutCancel(ctx), "config", "--local", "--unset-all", key); err != nil {
		return fmt.Errorf("unset %s in git's configuration: %w", key, err)
	}
	return nil
}

// Override lets a front end with more sources than git's configuration say what
// sage.enabled, sage.durable and sage.sign mean for this store. It is asked when
// the first of them is wanted, and may ask Config.
func (rp *Repo) Override(value func(key string) (string, bool)) { rp.over = value }

// Setting is a key of ours, from the front end or from git.
func (rp *Repo) Setting(key string) (string, bool) {
	if rp.over != nil {
		if v, ok := rp.over(key); ok {
			return v, true
		}
	}
	v, _, ok := rp.Config(key)
	return v, ok
}

// Flag is a switch. One that nobody understands is as if it were not set; for
// sage.enabled see Enabled, and for the others OddSwitches.
func (rp *Repo) Flag(key string, otherwise bool) bool {
	v, ok := rp.Setting(key)
	if !ok {
		return otherwise
	}
	if on, ok := Boolean(v); ok {
		return on
	}
	return otherwise
}

// Boolean reads a switch as git spells them.
func Boolean(v string) (on, ok bool) {
	switch strings.ToLower(v) {
	case "true", "yes", "on":
		return true, true
	case "false", "no", "off", "":
		return false, true
	}
	n, err := strconv.Atoi(v)
	return n != 0, err == nil
}

// Enabled returns nil where things may be saved, ErrDisabled where they may not,
// and where sage.enabled says neither an error that says so: whoever wrote it
// wanted something else than the default, and what was saved against somebody's
// will cannot be taken back.
func (rp *Repo) Enabled() error {
	v, ok := rp.Setting("sage.enabled")
	if !ok {
		return nil
	}
	on, ok := Boolean(v)
	switch {
	case !ok:
		return fmt.Errorf("sage.enabled is '%s', expected true or false; saving is off until you run 'git config sage.enabled true'", legible.OneLine(cut.Runes(v, 60)))
	case !on:
		return ErrDisabled
	}
	return nil
}

// OddSwitches names those that are not understood, and what holds instead.
func (rp *Repo) OddSwitches() (said []string) {
	for key, instead := range map[string]string{"sage.durable": "true", "sage.sign": "auto"} {
		v, ok := rp.Setting(key)
		if _, known := Boolean(v); ok && !known && v != "auto" {
			said = append(said, fmt.Sprintf("%s is '%s', expected true or false; using %s", key, legible.OneLine(cut.Runes(v, 60)), instead))
		}
	}
	slices.Sort(said)
	return said
}

// isDirty asks git whether tracked files differ from HEAD. It compares by file
// times, with no content filter run: a filter is a command, and that of a
// repository's own config is a stranger's. So where that config names one
// nothing is asked and the answer is no.
func (rp *Repo) isDirty(ctx context.Context) func() bool {
	if rp.Options.Global || rp.Where.Top == "" {
		return func() bool { return false }
	}
	if !rp.Where.Plain { // the config may lie anywhere
		return Early(func() bool { return !rp.namesFilter() && rp.diffIndex(ctx)() })
	}
	b, err := fsx.ReadFile(filepath.Join(rp.Where.CommonDir, "config"))
	if err != nil || bytes.Contains(bytes.ToLower(b), []byte("filter")) {
		return func() bool { return false }
	}
	return rp.diffIndex(ctx)
}

// namesFilter reports whether the repository's own config, with what it
// includes, names a filter; and where that cannot be known, that it does.
func (rp *Repo) namesFilter() bool {
	c, err := rp.Settings()
	if err != nil {
		return true
	}
	for key, scope := range c.Scope {
		if strings.HasPrefix(key, "filter.") && OfRepository(scope) {
			return true
		}
	}
	return false
}

// OfRepository reports whether a setting of this scope came with the repository,
// and so perhaps from a stranger.
func OfRepository(scope string) bool { return scope == "local" || scope == "worktree" }

func (rp *Repo) diffIndex(ctx context.Context) func() bool {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	diff := rp.Git.Stream(ctx, "diff-index", "-z", "--no-renames", "--ignore-submodules=dirty", "HEAD", "--")
	return sync.OnceValue(func() (dirty bool) {
		defer cancel()
		_ = diff.Records(func(b []byte) bool {
			dirty = len(b) > 0
			return !dirty
		})
		return dirty
	})
}

// CutLast cuts a text around the last sep: the name of a remote may hold dots.
func CutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// Package gitconfig reads git's configuration, and what a front end says in its place.
package gitconfig

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/gitstore/internal/discover"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/prose/cut"
)

// A List is git's own configuration, each key with its last value and the scope that it
// comes from: system, global, local, worktree or command.
type List struct {
	value map[string]string
	Scope map[string]string // of helpers for credentials that of the repository, if it names one as well
	many  map[string]bool   // the keys that have several values
	files string            // of what state of its files this is certainly what they say; "" of none
	part  bool              // as it was kept: see keptSections
}

// Settings are the configuration of a repository, read when the first of them is wanted.
type Settings struct {
	place         discover.Place
	git           func() *git.Runner
	over          func(key string) (string, bool)
	Configuration func() (*List, error) // all of it, or of the sections that are kept
	whole         func() (*List, error) // all of it
}

// Read starts to read the configuration at once, beside the discovery. place is what is plain
// to see of the repository; run is the git that is asked, which the discovery may replace.
func Read(ctx context.Context, place discover.Place, run func() *git.Runner) *Settings {
	st := &Settings{place: place, git: run}
	st.Configuration = st.read(ctx)
	st.whole = sync.OnceValues(func() (*List, error) {
		if c, err := st.Configuration(); err != nil || !c.part {
			return c, err
		}
		a := Ask(ctx, st.git())
		return parse(a.Out, st.git().OwnConfig()), a.Err
	})
	return st
}

func (st *Settings) read(ctx context.Context) func() (*List, error) {
	if c, ok := st.cached(); ok {
		return func() (*List, error) { return c, nil }
	}
	files, young := st.files()
	first := make(chan Answer, 1)
	go func(run *git.Runner) { first <- Ask(ctx, run) }(st.git())
	return sync.OnceValues(func() (*List, error) {
		a := <-first
		if a.Err != nil { // a bare repository, which was refused at first
			a = Ask(ctx, st.git())
		}
		c := parse(a.Out, st.git().OwnConfig())
		if a.Err == nil {
			st.keep(files, young, c)
		}
		return c, a.Err
	})
}

// An Answer is what git prints of its configuration.
type Answer struct {
	Out []byte
	Err error
}

// Ask asks git for all of its configuration.
func Ask(ctx context.Context, run *git.Runner) Answer {
	out, err := run.Run(ctx, "config", "--list", "-z", "--show-scope", "--includes")
	return Answer{out, err}
}

// parse reads the list but for the last entries, own in number, which are
// those that we gave to that very call.
func parse(out []byte, own int) *List {
	c := &List{value: map[string]string{}, Scope: map[string]string{}, many: map[string]bool{}}
	f := bytes.Split(out, []byte{0})
	for i := 0; i+1 < len(f)-2*own; i += 2 {
		key, value, ok := strings.Cut(string(f[i+1]), "\n")
		if !ok {
			value = "true" // a key without a value
		}
		scope, there := c.Scope[key]
		if c.many[key] = there; !there || !strings.HasPrefix(key, "credential.") || !OfRepository(scope) {
			scope = string(f[i])
		}
		c.value[key], c.Scope[key] = value, scope
	}
	return c
}

// Config returns the value of a key of git's configuration, lower case but for
// its middle part, and the scope it comes from.
func (st *Settings) Config(key string) (value, scope string, ok bool) {
	c, err := st.Configuration()
	if err != nil {
		return "", "", false
	}
	value, ok = c.value[key]
	if left := !isKept(key) || c.Scope[key] != ""; !ok && c.part && left {
		if c, err = st.whole(); err != nil {
			return "", "", false
		}
		value, ok = c.value[key]
	}
	return value, c.Scope[key], ok
}

// ConfigKeys are the keys of git's configuration that begin with prefix, sorted.
func (st *Settings) ConfigKeys(prefix string) (keys []string) {
	c, err := st.Configuration()
	if err == nil && c.part && !isKept(prefix) {
		c, err = st.whole()
	}
	if err != nil {
		return nil
	}
	for k := range c.Scope {
		if strings.HasPrefix(k, prefix) {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys
}

// UserConfig is Config without what came with the repository. It is for settings
// that name a program.
func (st *Settings) UserConfig(key string) (value string, ok bool) {
	v, scope, ok := st.Config(key)
	if !ok || OfRepository(scope) {
		return "", false
	}
	return v, true
}

// SetConfig writes a key into the repository's own configuration of git, which is its
// user's alone and travels with no push. It is git that writes, so that comments, links
// and locks are as git has them.
func (st *Settings) SetConfig(ctx context.Context, key, value string) error {
	// Not to be cut off in the middle: a git that is killed leaves its lock.
	if _, err := st.git().Run(context.WithoutCancel(ctx), "config", "--local", "--replace-all", key, value); err != nil {
		return fmt.Errorf("set %s in git's configuration: %w", key, err)
	}
	return nil
}

// UnsetConfig takes a key out of the repository's own configuration of git.
func (st *Settings) UnsetConfig(ctx context.Context, key string) error {
	if _, err := st.git().Run(context.WithoutCancel(ctx), "config", "--local", "--unset-all", key); err != nil {
		return fmt.Errorf("unset %s in git's configuration: %w", key, err)
	}
	return nil
}

// Override lets a front end with more sources than git's configuration say what
// sage.enabled, sage.durable and sage.sign mean for this store. It is asked when
// the first of them is wanted, and may ask Config.
func (st *Settings) Override(value func(key string) (string, bool)) { st.over = value }

// Setting is a key of ours, from the front end or from git.
func (st *Settings) Setting(key string) (string, bool) {
	if st.over != nil {
		if v, ok := st.over(key); ok {
			return v, true
		}
	}
	v, _, ok := st.Config(key)
	return v, ok
}

// Flag is a switch. One that nobody understands is as if it were not set; for
// sage.enabled see Enabled, and for the others OddSwitches.
func (st *Settings) Flag(key string, otherwise bool) bool {
	v, ok := st.Setting(key)
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

// ErrDisabled says that nothing is saved here.
var ErrDisabled = errors.New("git-sage is switched off here (sage.enabled=false)")

// Enabled returns nil where things may be saved, ErrDisabled where they may not,
// and where sage.enabled says neither an error that says so: whoever wrote it
// wanted something else than the default, and what was saved against somebody's
// will cannot be taken back.
func (st *Settings) Enabled() error {
	v, ok := st.Setting("sage.enabled")
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
func (st *Settings) OddSwitches() (said []string) {
	for key, instead := range map[string]string{"sage.durable": "true", "sage.sign": "auto"} {
		v, ok := st.Setting(key)
		if _, known := Boolean(v); ok && !known && v != "auto" {
			said = append(said, fmt.Sprintf("%s is '%s', expected true or false; using %s", key, legible.OneLine(cut.Runes(v, 60)), instead))
		}
	}
	slices.Sort(said)
	return said
}

// OfRepository reports whether a setting of this scope came with the repository,
// and so perhaps from a stranger.
func OfRepository(scope string) bool { return scope == "local" || scope == "worktree" }

// CutLast cuts a text around the last sep: the name of a remote may hold dots.
func CutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

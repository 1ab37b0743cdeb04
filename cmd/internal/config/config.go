package config

import (
	"cmp"
	"fmt"
	"strings"
	"time"
)

// Sources are where values come from. The zero Sources has defaults only.
type Sources struct {
	Flags map[string]string // by key, as typed
	Env   []string          // in the form of os.Environ
	// Git returns a value of git's configuration and its scope as git names it:
	// system, global, local, worktree or command. The name is in lower case.
	Git     func(name string) (value, scope string, ok bool)
	Project string // the project's tuning.yaml; "" or missing is none
	User    string // the user's tuning.yaml; "" or missing is none
}

// A Config holds the value of every key.
type Config struct {
	entries  map[string]Entry
	warnings []string
}

// An Entry is the value of one key and where it comes from.
type Entry struct {
	Key     string
	Value   any     // of the type of Key.Default
	Source  string  // "default", "flag", "env SAGE_X", "git config sage.x (global)", "project <path>", "user <path>"
	Warning string  // what was wrong with it, or with values that were skipped; "" is nothing
	Below   []Entry // what holds without it, the strongest first, but for the default
	Bad     string  // the first value of the user's own that was skipped since it could not be read; "" is none
}

// Text is the value as it is written in a file.
func (e Entry) Text() string { return text(e.Value) }

func text(v any) string {
	if list, ok := v.([]string); ok {
		return strings.Join(list, ",")
	}
	return fmt.Sprint(v)
}

// Reset is what a person types so that e holds no more; "" if that is not ours to say.
func (e Entry) Reset() string {
	kind, place, _ := strings.Cut(e.Source, " ")
	switch {
	case kind == "user":
		return "git sage config reset --global " + e.Key
	case kind == "project":
		return "git sage config reset --project " + e.Key
	case kind == "git" && strings.HasSuffix(place, " (local)"):
		return "git sage config reset " + e.Key
	}
	return ""
}

// Load walks the cascade. It fails only for a flag that names no key or has a
// bad value; anything else that is wrong becomes a warning.
func Load(s Sources) (*Config, error) {
	if err := checkFlags(s.Flags); err != nil {
		return nil, err
	}
	c := &Config{entries: make(map[string]Entry, len(keys))}
	layers := []layer{flagLayer(s.Flags), envLayer(s.Env), gitLayer(s.Git)}
	for _, f := range s.files() {
		l := f.layer()
		c.warnings = append(c.warnings, l.warnings...)
		layers = append(layers, l)
	}
	for _, k := range keys {
		c.entries[k.Name] = c.resolve(k, layers)
	}
	return c, nil
}

// files are the tuning files to read, the stronger first. Where the home folder
// is itself a repository both are one file, and it is the user's.
func (s Sources) files() (files []File) {
	if s.Project != "" && !sameFile(s.Project, s.User) {
		files = append(files, File{Path: s.Project, Project: true})
	}
	if s.User != "" {
		files = append(files, File{Path: s.User})
	}
	return files
}

func checkFlags(flags map[string]string) error {
	for name, v := range flags {
		k, err := Lookup(name)
		if err == nil {
			_, err = k.Parse(v)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// resolve takes the first good value, and keeps what was wrong before it.
func (c *Config) resolve(k Key, layers []layer) Entry {
	e := Entry{Key: k.Name, Value: k.Default, Source: "default"}
	for _, l := range layers {
		r, ok := l.get(k)
		if !ok {
			continue
		}
		v, err := r.parse(k)
		if e.Source != "default" { // a stronger layer has it
			if err == nil {
				e.Below = append(e.Below, Entry{Key: k.Name, Value: v, Source: r.source})
			}
			continue
		}
		if err != nil {
			c.warn(&e, fmt.Sprintf("%s: %v; ignored", r.where(), err))
			if !r.isProject() {
				e.Bad = cmp.Or(e.Bad, r.text, r.problem)
			}
			continue
		}
		e.Value, e.Source = v, r.source
		if k.Ignored {
			c.warn(&e, fmt.Sprintf("%s: %s no longer means anything; ignored", r.where(), k.Name))
		}
	}
	return e
}

func (c *Config) warn(e *Entry, w string) {
	c.warnings = append(c.warnings, w)
	if e.Warning != "" {
		e.Warning += "; "
	}
	e.Warning += w
}

// Entries returns every key with its value, in the order of [Keys].
func (c *Config) Entries() []Entry {
	list := make([]Entry, len(keys))
	for i, k := range keys {
		list[i] = c.entries[k.Name]
	}
	return list
}

// Warnings returns all that was wrong, one line each: files that could not be
// read, unknown keys, bad values, and values that a repository may not set.
func (c *Config) Warnings() []string { return c.warnings }

// Entry returns the entry of a key. Like the accessors below it panics for a
// name that is no key: that is a mistake in the program, not in a file.
func (c *Config) Entry(name string) Entry {
	e, ok := c.entries[name]
	if !ok {
		panic("config: no key " + name)
	}
	return e
}

// Bool returns the value of a switch.
func (c *Config) Bool(name string) bool { return c.Entry(name).Value.(bool) }

// Int returns the value of a whole number.
func (c *Config) Int(name string) int { return c.Entry(name).Value.(int) }

// Float returns the value of a number.
func (c *Config) Float(name string) float64 { return c.Entry(name).Value.(float64) }

// String returns the value of a text.
func (c *Config) String(name string) string { return c.Entry(name).Value.(string) }

// List returns the value of a list.
func (c *Config) List(name string) []string { return c.Entry(name).Value.([]string) }

// Duration returns the value of a whole number of seconds or days as a time.
func (c *Config) Duration(name string) time.Duration {
	return time.Duration(c.Int(name)) * keys[byName()[name]].Unit
}

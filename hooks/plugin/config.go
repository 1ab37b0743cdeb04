package plugin

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// File is the name of the configuration in the user-wide folder.
const File = "plugins.yaml"

// maxFile bounds it: one that sets everything has some 300 bytes.
const maxFile = 64 << 10

// A Config is what plugins.yaml says. The zero value is the default.
type Config struct {
	Plugins map[string]Setting
	// Salience is salience_threshold, 0..1: the score above which a sentence is worth
	// keeping; nil is the default of hooks/salience.
	Salience *float64
}

// A Setting is what is set of one plugin.
type Setting struct {
	Disabled bool
	Priority *int // lower is asked first; nil is the default
}

// written is the form of the file.
type written struct {
	Plugins map[string]*struct {
		Enabled  *bool `yaml:"enabled"`
		Priority *int  `yaml:"priority"`
		Settings struct {
			Salience *float64 `yaml:"salience_threshold"`
		} `yaml:"settings"`
	} `yaml:"plugins"`
}

// Load reads plugins.yaml in the user-wide folder; where there is none the defaults hold.
// With an error, which is one line that names the file, they hold as well.
func Load(home string) (Config, error) {
	file := filepath.Join(home, File)
	b, err := read(file)
	if errors.Is(err, fs.ErrNotExist) || home == "" {
		return Config{}, nil
	}
	c := Config{}
	if err == nil {
		c, err = parse(b)
	}
	if err != nil {
		return Config{}, fmt.Errorf("%s: %s; the defaults hold", file, oneLine(err))
	}
	return c, nil
}

func oneLine(err error) string {
	s := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "yaml: "), "unmarshal errors:\n")
	return strings.Join(strings.Fields(s), " ")
}

// read reads a plain file: who opens a pipe waits.
func read(file string) ([]byte, error) {
	st, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() || st.Size() > maxFile {
		return nil, fmt.Errorf("not a file of at most %d kB", maxFile>>10)
	}
	return os.ReadFile(file)
}

func parse(b []byte) (c Config, err error) {
	d := yaml.NewDecoder(strings.NewReader(string(b)))
	d.KnownFields(true)
	var w written
	if err := d.Decode(&w); err != nil && err != io.EOF { // an empty file sets nothing
		return c, err
	}
	names := map[string]bool{}
	for _, p := range builtin() {
		names[p.Name] = true
	}
	c.Plugins = map[string]Setting{}
	for _, name := range slices.Sorted(maps.Keys(w.Plugins)) {
		p := w.Plugins[name]
		if !names[name] {
			return Config{}, fmt.Errorf("there is no plugin '%s', only %s", name, strings.Join(slices.Sorted(maps.Keys(names)), ", "))
		}
		if p == nil {
			continue
		}
		c.Plugins[name] = Setting{Disabled: p.Enabled != nil && !*p.Enabled, Priority: p.Priority}
		if t := p.Settings.Salience; t != nil {
			if name != "recovery" || !(*t >= 0 && *t <= 1) {
				return Config{}, fmt.Errorf("salience_threshold is a number from 0 to 1 of the plugin recovery")
			}
			c.Salience = t
		}
	}
	return c, nil
}

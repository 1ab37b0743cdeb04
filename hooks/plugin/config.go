package plugin

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/git-sage/git-sage/internal/plainfile"
)

// File is the name of the configuration in the user-wide folder.
const File = "plugins.yaml"

// maxFile bounds it: one that sets everything has some 300 bytes.
const maxFile = 64 << 10

// maxWrong is how many mistakes are named.
const maxWrong = 5

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

// Load reads plugins.yaml in the user-wide folder; where there is none the defaults hold.
// An error is one line that names the file and what in it was not understood: that is left
// out, and the rest holds, which is the defaults of a file that is no YAML at all.
func Load(home string) (Config, error) {
	file := filepath.Join(home, File)
	b, err := read(file)
	if errors.Is(err, fs.ErrNotExist) || home == "" {
		return Config{}, nil
	}
	c, wrong := Config{}, []string(nil)
	if err == nil {
		c, wrong, err = parse(b)
	}
	switch {
	case err != nil:
		return Config{}, fmt.Errorf("%s: %s; using the defaults", file, oneLine(err))
	case len(wrong) > maxWrong:
		wrong = append(wrong[:maxWrong], fmt.Sprintf("and %d more", len(wrong)-maxWrong))
	}
	if len(wrong) > 0 {
		return c, fmt.Errorf("%s: %s; ignored, the rest is used", file, strings.Join(strings.Fields(strings.Join(wrong, "; ")), " "))
	}
	return c, nil
}

func oneLine(err error) string {
	s := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "yaml: "), "unmarshal errors:\n")
	return strings.Join(strings.Fields(s), " ")
}

// read reads a plain file, which a person may keep elsewhere, as a link.
func read(file string) ([]byte, error) {
	b, err := plainfile.ReadLinked(file, maxFile)
	if errors.Is(err, plainfile.ErrOther) {
		return nil, fmt.Errorf("not a file of at most %d kB", maxFile>>10)
	}
	return b, err
}

// parse takes what it understands, and says of the rest, part by part, what is wrong.
func parse(b []byte) (c Config, wrong []string, err error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(b, &doc); err != nil {
		return c, nil, err
	}
	if len(doc.Content) == 0 { // an empty file sets nothing
		return c, nil, nil
	}
	m := &mistakes{}
	c.Plugins = map[string]Setting{}
	entries := map[string]func(*yaml.Node){}
	for _, p := range builtin() {
		entries[p.Name] = func(n *yaml.Node) { m.plugin(&c, p.Name, n) }
	}
	m.each(doc.Content[0], "key", map[string]func(*yaml.Node){
		"plugins": func(n *yaml.Node) { m.each(n, "plugin", entries) },
	})
	return c, m.list, nil
}

// mistakes are what was wrong in a file, each with its line.
type mistakes struct{ list []string }

func (m *mistakes) add(n *yaml.Node, format string, args ...any) {
	m.list = append(m.list, fmt.Sprintf("line %d: ", n.Line)+fmt.Sprintf(format, args...))
}

// each calls take with the value of each key of a mapping, which may be empty. A key that
// it has not, or that stands there twice, is a mistake, and the others count.
func (m *mistakes) each(n *yaml.Node, what string, take map[string]func(*yaml.Node)) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Tag == "!!null" {
		return
	}
	if n.Kind != yaml.MappingNode {
		m.add(n, "%ss with their values are wanted", what)
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		switch name := key.Value; {
		case take[name] == nil:
			m.add(key, "no %s '%s', only %s", what, name, strings.Join(slices.Sorted(maps.Keys(take)), ", "))
		case seen[name]:
			m.add(key, "'%s' is there twice", name)
		default:
			seen[name] = true
			take[name](value)
		}
	}
}

// plugin reads what is set of one plugin.
func (m *mistakes) plugin(c *Config, name string, n *yaml.Node) {
	var s Setting
	settings := map[string]func(*yaml.Node){}
	if name == "recovery" {
		settings["salience_threshold"] = func(n *yaml.Node) {
			var t float64
			if n.Decode(&t) != nil || !(t >= 0 && t <= 1) {
				m.add(n, "salience_threshold is a number from 0 to 1")
				return
			}
			c.Salience = &t
		}
	}
	m.each(n, "key", map[string]func(*yaml.Node){
		"enabled": func(n *yaml.Node) {
			on := true
			if n.Decode(&on) != nil {
				m.add(n, "enabled is true or false")
			}
			s.Disabled = !on
		},
		"priority": func(n *yaml.Node) {
			var p int
			if n.Decode(&p) != nil {
				m.add(n, "priority is a whole number")
			} else if n.Tag != "!!null" {
				s.Priority = &p
			}
		},
		"settings": func(n *yaml.Node) {
			if len(settings) == 0 && n.Tag != "!!null" && len(n.Content) > 0 {
				m.add(n, "the plugin %s has no settings; salience_threshold is one of the plugin recovery", name)
				return
			}
			m.each(n, "setting", settings)
		},
	})
	c.Plugins[name] = s
}

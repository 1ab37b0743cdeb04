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

// File is the name of the configuration in the user-wide folder. A person may keep it
// elsewhere, as a link.
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

// Load reads plugins.yaml in the user-wide folder; where there is none the defaults hold.
// An error is one line that names the file and what in it was not understood: that is left
// out, and the rest holds, which is the defaults of a file that is no YAML at all.
func Load(home string) (Config, error) {
	file := filepath.Join(home, File)
	b, err := plainfile.ReadLinked(file, maxFile)
	var doc yaml.Node
	switch {
	case errors.Is(err, plainfile.ErrOther):
		err = fmt.Errorf("not a file of at most %d kB", maxFile>>10)
	case home == "" || errors.Is(err, fs.ErrNotExist):
		return Config{}, nil
	case err == nil:
		err = yaml.Unmarshal(b, &doc)
	}
	if err != nil {
		text := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "yaml: "), "unmarshal errors:\n")
		return Config{}, fmt.Errorf("%s: %s; using the defaults", file, oneLine(text))
	}
	var r reader
	for _, n := range doc.Content { // an empty file has none
		r.c.Plugins = map[string]Setting{}
		r.each(n, "key", map[string]func(*yaml.Node){"plugins": r.plugins})
	}
	if len(r.wrong) > 0 {
		err = fmt.Errorf("%s: %s; ignored, the rest is used", file, oneLine(strings.Join(r.wrong, "; ")))
	}
	return r.c, err
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// A reader takes what it understands, and says of the rest, part by part, what is wrong.
type reader struct {
	c     Config
	wrong []string // each with its line
}

func (r *reader) add(n *yaml.Node, format string, args ...any) {
	r.wrong = append(r.wrong, fmt.Sprintf("line %d: ", n.Line)+fmt.Sprintf(format, args...))
}

// each calls take with the value of each key of a mapping, which may be empty. A key that
// it has not, or that stands there twice, is a mistake, and the others count.
func (r *reader) each(n *yaml.Node, what string, take map[string]func(*yaml.Node)) {
	if n.Tag == "!!null" {
		return
	}
	if n.Kind != yaml.MappingNode {
		r.add(n, "%ss with their values are wanted", what)
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		switch name := key.Value; {
		case take[name] == nil:
			r.add(key, "no %s '%s', only %s", what, name, strings.Join(slices.Sorted(maps.Keys(take)), ", "))
		case seen[name]:
			r.add(key, "'%s' is there twice", name)
		default:
			seen[name] = true
			take[name](value)
		}
	}
}

func (r *reader) plugins(n *yaml.Node) {
	take := map[string]func(*yaml.Node){}
	for _, p := range builtin() {
		take[p.name] = func(n *yaml.Node) { r.plugin(p.name, n) }
	}
	r.each(n, "plugin", take)
}

func (r *reader) plugin(name string, n *yaml.Node) {
	var s Setting
	r.each(n, "key", map[string]func(*yaml.Node){
		"enabled": func(n *yaml.Node) {
			on := true
			if n.Decode(&on) != nil {
				r.add(n, "enabled is true or false")
			}
			s.Disabled = !on
		},
		"priority": func(n *yaml.Node) {
			if n.Decode(&s.Priority) != nil {
				s.Priority = nil
				r.add(n, "priority is a whole number")
			}
		},
		"settings": func(n *yaml.Node) {
			if name == "recovery" {
				r.each(n, "setting", map[string]func(*yaml.Node){"salience_threshold": r.salience})
			} else if len(n.Content) > 0 {
				r.add(n, "the plugin %s has no settings; salience_threshold is one of the plugin recovery", name)
			}
		},
	})
	r.c.Plugins[name] = s
}

func (r *reader) salience(n *yaml.Node) {
	var t float64
	if n.Decode(&t) != nil || !(t >= 0 && t <= 1) {
		r.add(n, "salience_threshold is a number from 0 to 1")
		return
	}
	r.c.Salience = &t
}

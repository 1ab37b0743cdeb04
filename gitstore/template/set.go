package template

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/internal/plainfile"
)

//go:embed builtin/*.yaml
var builtinFiles embed.FS

// builtin parses the embedded templates when they are first asked for. The
// default one comes first.
var builtin = sync.OnceValue(func() []*Template {
	list := []*Template{defaultTemplate()}
	for _, name := range []string{"research", "decision", "code-review"} {
		list = append(list, embedded(name))
	}
	return list
})

var defaultTemplate = sync.OnceValue(func() *Template { return embedded("default") })

func embedded(name string) *Template {
	b, err := builtinFiles.ReadFile("builtin/" + name + ".yaml")
	if err != nil {
		panic(err) // the program was built without its parts
	}
	t, err := parse(b)
	if err != nil {
		panic(err)
	}
	t.Origin.Kind = BuiltIn
	return t
}

// Default returns a copy of the built-in default template. Nearly every save
// needs that one alone, and the others take 0.4 ms to read.
func Default() *Template { return defaultTemplate().clone() }

// Builtin returns copies of the built-in templates: default, research, decision
// and code-review.
func Builtin() []*Template {
	var list []*Template
	for _, t := range builtin() {
		list = append(list, t.clone())
	}
	return list
}

func (t *Template) clone() *Template {
	c := *t
	c.Required, c.Optional = slices.Clone(t.Required), slices.Clone(t.Optional)
	return &c
}

// A Set is the templates that are in force, one by name.
type Set struct{ byName map[string]*Template }

// NewSet returns the built-in templates and those of the lists. Of several with
// one name that of the higher Kind is in force, of one Kind the last. Templates
// of the Repository belong into a set only after review.
func NewSet(lists ...[]*Template) *Set {
	s := &Set{byName: map[string]*Template{}}
	for _, list := range append([][]*Template{Builtin()}, lists...) {
		for _, t := range list {
			if old := s.byName[t.Name]; old == nil || t.Origin.Kind >= old.Origin.Kind {
				s.byName[t.Name] = t
			}
		}
	}
	return s
}

// Lookup returns the template of that name; "" is the default one. The error of
// an unknown name lists those that there are.
func (s *Set) Lookup(name string) (*Template, error) {
	if t := s.byName[cmp.Or(name, "default")]; t != nil {
		return t, nil
	}
	var names []string
	for _, t := range s.List() {
		names = append(names, t.Name)
	}
	return nil, fmt.Errorf("no template '%s' (there are %s)", name, strings.Join(names, ", "))
}

// List returns the templates in force: default first, then by name.
func (s *Set) List() []*Template {
	var list []*Template
	for _, t := range s.byName {
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b *Template) int {
		return cmp.Or(-cmp.Compare(first(a), first(b)), cmp.Compare(a.Name, b.Name))
	})
	return list
}

func first(t *Template) int {
	if t.Name == "default" {
		return 1
	}
	return 0
}

// LoadDir reads the templates of a folder: each *.yaml and *.yml, with the
// format beside it in <name>.md.j2 if it has none itself. What cannot be read
// becomes a warning that names the file, and so does a format that cannot be
// rendered, of a template that is in the list; a folder that does not exist is empty.
func LoadDir(dir string) (list []*Template, warnings []error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		warnings = append(warnings, err)
	}
	for _, e := range entries {
		if ext := filepath.Ext(e.Name()); ext != ".yaml" && ext != ".yml" {
			continue
		}
		path := filepath.Join(dir, e.Name())
		t, err := loadFile(path)
		if err != nil {
			warnings = append(warnings, fmt.Errorf("%s: %w", path, err))
		}
		if IsReadable(err) {
			list = append(list, t)
		}
	}
	return list, warnings
}

func loadFile(path string) (*Template, error) {
	b, err := readFile(path)
	if err != nil {
		return nil, err
	}
	t, err := parse(b)
	if err != nil {
		return nil, err
	}
	t.Origin = Origin{Kind: User, Path: path}
	stem := strings.TrimSuffix(path, filepath.Ext(path))
	t.Name = cmp.Or(t.Name, filepath.Base(stem))
	if t.Format == "" {
		format, err := readFile(stem + ".md.j2")
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		t.Format = string(format)
	}
	return t, t.validate()
}

// readFile reads a regular file of bearable size, which its owner may keep elsewhere, as
// a link.
func readFile(path string) ([]byte, error) {
	b, err := plainfile.ReadLinked(path, maxFile)
	if errors.Is(err, plainfile.ErrOther) {
		return nil, fmt.Errorf("not a regular file of at most %d bytes", maxFile)
	}
	return b, err
}

package templates

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/briefing"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/template"
	"github.com/git-sage/git-sage/recall/brief"
)

// defaultTemplate is the template of a checkpoint that names none. A repository
// cannot replace it: what a clone brings must not change what everybody's saves
// need.
const defaultTemplate = "default"

// treeTemplates is the folder of templates in the knowledge tree.
const treeTemplates = "templates"

// List returns the templates in force: the built-in ones, the user's own
// in Home/templates, and those of the repository's knowledge tree, which say so
// in their origin. A template that cannot be read is a warning, and left out; one
// that cannot be rendered is a warning, and says so again where it is used.
//
// The tree holds only what was written or merged here: what is fetched lies
// under refs/sage/remotes until then.
func (rd *Renderer) List(ctx context.Context) (*template.Set, []error) {
	own, warnings := rd.ownTemplates()
	files, err := rd.stores.Store.Templates(ctx)
	if err != nil {
		warnings = append(warnings, fmt.Errorf("templates of the repository: %w", err))
	}
	var theirs []*template.Template
	for _, f := range files {
		t, err := readTemplate(f)
		if err != nil {
			warnings = append(warnings, fmt.Errorf("%s of the repository: %w", f.Path, err))
		}
		if t != nil {
			theirs = append(theirs, t)
		}
	}
	return template.NewSet(own, theirs), warnings
}

func (rd *Renderer) ownTemplates() ([]*template.Template, []error) {
	if rd.stores.Home == "" {
		return nil, nil
	}
	return template.LoadDir(filepath.Join(rd.stores.Home, "templates"))
}

// treeTemplate reads a template of the knowledge tree.
func (rd *Renderer) treeTemplate(ctx context.Context, file string) (*template.Template, error) {
	data, err := rd.stores.Store.Tree.ReadFile(ctx, file)
	return readTemplate(gitstore.TreeFile{Path: file, Data: data, Err: err})
}

// readTemplate makes a template of a file. It returns nil for one that would hide the
// default one, and beside an error that only the format has the template.
func readTemplate(f gitstore.TreeFile) (*template.Template, error) {
	name := strings.TrimSuffix(path.Base(f.Path), ".yaml")
	if name == defaultTemplate || f.Err != nil {
		return nil, f.Err
	}
	t, err := template.Parse(f.Data)
	if !template.IsReadable(err) {
		return nil, err
	}
	if t.Name != name {
		return nil, fmt.Errorf("its name field says '%s'", legible.OneLine(t.Name))
	}
	t.Origin = template.Origin{Kind: template.Repository, Path: f.Path}
	return t, err
}

// Get returns the one of that name; "" is the default one. It reads no more
// than it needs, for every save asks.
func (rd *Renderer) Get(ctx context.Context, name string) (*template.Template, error) {
	own, warnings := rd.ownTemplates()
	if len(own) == 0 && (name == "" || name == defaultTemplate) {
		return template.Default(), nil
	}
	var theirs []*template.Template
	if name != "" && name != defaultTemplate {
		t, err := rd.treeTemplate(ctx, treeFile(name))
		switch {
		case errors.Is(err, gitstore.ErrNotFound) || errors.Is(err, gitstore.ErrName):
		case t != nil:
			theirs = append(theirs, t)
		case err != nil:
			warnings = append(warnings, fmt.Errorf("template '%s' of the repository: %w", name, err))
		}
	}
	t, err := template.NewSet(own, theirs).Lookup(name)
	if err != nil && len(warnings) > 0 {
		err = fmt.Errorf("%w; %w", err, errors.Join(warnings...))
	}
	return t, err
}

// Rendered returns c in the form of its template, with what that leaves out and a reader must
// know: the fields of the domain, and the code that is not as it was. It is "" if the template is
// the built-in default one, which the common forms of a checkpoint stand for, or if whoever asks
// may not read all of c.
func (rd *Renderer) Rendered(ctx context.Context, c *sage.Checkpoint) (string, error) {
	t, err := rd.Get(ctx, c.Template)
	if err != nil || isCommon(t) || rd.provenance.AdmitCheckpoint(ctx, c) != "" {
		return "", err
	}
	text, err := t.Render(ctx, c)
	if err != nil {
		return "", err
	}
	o := briefing.Options{States: rd.stores.Store.Repo.RefStates(ctx, c.CodeRefs)}
	return brief.Defuse(text + briefing.Beside(c, o, strings.Contains(t.Format, "domain"))), nil
}

func isCommon(t *template.Template) bool {
	return t.Name == defaultTemplate && t.Origin.Kind == template.BuiltIn
}

// fieldOrder are the fields of the template's own, as it lists them.
func (rd *Renderer) fieldOrder(ctx context.Context, c *sage.Checkpoint) (names []string) {
	if len(c.Fields) < 2 {
		return nil
	}
	t, err := rd.Get(ctx, c.Template)
	if err != nil { // the brief says so, or the order is that of the alphabet
		return nil
	}
	for _, f := range append(t.Required[:len(t.Required):len(t.Required)], t.Optional...) {
		names = append(names, f.Name)
	}
	return names
}

package templates

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/template"
	"github.com/git-sage/git-sage/internal/plainfile"
)

// A TemplatePlace is where a template is written.
type TemplatePlace struct {
	Own     bool // the user's folder Home/templates; else the repository's knowledge tree
	Replace bool // one of that name there
}

// String names the place in messages.
func (p TemplatePlace) String() string {
	if p.Own {
		return "your own templates"
	}
	return "the repository"
}

// Add writes a template, of which data is the YAML that names it. The error wraps
// gitstore.ErrExists if there is one of that name.
func (rd *Renderer) Add(ctx context.Context, data []byte, to TemplatePlace) (*template.Template, error) {
	t, err := template.Parse(data)
	if err != nil {
		return nil, err
	}
	if !to.Own && t.Name == defaultTemplate {
		return nil, errors.New("the repository cannot replace the template 'default', which every save uses")
	}
	found, err := rd.hasTemplate(ctx, t.Name, to)
	if err != nil {
		return nil, err
	}
	if found && !to.Replace {
		return nil, fmt.Errorf("template '%s' in %s: %w", t.Name, to, gitstore.ErrExists)
	}
	if to.Own {
		t.Origin = template.Origin{Kind: template.User, Path: rd.ownFile(t.Name)}
		if err := plainfile.MakeFolder(rd.stores.Home, filepath.Dir(t.Origin.Path)); err != nil {
			return nil, err
		}
		return t, plainfile.Write(t.Origin.Path, data)
	}
	t.Origin = template.Origin{Kind: template.Repository, Path: treeFile(t.Name)}
	verb := map[bool]string{false: "add", true: "replace"}[found]
	return t, rd.stores.Store.Tree.WriteFiles(ctx, verb+" template "+t.Name, map[string][]byte{t.Origin.Path: data})
}

// Remove removes a template from a place. Checkpoints that name it stay
// what they are, and are shown in the common form.
func (rd *Renderer) Remove(ctx context.Context, name string, from TemplatePlace) error {
	if err := gitstore.CheckName(name); err != nil {
		return err
	}
	found, err := rd.hasTemplate(ctx, name, from)
	switch {
	case err != nil:
		return err
	case !found:
		return fmt.Errorf("no template '%s' in %s", name, from)
	case from.Own:
		return os.Remove(rd.ownFile(name))
	}
	return rd.stores.Store.Tree.WriteFiles(ctx, "remove template "+name, map[string][]byte{treeFile(name): nil})
}

func (rd *Renderer) hasTemplate(ctx context.Context, name string, in TemplatePlace) (bool, error) {
	var err error
	missing := gitstore.ErrNotFound
	if in.Own {
		if rd.stores.Home == "" {
			return false, errors.New("no home folder for templates")
		}
		missing = fs.ErrNotExist
		if err = rd.ownTemplate(name); errors.Is(err, plainfile.ErrOther) {
			return false, err
		}
	} else {
		_, err = rd.stores.Store.Tree.ReadFile(ctx, treeFile(name))
	}
	if errors.Is(err, missing) {
		return false, nil
	}
	return err == nil, err
}

// ownTemplate looks for a template in the user's folder. What a link stands for its owner
// keeps elsewhere: it is read, and not written or removed.
func (rd *Renderer) ownTemplate(name string) error {
	file := rd.ownFile(name)
	if err := plainfile.CheckFolder(rd.stores.Home, filepath.Dir(file)); err != nil {
		return err
	}
	return plainfile.Check(file)
}

func (rd *Renderer) ownFile(name string) string {
	return filepath.Join(rd.stores.Home, "templates", name+".yaml")
}

func treeFile(name string) string { return treeTemplates + "/" + name + ".yaml" }

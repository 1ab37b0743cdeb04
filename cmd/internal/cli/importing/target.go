package importing

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/config"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/models"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/template"
	"github.com/git-sage/git-sage/imports"
	"github.com/git-sage/git-sage/recall"
)

// options are those that all imports have.
type options struct {
	imports.Options
	global, quiet bool
}

// open opens the memory that an import goes to, on nobody's behalf: a save for the session that
// calls would move it. A dry run makes no store.
func open(ctx context.Context, a *app.App, o options) (*recall.Memory, error) {
	a.Session, a.Agent = "", ""
	a.Reads = a.Reads || o.DryRun
	a.Global = a.Global || o.global
	return a.Open(ctx)
}

// targetOf is where an import goes: to the repository, and to the user's own store.
func targetOf(ctx context.Context, a *app.App, m *recall.Memory, o options) imports.Target {
	to := imports.Target{Project: m.Store, Own: func() (*gitstore.Store, error) {
		if o.DryRun {
			return m.Stores.Own(ctx)
		}
		return m.Stores.MakeOwn(ctx)
	}}
	if m.Stores.IsOwn() || a.Global || a.IsOutside(m.Store) {
		to.Project, to.Own = nil, func() (*gitstore.Store, error) { return m.Store, nil }
	}
	to.AddTemplate = func(own bool, text []byte, dry bool) error { return addTemplate(ctx, a, m, own, text, dry) }
	to.Set = func(own bool, key, value string, dry bool) error { return set(a, m.Store, own, key, value, dry) }
	return to
}

// addTemplate adds a template, unless one of its name is there.
func addTemplate(ctx context.Context, a *app.App, m *recall.Memory, own bool, text []byte, dry bool) error {
	t, err := template.Parse(text)
	if t == nil {
		return err
	}
	var here []byte
	if own {
		if inPlace(a, text) {
			return gitstore.ErrNothing
		}
		here, err = os.ReadFile(filepath.Join(a.Home(), "templates", t.Name+".yaml"))
	} else {
		here, err = m.Store.Tree.ReadFile(ctx, "templates/"+t.Name+".yaml")
	}
	switch {
	case err == nil && bytes.Equal(here, text):
		return gitstore.ErrNothing
	case err == nil:
		return exists("template '" + t.Name + "'")
	case dry:
		return nil
	}
	_, err = m.Templates.Add(ctx, text, recall.TemplatePlace{Own: own})
	return err
}

// inPlace reports whether a file of the user's own templates has this text, or its beginning:
// the tool kept them where they lie here as well, and they are left to themselves.
func inPlace(a *app.App, text []byte) bool {
	files, _ := filepath.Glob(filepath.Join(a.Home(), "templates", "*.y*ml"))
	for _, name := range files {
		b, err := os.ReadFile(name)
		if b = bytes.TrimRight(b, "\n"); err == nil && len(b) > 0 && bytes.HasPrefix(text, b) {
			return true
		}
	}
	return false
}

// exists is an ErrExists that says of what.
type exists string

func (e exists) Error() string        { return string(e) }
func (e exists) Is(target error) bool { return target == gitstore.ErrExists }

// set changes a setting of the user's, unless it is set. Those of a project are in a file that
// everybody shares: that is for a person to change.
func set(a *app.App, s *gitstore.Store, own bool, key, value string, dry bool) error {
	k, err := config.Lookup(key)
	if err != nil || k.Ignored {
		return &imports.AdviceError{What: "has no counterpart here"}
	}
	f := config.File{Path: a.UserTuning()}
	if !own {
		f = config.File{Path: app.ProjectTuning(s), Project: true}
	}
	isModel := strings.HasSuffix(k.Name, "embedding_model")
	switch now, there := f.Get(k.Name); {
	case there && now == value && isModel && value != models.None && !slices.Contains(a.Models().Names(), value):
		e := config.Entry{Key: k.Name, Source: map[bool]string{true: "user ", false: "project "}[own]}
		return &imports.AdviceError{What: "'" + value + "' does not run here, and the built-in model is used", Do: e.Reset()}
	case there && now == value:
		return gitstore.ErrNothing
	case there:
		return exists("'" + now + "'")
	case isModel:
		return &imports.AdviceError{What: "'" + value + "' was not taken: git-sage has models of its own", Do: "'git sage model list' shows them"}
	case !own:
		return &imports.AdviceError{What: "is '" + value + "' there, and not set in this project", Do: "git sage config set " + k.Name + " " + gitstore.InShell(value)}
	}
	if _, err := k.Parse(value); err != nil {
		return &imports.AdviceError{What: err.Error()}
	}
	if dry {
		return nil
	}
	return f.Set(k.Name, value)
}

// run brings in what a source has, and says what became of it. The status is 1 if any of it was
// not brought in as a whole.
func run(ctx context.Context, a *app.App, m *recall.Memory, src imports.Source, o options) (imports.Report, error) {
	r, err := imports.Run(ctx, src, targetOf(ctx, a, m, o), o.Options)
	if perr := tell(a, r, o); err == nil {
		err = perr
	}
	switch {
	case errors.Is(err, context.Canceled):
		return r, exit.WithHint(err, "what was imported stays; run the command again to go on")
	case err != nil:
		return r, err
	}
	if !o.DryRun && m.Stores.Background != nil && r.Total().New > 0 {
		m.Stores.Background() // so that what came is found by what it means
	}
	if r.Lost() {
		return r, exit.ErrNo
	}
	return r, nil
}

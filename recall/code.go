package recall

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/git-sage/git-sage/codeindex"
	"github.com/git-sage/git-sage/codeindex/projects"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/prompts"
)

// Code is the index of the repository's code, which is closed with the memory.
func (m *Memory) Code() *codeindex.Index {
	m.code.Do(func() {
		s := m.Stores.Settings()
		m.codeOpen = codeindex.Of(m.Store, m.codeModel(), s.CodeInclude, s.CodeExclude, m.Stores.Code)
	})
	return m.codeOpen
}

// IndexCode starts what indexes the code of the work tree, does not wait for it, and reports
// whether there is anything that can be started.
func (m *Memory) IndexCode() bool {
	if start := m.Stores.IndexCode; start != nil {
		start()
	}
	return m.Stores.IndexCode != nil
}

// codeModel is the model for code; nil is none.
func (m *Memory) codeModel() embed.Embedder {
	if m.Stores.CodeModel == nil {
		return nil
	}
	model, err := m.Stores.CodeModel()
	if err != nil && m.Stores.Warn != nil {
		m.Stores.Warn(err)
	}
	return model
}

// AllProjects stands for the names of all projects.
const AllProjects = "*"

// SearchProjects finds code in other projects of this machine, as far as they are indexed:
// nothing of theirs is read for the first time, or changed. Of this repository all is searched
// that Code finds. One that cannot be searched has an error, and is forgotten if it is gone.
func (m *Memory) SearchProjects(ctx context.Context, q codeindex.Query, names []string) ([]codeindex.Hit, []*codeindex.Searched, error) {
	here, registry := projects.Of(m.Store), projects.In(m.Stores.Home)
	known := slices.DeleteFunc(registry.List(), func(p projects.Project) bool { return p == here })
	if !m.Stores.IsOwn() && !m.Store.Repo.Options.Global { // there is code here
		known = slices.Insert(known, 0, here)
	}
	var list []*codeindex.Searched
	for _, name := range names {
		found, err := known, error(nil)
		if name != AllProjects {
			found, err = projects.Named(known, name)
		}
		if err != nil {
			return nil, nil, err
		}
		for _, p := range found {
			if !slices.ContainsFunc(list, func(s *codeindex.Searched) bool { return s.Project == p }) {
				list = append(list, &codeindex.Searched{Project: p})
			}
		}
	}
	for _, s := range list {
		if s.Project == here {
			s.Index = m.Code()
			continue
		}
		done, err := m.openProject(ctx, s)
		if errors.Is(err, errGone) {
			registry.Forget(s.Project)
		}
		if s.Err = err; err != nil {
			continue
		}
		defer done()
	}
	return codeindex.Across(ctx, q, list), list, ctx.Err()
}

// errGone says that the folder of a project is not there any more.
var errGone = errors.New("is gone")

// openProject opens the index of another project as it is. done closes it.
func (m *Memory) openProject(ctx context.Context, s *codeindex.Searched) (done func(), err error) {
	if m.Stores.OpenProject == nil {
		return nil, errors.New("it cannot be opened from here")
	}
	if _, err := os.Stat(s.Project.Dir); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("'%s' %w", legible.OneLine(s.Project.Dir), errGone)
	}
	store, settings, err := m.Stores.OpenProject(ctx, s.Project.Dir)
	if err != nil {
		return nil, err
	}
	s.Index = codeindex.AsIs(store, m.codeModel(), settings.CodeInclude, settings.CodeExclude)
	done = func() { _, _ = s.Index.Close(), store.Close() } // they were read
	switch {
	case projects.Of(store) != s.Project:
		err = fmt.Errorf("'%s' is not its repository any more", legible.OneLine(s.Project.Dir))
	case !s.Index.Exists():
		err = fmt.Errorf("'%s' is not indexed any more", legible.OneLine(s.Project.Dir))
	default:
		return done, nil
	}
	done()
	return nil, err
}

// symbols open the index of code when a reference first names what changed.
type symbols struct{ m *Memory }

func (s symbols) Definition(ctx context.Context, file string, source []byte, name string) (string, [2]int, error) {
	return s.m.Code().Definition(ctx, file, source, name)
}

func (s symbols) Defining(ctx context.Context, name string) []string {
	return s.m.Code().Defining(ctx, name)
}

// EmbedCode starts what makes the vectors of code that are missing, and does not wait for it.
func (m *Memory) EmbedCode() {
	if start := m.Stores.EmbedCode; start != nil {
		start()
	}
}

// An Analysis is what is known of a definition.
type Analysis struct {
	Source   string
	Callees  []string          // names
	History  []string          // the last commits that changed it
	Mentions []prompts.Mention // checkpoints and items that refer to its file
}

// How much of its history and of what refers to it is told of a definition.
const historyOf, mentionsOf = 3, 10

// Analyze tells what is known of a definition.
func (m *Memory) Analyze(ctx context.Context, s *codeindex.Symbol) (out Analysis, err error) {
	if out.Source, out.Callees, err = m.Code().Source(ctx, s.Hit); err != nil {
		return out, err
	}
	if out.History, err = m.Code().History(ctx, s.Hit, historyOf); err != nil {
		return out, err
	}
	about, err := m.Prompts.Mentions(ctx, s.Path, mentionsOf, nil)
	out.Mentions = about.Named
	return out, err
}

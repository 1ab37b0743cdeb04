package recall

import (
	"context"

	"github.com/git-sage/git-sage/codeindex"
	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/prompts"
)

// Code is the index of the repository's code, which is closed with the memory.
func (m *Memory) Code() *codeindex.Index {
	m.code.Do(func() {
		var model embed.Embedder
		if open := m.Stores.CodeModel; open != nil {
			var err error
			if model, err = open(); err != nil && m.Stores.Warn != nil {
				m.Stores.Warn(err)
			}
		}
		s := m.Stores.Settings()
		m.codeOpen = codeindex.Of(m.Store, model, s.CodeInclude, s.CodeExclude)
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

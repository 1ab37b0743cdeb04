package search

import (
	"context"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/doc"
	"github.com/git-sage/git-sage/recall/index"
	"github.com/git-sage/git-sage/recall/internal/stores"
)

// A filter lets pass what the options of a search allow. It is held against what the
// sidecar knows of each candidate, so that of 10,000 the few that pass are found, and
// for what the sidecar does not know against what git says of all of them at once.
type filter struct {
	o        SearchOptions
	spots    map[string]gitstore.Spot // that o chooses; nil if nobody could say
	current  string                   // the line
	hidden   int                      // how many of them lists hide, unless they are wanted, too
	only     []string                 // keys of the others; nil is all there are
	from, to time.Time
	refused  func(id string) bool
	nearest  nearness // what is found where nothing better is
	author   *regexp.Regexp
}

// A nearness says how little is enough to be found.
type nearness int

const (
	good     nearness = iota // a score, or every word of the query
	telling                  // a word of it that few texts have
	anything                 // what comes nearest
)

func (se *Searcher) newFilter(ctx context.Context, src *stores.Source, o SearchOptions) (*filter, error) {
	f := &filter{o: o, current: src.Store.Session.CurrentLine()}
	f.o.Trigger, f.o.File = tidyTrigger(o.Trigger), inTree(src.Store, o.File)
	var err error
	if o.checkpoints() {
		ctx := src.Store.Commits.Viewing(ctx)
		q := se.session.Query()
		q.Line, q.Author, q.Since, q.Until, q.All = o.Line, o.Author, o.Since, o.Until, o.All
		if f.refused, err = src.Store.Commits.Refusals(ctx); err != nil { // no ref can be read, for the spots either
			return nil, err
		}
		f.spots, err = src.Store.Commits.Spots(ctx, q)
		if err != nil && o.Line+o.Author+o.Since+o.Until == "" && ctx.Err() == nil {
			se.stores.Complain(err) // then nobody knows where hits lie, and they are shown
			err = nil
		}
		for _, s := range f.spots {
			f.hidden += truth(s.Hidden)
		}
		if f.hidden > 0 || o.Line+o.Author+o.Since+o.Until != "" {
			f.only = make([]string, 0, len(f.spots)-f.hidden)
			for id, s := range f.spots {
				if !s.Hidden {
					f.only = append(f.only, doc.CheckpointKey(id))
				}
			}
		}
	}
	if err == nil && o.items() {
		err = f.prepareItems(ctx, src)
	}
	return f, err
}

// tidyTrigger is a trigger as checkpoints have it: people write "branch-point".
func tidyTrigger(t sage.Trigger) sage.Trigger {
	c := sage.Checkpoint{Trigger: t}
	c.Tidy()
	return c.Trigger
}

// inTree is a path from the top of the work tree, as checkpoints have them.
func inTree(s *gitstore.Store, file string) string {
	if filepath.IsAbs(file) && s.Repo.Top() != "" {
		if rel, err := filepath.Rel(s.Repo.Top(), file); err == nil {
			file = rel
		}
	}
	return filepath.ToSlash(file)
}

func (f *filter) prepareItems(ctx context.Context, src *stores.Source) (err error) {
	if f.author, err = regexp.Compile(f.o.Author); err != nil {
		return &gitstore.FilterError{Field: "author", Err: err}
	}
	f.from, f.to, err = src.Store.Commits.Between(ctx, f.o.Since, f.o.Until)
	return err
}

// place is the line that a checkpoint is on.
func (f *filter) place(id string) (line string, here bool) {
	if s := f.spots[id]; s.Line != "" {
		return s.Line, false
	}
	return f.current, true
}

// checkpoint reports whether one may be found.
func (f *filter) checkpoint(d *index.Meta) bool {
	return f.common(d) && !f.refused(doc.ID(d.Key)) && (f.o.Trigger == "" || d.Trigger == string(f.o.Trigger)) && d.Confidence >= f.o.Confidence
}

// common is what is asked of both kinds.
func (f *filter) common(d *index.Meta) bool {
	return (f.o.Skill == "" || slices.Contains(d.Skills, f.o.Skill)) && (f.o.File == "" || under(f.o.File, d.Paths))
}

// items returns what reports whether an item of a store may be found: not one that
// another of the same id hides.
func (f *filter) items(ctx context.Context, src *stores.Source) (func(*index.Meta) bool, error) {
	var by map[string]gitstore.ItemAuthor
	if f.o.Author != "" {
		var err error
		if by, err = src.Store.Knowledge.ItemAuthors(ctx, "", ""); err != nil {
			return nil, err
		}
	}
	return func(d *index.Meta) bool {
		return f.common(d) && !d.Updated.Before(f.from) && (f.to.IsZero() || !d.Updated.After(f.to)) &&
			(f.o.Author == "" || f.author.MatchString(by[doc.ID(d.Key)].Author)) && !src.IsShadowed(d)
	}, nil
}

// under reports whether one of the files is the wanted one, or below it.
func under(want string, files []string) bool {
	want = path.Clean(want)
	return slices.ContainsFunc(files, func(f string) bool {
		f = path.Clean(f)
		return f == want || want == "." || strings.HasPrefix(f, want+"/")
	})
}

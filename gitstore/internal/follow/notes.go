package follow

import (
	"context"
	"path"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
)

// Notes reads what the knowledge tree says of lines.
func (fo *Follower) Notes(ctx context.Context) map[string]commits.LineNote {
	return fo.NotesIn(fo.history.Knowledge())
}

// NotesIn reads that of a version of the tree. What cannot be read says nothing: a note
// never keeps a line from being used.
func (fo *Follower) NotesIn(tree string) map[string]commits.LineNote {
	notes := map[string]commits.LineNote{}
	if fo.history.MayRead(tree) != nil {
		return notes
	}
	entries, err := fo.contents.ItemFolder(tree + ":" + contents.LinesDir)
	if err != nil {
		return notes
	}
	sum := contents.Tally{Bound: contents.LineBound}
	_ = fo.contents.EachItem(contents.LineBound.BoundedFiles(contents.LinesDir, entries), func(f gittree.Entry, o git.Object, err error) {
		if err != nil || o.Type != "blob" || sum.Add(f.Name, len(o.Data)) != nil {
			return
		}
		if n, err := contents.ParseNote(o.Data); err == nil {
			notes[strings.TrimSuffix(path.Base(f.Name), ".yaml")] = n
		}
	})
	return notes
}

package follow

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// Notes reads what the knowledge says of lines.
func (fo *Follower) Notes(ctx context.Context) map[string]commits.LineNote {
	return fo.NotesIn(fo.history.State())
}

// NotesIn reads that of a state of the knowledge. What cannot be read says nothing: a note
// never keeps a line from being used. What is noted in private of a line counts before what all
// know of it.
func (fo *Follower) NotesIn(state string) map[string]commits.LineNote {
	notes := map[string]commits.LineNote{}
	if fo.history.MayRead(state) != nil {
		return notes
	}
	for _, dir := range []string{contents.LinesDir, contents.Private(contents.LinesDir)} {
		tip := contents.Half(state, dir)
		if tip == "" {
			continue
		}
		entries, err := fo.contents.ItemFolder(tip + ":" + dir)
		if err != nil {
			continue
		}
		sum := contents.Tally{Bound: contents.LineBound}
		_ = fo.contents.EachItem(contents.LineBound.BoundedFiles(dir, entries), func(f gittree.Entry, o git.Object, err error) {
			if err != nil || o.Type != "blob" || sum.Add(f.Name, len(o.Data)) != nil {
				return
			}
			if n, err := contents.ParseNote(o.Data); err == nil {
				notes[strings.TrimSuffix(path.Base(f.Name), ".yaml")] = n
			}
		})
	}
	return notes
}

// NoteFile is where it is noted what became of a line: of a private one where nothing leaves, its
// name included. Where that cannot be looked up nothing can be noted.
func (fo *Follower) NoteFile(line string) (string, error) {
	list, err := fo.repo.PrivateLines()
	if err != nil {
		return "", fmt.Errorf("look whether '%s' is private: %w", line, err)
	}
	file := contents.NotePath(line)
	if slices.ContainsFunc(list, func(p repo.PrivateLine) bool { return p.Name == line }) {
		return contents.Private(file), nil
	}
	return file, nil
}

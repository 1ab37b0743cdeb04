package repo

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/worktree"
	"github.com/git-sage/git-sage/internal/environ"
)

// Outside of git each folder has a line of its own in the user's store, named by the folder
// and a sum of its path: notes-3f2a91c0. A folder below one that has a line is on that,
// but not below the home folder, or what that lies in: a thought that was saved there
// would take everything along. What lies elsewhere later has another path, and so another
// line; the old one is found by its name.

// A folderLine is a folder outside of git, and its line.
type folderLine struct {
	Line string
	File string // what names the files that say where somebody stands there, without extension
}

// FoldersDir holds, for folders outside of git, what a work tree's git directory does.
func (rp *Repo) FoldersDir() string { return rp.Dir("folders") }

// findFolder is the line of the folder, or of the nearest one above it that has one: it
// was saved on, or somebody switched there.
func (rp *Repo) findFolder() folderLine {
	heads, _ := rp.Refs(context.Background(), refname.HeadsPrefix) // those of none is a folder without a line
	here := worktree.WithoutLinks(rp.Options.Folder)
	home := worktree.WithoutLinks(environ.Get(rp.Options.Env, "HOME"))
	for dir := here; ; dir = filepath.Dir(dir) {
		f := rp.folderAt(dir)
		if fsx.There(f.File+".line") || slices.ContainsFunc(heads, func(r refname.Ref) bool { return r.Name == refname.HeadRef(f.Line) }) {
			return f
		}
		if above := filepath.Dir(dir); above == dir || isAtOrAbove(above, home) {
			return rp.folderAt(here)
		}
	}
}

// isAtOrAbove reports whether a folder is dir, or one that it lies in.
func isAtOrAbove(folder, dir string) bool {
	rel, err := filepath.Rel(folder, dir)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

func (rp *Repo) folderAt(dir string) folderLine {
	sum := refname.Hash16(filepath.ToSlash(dir))
	return folderLine{rp.folderName(dir, sum), filepath.Join(rp.FoldersDir(), sum)}
}

// folderName is the name of a folder as a line can have it, with the beginning of its sum.
func (rp *Repo) folderName(dir, sum string) string {
	const most = 60
	base := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '-' || r == '_':
			return r
		case r < utf8.RuneSelf && r != ' ' && r != '.':
			return -1
		}
		return '-'
	}, strings.ToLower(filepath.Base(dir)))
	base = strings.Trim(base[:min(len(base), most)], "-_")
	name := base + "-" + record.Short(sum)
	if base == "" || rp.CheckNewName(name) != nil {
		return "folder-" + record.Short(sum)
	}
	return name
}

// HasLine reports whether there is a line of a name.
func (rp *Repo) HasLine(name string) bool {
	tip, err := rp.Tip(context.Background(), refname.HeadRef(name))
	return err == nil && tip != ""
}

// MakeFoldersDir makes room for what is kept of the folder.
func (rp *Repo) MakeFoldersDir() error {
	if rp.Options.Folder == "" {
		return nil
	}
	if err := fsx.Mkdir(rp.FoldersDir()); err != nil {
		return fmt.Errorf("%w: %w", ErrNotKept, err)
	}
	return nil
}

// CurrentFile is where the line is kept that somebody switched to in this work tree, or
// outside of git in this folder.
func (rp *Repo) CurrentFile() string {
	if rp.Options.Folder != "" {
		return rp.FolderHere().File + ".line"
	}
	return rp.WorktreeDir("line")
}

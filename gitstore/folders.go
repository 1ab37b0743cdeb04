package gitstore

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// Outside of git each folder has a line of its own in the user's store, named by the folder
// and a sum of its path: notes-3f2a91c0. A folder below one that has a line is on that,
// but not below the home folder, or what that lies in: a thought that was saved there
// would take everything along. What lies elsewhere later has another path, and so another
// line; the old one is found by its name.

// A folderLine is a folder outside of git, and its line.
type folderLine struct {
	line string
	file string // what names the files that say where somebody stands there, without extension
}

// foldersDir holds, for folders outside of git, what a work tree's git directory does.
func (s *Store) foldersDir() string { return s.dir("folders") }

// findFolder is the line of the folder, or of the nearest one above it that has one: it
// was saved on, or somebody switched there.
func (s *Store) findFolder() folderLine {
	heads, _ := s.refs(context.Background(), headsPrefix) // those of none is a folder without a line
	here := withoutLinks(s.o.Folder)
	home := withoutLinks(variable(s.o.Env, "HOME"))
	for dir := here; ; dir = filepath.Dir(dir) {
		f := s.folderAt(dir)
		if there(f.file+".line") || slices.ContainsFunc(heads, func(r ref) bool { return r.name == headRef(f.line) }) {
			return f
		}
		if above := filepath.Dir(dir); above == dir || isAtOrAbove(above, home) {
			return s.folderAt(here)
		}
	}
}

// isAtOrAbove reports whether a folder is dir, or one that it lies in.
func isAtOrAbove(folder, dir string) bool {
	rel, err := filepath.Rel(folder, dir)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

func (s *Store) folderAt(dir string) folderLine {
	sum := hash16(filepath.ToSlash(dir))
	return folderLine{s.folderName(dir, sum), filepath.Join(s.foldersDir(), sum)}
}

// folderName is the name of a folder as a line can have it, with the beginning of its sum.
func (s *Store) folderName(dir, sum string) string {
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
	name := base + "-" + short(sum)
	if base == "" || s.checkNewName(name) != nil {
		return "folder-" + short(sum)
	}
	return name
}

// HasLine reports whether there is a line of a name.
func (s *Store) HasLine(name string) bool {
	tip, err := s.tip(context.Background(), headRef(name))
	return err == nil && tip != ""
}

// makeFoldersDir makes room for what is kept of the folder.
func (s *Store) makeFoldersDir() error {
	if s.o.Folder == "" {
		return nil
	}
	if err := fsx.Mkdir(s.foldersDir()); err != nil {
		return fmt.Errorf("%w: %w", ErrNotKept, err)
	}
	return nil
}

// currentFile is where the line is kept that somebody switched to in this work tree, or
// outside of git in this folder.
func (s *Store) currentFile() string {
	if s.o.Folder != "" {
		return s.folderHere().file + ".line"
	}
	return s.worktreeDir("line")
}

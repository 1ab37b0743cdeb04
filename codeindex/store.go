package codeindex

import (
	"path/filepath"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall/embed"
)

// Of opens the index of the repository of a store. Its files lie where the store keeps what
// can be made again from git: a purge removes them, and fsck need not look at them.
func Of(s *gitstore.Store, model embed.Embedder, include, exclude []string) *Index {
	id, err := s.Knowledge.Identity()
	dir := s.Knowledge.SidecarDir()
	switch {
	case err != nil: // nobody could tell later that files are this repository's
		dir = ""
	case dir == s.Repo.Dir("cache", "search"):
		dir = s.Repo.Dir("cache", "code")
	default:
		dir = filepath.Join(dir, "code")
	}
	cache := ""
	if home := s.Repo.Options.Home; home != "" {
		cache = filepath.Join(home, "cache", "grammars")
	}
	objects := s.Repo.Git.Batch()
	x := Open(Options{
		Git: s.Repo.Unfiltered(), Top: s.Repo.Top(), SHA256: s.Repo.SHA256(), Dir: dir, Cache: cache, ID: id, Model: model,
		Include: include, Exclude: exclude, NoCode: s.Repo.Options.Global,
		Blob: func(oid string) ([]byte, error) {
			o, err := objects.Get(oid)
			return o.Data, err
		},
	})
	x.close = objects.Close
	return x
}

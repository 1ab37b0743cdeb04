package codeindex

import (
	"path/filepath"

	"github.com/git-sage/git-sage/codeindex/projects"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall/embed"
)

// Of opens the index of the repository of a store. Its files lie where the store keeps what
// can be made again from git: a purge removes them, and fsck need not look at them. The home
// of the user remembers that there is one.
func Of(s *gitstore.Store, model embed.Embedder, include, exclude []string, kept *Kept) *Index {
	return open(s, Options{Model: model, Include: include, Exclude: exclude, Kept: kept, Registry: projects.In(s.Repo.Options.Home)})
}

// AsIs opens the index of a repository that somebody else works in: nothing is indexed,
// embedded or removed.
func AsIs(s *gitstore.Store, model embed.Embedder, include, exclude []string) *Index {
	return open(s, Options{Model: model, Include: include, Exclude: exclude, AsIs: true})
}

func open(s *gitstore.Store, o Options) *Index {
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
	if home := s.Repo.Options.Home; home != "" {
		o.Cache = filepath.Join(home, "cache", "grammars")
	}
	objects := s.Repo.Git.Batch()
	o.Git, o.Top, o.SHA256, o.NoCode = s.Repo.Unfiltered(), s.Repo.Top(), s.Repo.SHA256(), s.Repo.Options.Global
	o.Dir, o.ID, o.Project = dir, id, projects.Of(s)
	o.Blob = func(oid string) ([]byte, error) {
		o, err := objects.Get(oid)
		return o.Data, err
	}
	x := Open(o)
	x.close = objects.Close
	return x
}

package codeindex

import (
	"context"
	"maps"
	"path"
	"slices"

	"github.com/git-sage/git-sage/codeindex/internal/segment"
	"github.com/git-sage/git-sage/codeindex/internal/words"
)

// A Weight is how much rests on a file, and how much it is worked on.
type Weight struct {
	Path    string
	Users   int // other files that call what this one alone defines
	Commits int // that changed it, of those that were read
}

// Weights are those of the files of the work tree with code, in the order of their paths:
// tests, documents and data have none, and neither have their calls. It reads commits that are
// new first.
func (x *Index) Weights(ctx context.Context) (out []Weight, err error) {
	v, err := x.current(ctx, "")
	if err != nil {
		return nil, err
	}
	if err := x.ReadHistory(ctx, "", false); err != nil {
		return nil, err
	}
	past := x.past(ctx, "")()
	err = x.read(func([]*part) error {
		l := x.live(v)
		users, err := l.users()
		for _, at := range l.list {
			if l.isCode(at) {
				w := Weight{Path: l.fileOf(at), Users: len(users[at])}
				if past != nil {
					w.Commits = past.Changes(w.Path)
				}
				out = append(out, w)
			}
		}
		return err
	})
	return out, err
}

// isCode reports whether a file has code that is no test.
func (l *live) isCode(at place) bool {
	f, file := l.parts[at.part].File(at.file), l.fileOf(at)
	return f.N > 0 && f.Language != "" && !isData(f.Language) && !isDoc(file) && !IsTest(file)
}

// isData reports whether a language holds no code.
func isData(language string) bool {
	return slices.Contains([]string{"json", "yaml", "toml", "ini"}, language)
}

// users are the files that call what each file alone defines, and lie in the same folder or
// name it or its folder, as who imports it does: without that a function called Run would have
// all callers of other things of that name. For the same reason methods do not count.
func (l *live) users() (map[place]map[place]bool, error) {
	owners := map[words.Term]place{}
	nobody := place{-1, -1}
	for _, at := range l.list {
		f := l.parts[at.part].File(at.file)
		for c := uint32(f.Chunk); l.isCode(at) && c < uint32(f.Chunk+f.N); c++ {
			if kind := l.parts[at.part].KindOf(c); kind == "method" || kind == "field" {
				continue
			}
			info, err := l.parts[at.part].Chunk(c)
			if err != nil {
				return nil, err
			}
			name := words.Hash(info.Name)
			if owner, ok := owners[name]; info.Name != "" && ok && owner != at {
				owners[name] = nobody
			} else if info.Name != "" {
				owners[name] = at
			}
		}
	}
	users := map[place]map[place]bool{}
	for part, p := range l.parts {
		if err := p.Calls(func(name words.Term, c uint32) {
			owner, ok := owners[name]
			user := place{part, p.FileOf(c)}
			if !ok || owner == nobody || owner == user || !l.may(part, c) || !l.isCode(user) {
				return
			}
			if users[owner] == nil {
				users[owner] = map[place]bool{}
			}
			users[owner][user] = true
		}); err != nil {
			return nil, err
		}
	}
	naming := map[string]map[place]bool{}
	for owner, list := range users {
		file := l.fileOf(owner)
		stem, folder := stemOf(file), path.Base(path.Dir(file))
		for _, name := range []string{stem, folder} {
			if naming[name] == nil {
				var err error
				if naming[name], err = l.with(name); err != nil {
					return nil, err
				}
			}
		}
		maps.DeleteFunc(list, func(user place, _ bool) bool {
			return path.Dir(l.fileOf(user)) != path.Dir(file) && !naming[stem][user] && !naming[folder][user]
		})
	}
	return users, nil
}

func (l *live) fileOf(at place) string { return l.view.Files[l.at[at.part][at.file]].Path }

// with are the files that have a name in their text.
func (l *live) with(name string) (map[place]bool, error) {
	out := map[place]bool{}
	terms := words.Of(name)
	if len(terms) == 0 {
		return out, nil
	}
	whole := terms[len(terms)-1] // the parts come first
	for part, p := range l.parts {
		if err := p.Postings(whole, func(c uint32, _ segment.TF) { out[place{part, p.FileOf(c)}] = true }); err != nil {
			return nil, err
		}
	}
	return out, nil
}

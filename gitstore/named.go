package gitstore

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/prose/cut"
)

// at is what the session last saw, else the newest checkpoint of its line.
func (s *Store) at(ctx context.Context) (string, error) {
	t := s.stand()
	if t.Seen != "" {
		id, err := s.liveAt(ctx, t.ref(), t.Seen)
		if err == nil && id == "" {
			err = fmt.Errorf("%w: all that led here is removed", ErrNotFound)
		}
		return id, err
	}
	r, err := s.latest(ctx, t.ref())
	if err != nil {
		return "", err
	}
	if r == nil {
		return "", fmt.Errorf("%w: line '%s' has none yet", ErrNotFound, t.Line)
	}
	return r.ID, nil
}

// formerly asks the reflog of a line.
func (s *Store) formerly(ctx context.Context, base string) (string, error) {
	name, when, _ := strings.Cut(base, "@{")
	if name == "" {
		name = s.CurrentLine()
	}
	if CheckName(name) != nil || strings.ContainsAny(when, "\n\x00~^:") {
		return "", fmt.Errorf("%w: '%s'", ErrNotFound, base)
	}
	id, err := s.tip(ctx, headRef(name)+"@{"+when)
	if err != nil || id == "" {
		return "", fmt.Errorf("%w: '%s'", ErrNotFound, base)
	}
	return s.skipTombstones(id)
}

func (s *Store) ofRef(ctx context.Context, name string) (string, error) {
	id, err := s.tip(ctx, name)
	if err == nil && id == "" {
		err = fmt.Errorf("%w: '%s'", ErrNotFound, shortRef(name))
	}
	if err != nil {
		return "", err
	}
	return s.skipTombstones(id)
}

// named looks for a line, a tag or a fork. It returns "" if there is none.
func (s *Store) named(ctx context.Context, name string) (string, error) {
	line, fork, isFork := strings.Cut(name, "/")
	if CheckName(line) != nil || isFork && CheckName(fork) != nil {
		return "", nil
	}
	want := []string{forksPrefix + name}
	if !isFork {
		want = []string{headRef(name), tagsPrefix + name}
	}
	refs, err := s.refs(ctx, want...)
	if err != nil {
		return "", err
	}
	for _, w := range want {
		if i := slices.IndexFunc(refs, func(r ref) bool { return r.name == w }); i >= 0 {
			return s.meant(ctx, refs[i])
		}
	}
	return "", nil
}

// meant is what a name means: of a line or fork the newest checkpoint that is not
// removed, as lists show it; if all are, the newest.
func (s *Store) meant(ctx context.Context, r ref) (string, error) {
	if !strings.HasPrefix(r.name, tagsPrefix) {
		if id, err := s.liveAt(ctx, r.name, r.id); id != "" || err != nil {
			return id, err
		}
	}
	return s.skipTombstones(r.id)
}

// prefix looks among our own commits only. git may have other objects that
// begin alike, and commits of ours that a lost race left behind.
func (s *Store) prefix(ctx context.Context, p string) (string, error) {
	out, err := s.git.Run(ctx, "rev-parse", "--disambiguate="+p)
	if err != nil {
		return "", fmt.Errorf("look up '%s': %w", p, err)
	}
	var ours []Record
	ids, gone := s.purgedPrefix(p)
	for l := range strings.Lines(string(out)) {
		if id := strings.TrimSuffix(l, "\n"); s.standIn(id) == id {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		if r, err := s.commitRecord(id); err == nil {
			ours = append(ours, r)
		}
	}
	if len(ours) > 1 {
		ours = slices.DeleteFunc(ours, func(r Record) bool { return !s.reachable(ctx, r.ID) })
	}
	switch len(ours) {
	case 0:
		if gone {
			return "", fmt.Errorf("%w: '%s'", ErrPurged, p)
		}
		return "", nil
	case 1:
		return ours[0].ID, nil
	}
	return "", &AmbiguousError{Prefix: p, Candidates: ours}
}

func (s *Store) reachable(ctx context.Context, id string) bool {
	out, err := s.git.Run(ctx, "rev-list", "--max-count=1", id, "--not", "--glob="+headsPrefix, "--glob="+forksPrefix, "--glob="+tagsPrefix, "--glob="+remotePrefix)
	return err == nil && len(out) == 0
}

var onlyTime = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d$`) })

// alias looks for an id that a checkpoint had before it was imported: of those that begin
// with a time, the time alone will do.
func (s *Store) alias(ctx context.Context, name string) (string, error) {
	missing := fmt.Errorf("%w: '%s'", ErrNotFound, sage.OneLine(cut.Runes(name, 100)))
	if name == "" || len(name) > maxTrailer || strings.ContainsAny(name, "\n\x00") {
		return "", missing
	}
	named := func(alias string) bool {
		return alias == name || onlyTime().MatchString(name) && strings.HasPrefix(alias, name+"_")
	}
	var found []Record
	err := s.git.Records(ctx, func(b []byte) bool {
		var r Record
		if r.parse(b) && slices.ContainsFunc(r.Aliases, named) {
			found = append(found, r)
		}
		return len(found) < 2
	}, "log", "-z", "--encoding=none", "--no-show-signature", "--no-notes", "--no-color", "--no-decorate", logFormat+"\x1f%B",
		"-F", "--grep=Sage-Alias: "+escapeTrailer(name), "--glob="+headsPrefix, "--glob="+forksPrefix, "--glob="+tagsPrefix)
	switch {
	case err != nil:
		return "", logError(err)
	case len(found) == 0:
		return "", missing
	case len(found) > 1:
		return "", &AmbiguousError{Prefix: name, Candidates: found}
	}
	return found[0].ID, nil
}

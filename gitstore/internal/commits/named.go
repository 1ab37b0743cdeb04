package commits

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/prose/cut"
)

// at is what the session last saw, else the newest checkpoint of its line.
func (cs *Commits) at(ctx context.Context) (string, error) {
	t := cs.session.Stand()
	if t.Seen != "" {
		id, err := cs.LiveAt(ctx, t.On(), t.Seen)
		if err == nil && id == "" {
			err = fmt.Errorf("%w: every checkpoint up to here was removed", repo.ErrNotFound)
		}
		return id, err
	}
	r, err := cs.Latest(ctx, t.On())
	if err != nil {
		return "", err
	}
	if r == nil {
		return "", &NotFoundError{Kind: "checkpoint on line", Name: t.Line}
	}
	return r.ID, nil
}

// formerly asks the reflog of a line.
func (cs *Commits) formerly(ctx context.Context, base string) (string, error) {
	name, when, _ := strings.Cut(base, "@{")
	if name == "" {
		name = cs.session.CurrentLine()
	}
	if refname.CheckName(name) != nil || strings.ContainsAny(when, "\n\x00~^:") {
		return "", &NotFoundError{Name: base}
	}
	id, err := cs.repo.Tip(ctx, refname.HeadRef(name)+"@{"+when)
	if err != nil || id == "" {
		return "", &NotFoundError{Name: base}
	}
	return cs.SkipTombstones(id)
}

func (cs *Commits) ofRef(ctx context.Context, name string) (string, error) {
	id, err := cs.repo.Tip(ctx, name)
	if err == nil && id == "" {
		err = &NotFoundError{Name: refname.ShortRef(name)}
	}
	if err != nil {
		return "", err
	}
	return cs.SkipTombstones(id)
}

// named looks for a line, a tag or a fork. It returns "" if there is none.
func (cs *Commits) named(ctx context.Context, name string) (string, error) {
	line, fork, isFork := strings.Cut(name, "/")
	if refname.CheckName(line) != nil || isFork && refname.CheckName(fork) != nil {
		return "", nil
	}
	want := []string{refname.ForksPrefix + name}
	if !isFork {
		want = []string{refname.HeadRef(name), refname.TagsPrefix + name}
	}
	refs, err := cs.repo.Refs(ctx, want...)
	if err != nil {
		return "", err
	}
	for _, w := range want {
		if i := slices.IndexFunc(refs, func(r refname.Ref) bool { return r.Name == w }); i >= 0 {
			return cs.meant(ctx, refs[i])
		}
	}
	return "", nil
}

// meant is what a name means: of a line or fork the newest checkpoint that is not
// removed, as lists show it; if all are, the newest.
func (cs *Commits) meant(ctx context.Context, r refname.Ref) (string, error) {
	if !strings.HasPrefix(r.Name, refname.TagsPrefix) {
		if id, err := cs.LiveAt(ctx, r.Name, r.ID); id != "" || err != nil {
			return id, err
		}
	}
	return cs.SkipTombstones(r.ID)
}

// prefix looks among our own commits only. git may have other objects that
// begin alike, and commits of ours that a lost race left behind.
func (cs *Commits) prefix(ctx context.Context, p string) (string, error) {
	// The git that reads objects may not know yet what others wrote meanwhile.
	out, err := cs.repo.Git.Run(ctx, "rev-parse", "--disambiguate="+p)
	if err != nil {
		return "", fmt.Errorf("look up '%s': %w", p, err)
	}
	var ours []record.Record
	ids, gone := cs.rewritten.PurgedPrefix(p)
	for _, id := range strings.Fields(string(out)) {
		if cs.rewritten.StandIn(id) == id {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		if r, err := cs.CommitRecord(id); err == nil {
			ours = append(ours, r)
		}
	}
	if len(ours) > 1 {
		ours = slices.DeleteFunc(ours, func(r record.Record) bool { return !cs.reachable(ctx, r.ID) })
	}
	switch len(ours) {
	case 0:
		if gone {
			return "", fmt.Errorf("%w: '%s'", rewritten.ErrPurged, p)
		}
		return "", nil
	case 1:
		return ours[0].ID, nil
	}
	return "", &record.AmbiguousError{Prefix: p, Candidates: ours}
}

func (cs *Commits) reachable(ctx context.Context, id string) bool {
	out, err := cs.repo.Git.Run(ctx, "rev-list", "--max-count=1", id, "--not", "--glob="+refname.HeadsPrefix, "--glob="+refname.ForksPrefix, "--glob="+refname.TagsPrefix, "--glob="+refname.RemotePrefix)
	return err == nil && len(out) == 0
}

var onlyTime = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d$`) })

// alias looks for an id that a checkpoint had before it was imported: of those that begin
// with a time, the time alone will do.
func (cs *Commits) alias(ctx context.Context, name string) (string, error) {
	missing := &NotFoundError{Name: legible.OneLine(cut.Runes(name, 100))}
	if name == "" || len(name) > record.MaxTrailer || strings.ContainsAny(name, "\n\x00") {
		return "", missing
	}
	named := func(alias string) bool {
		return alias == name || onlyTime().MatchString(name) && strings.HasPrefix(alias, name+"_")
	}
	var found []record.Record
	err := cs.repo.Git.Records(ctx, func(b []byte) bool {
		var r record.Record
		if r.Parse(b) && slices.ContainsFunc(r.Aliases, named) {
			found = append(found, r)
		}
		return len(found) < 2
	}, "log", "-z", "--encoding=none", "--no-show-signature", "--no-notes", "--no-color", "--no-decorate", logFormat+"\x1f%B",
		"-F", "--grep=Sage-Alias: "+record.EscapeTrailer(name), "--glob="+refname.HeadsPrefix, "--glob="+refname.ForksPrefix, "--glob="+refname.TagsPrefix)
	switch {
	case err != nil:
		return "", LogError(err)
	case len(found) == 0:
		return "", missing
	case len(found) > 1:
		return "", &record.AmbiguousError{Prefix: name, Candidates: found}
	}
	return found[0].ID, nil
}

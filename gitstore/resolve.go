package gitstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// minPrefix is the shortest prefix of an id, as in git.
const minPrefix = 4

// Resolve returns the id of the checkpoint that rev means: a line, a fork
// (main/3f2a91c0), a tag, an id or a unique prefix of one, an id that it had
// elsewhere, @ or HEAD for what the session last saw, <line>@{yesterday} for what a line
// was; each followed by any of ~n and ^n. It never looks at the user's own refs.
func (s *Store) Resolve(ctx context.Context, rev string) (string, error) {
	base, steps, err := splitRev(rev)
	if err != nil {
		return "", err
	}
	id, err := s.base(ctx, base)
	if err != nil {
		return "", err
	}
	for _, st := range steps {
		if id, err = s.step(ctx, id, st); err != nil {
			return "", fmt.Errorf("'%s': %w", rev, err)
		}
	}
	return id, nil
}

// A step goes from a checkpoint to an ancestor: n generations back (~n), or to
// its n-th parent (^n).
type step struct {
	back bool
	n    int
}

func splitRev(rev string) (base string, steps []step, err error) {
	at := strings.IndexAny(rev, "~^")
	if at < 0 {
		return rev, nil, nil
	}
	base = rev[:at]
	for rest := rev[at:]; rest != ""; {
		st := step{back: rest[0] == '~', n: 1}
		end := 1
		for end < len(rest) && rest[end] >= '0' && rest[end] <= '9' {
			end++
		}
		if end > 1 {
			if st.n, err = strconv.Atoi(rest[1:end]); err != nil || st.n > 1<<20 {
				return "", nil, fmt.Errorf("%w: '%s'", ErrNotFound, rev)
			}
		}
		if rest = rest[end:]; rest != "" && rest[0] != '~' && rest[0] != '^' {
			return "", nil, fmt.Errorf("%w: '%s'", ErrNotFound, rev)
		}
		steps = append(steps, st)
	}
	return base, steps, nil
}

// step walks over checkpoints; tombstones do not count.
func (s *Store) step(ctx context.Context, id string, st step) (string, error) {
	if !st.back {
		return s.nthParent(id, st.n)
	}
	var err error
	for range st.n {
		if id, err = s.nthParent(id, 1); err != nil {
			return "", err
		}
	}
	return id, ctx.Err()
}

func (s *Store) nthParent(id string, n int) (string, error) {
	if n == 0 {
		return id, nil
	}
	r, err := s.commitRecord(id)
	if err != nil {
		return "", err
	}
	if n > len(r.Parents) {
		return "", fmt.Errorf("%w: %s has %d parents", ErrNotFound, short(id), len(r.Parents))
	}
	return s.skipTombstones(r.Parents[n-1])
}

func (s *Store) skipTombstones(id string) (string, error) {
	for {
		r, err := s.commitRecord(id)
		if err != nil || r.Kind != KindTombstone {
			return id, err
		}
		if len(r.Parents) == 0 {
			return "", ErrNotFound
		}
		id = r.Parents[0]
	}
}

func (s *Store) base(ctx context.Context, base string) (string, error) {
	switch {
	case base == "@" || base == "" || base == "HEAD": // as git has it; no line is called so
		return s.at(ctx)
	case strings.Contains(base, "@{") && strings.HasSuffix(base, "}"):
		return s.formerly(ctx, base)
	case strings.HasPrefix(base, "refs/sage/"):
		return s.ofRef(ctx, base)
	case len(base) == len(s.objects.Zero()) && isHex(base): // a whole id: nothing to look up
		_, err := s.commitRecord(base)
		return base, err
	}
	if id, err := s.named(ctx, base); id != "" || err != nil {
		return id, err
	}
	if p := strings.ToLower(base); len(p) >= minPrefix && isHex(p) {
		if id, err := s.prefix(ctx, p); id != "" || err != nil {
			return id, err
		}
	}
	return s.alias(ctx, base)
}

// at is what the session last saw, else the newest checkpoint of its line.
func (s *Store) at(ctx context.Context) (string, error) {
	t := s.stand()
	if t.Seen != "" {
		return t.Seen, nil
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
			return s.skipTombstones(refs[i].id)
		}
	}
	return "", nil
}

// prefix looks among our own commits only. git may have other objects that
// begin alike, and commits of ours that a lost race left behind.
func (s *Store) prefix(ctx context.Context, p string) (string, error) {
	out, err := s.git.Run(ctx, "rev-parse", "--disambiguate="+p)
	if err != nil {
		return "", fmt.Errorf("look up '%s': %w", p, err)
	}
	var ours []Record
	for l := range strings.Lines(string(out)) {
		if r, err := s.commitRecord(strings.TrimSuffix(l, "\n")); err == nil {
			ours = append(ours, r)
		}
	}
	if len(ours) > 1 {
		ours = slices.DeleteFunc(ours, func(r Record) bool { return !s.reachable(ctx, r.ID) })
	}
	switch len(ours) {
	case 0:
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

// alias looks for an id that a checkpoint had before it was imported.
func (s *Store) alias(ctx context.Context, name string) (string, error) {
	missing := fmt.Errorf("%w: '%s'", ErrNotFound, sage.OneLine(clip(name, 100)))
	if name == "" || len(name) > maxTrailer || strings.ContainsAny(name, "\n\x00") {
		return "", missing
	}
	var found []Record
	err := s.git.Records(ctx, func(b []byte) bool {
		var r Record
		if r.parse(b) && slices.Contains(r.Aliases, name) {
			found = append(found, r)
		}
		return len(found) < 2
	}, "log", "-z", "--encoding=UTF-8", "--no-show-signature", "--no-notes", "--no-color", "--no-decorate", logFormat+"\x1f%B",
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

// Load returns the checkpoint that rev means, with all its fields.
func (s *Store) Load(ctx context.Context, rev string) (*sage.Checkpoint, error) {
	id, err := s.Resolve(ctx, rev)
	if err != nil {
		return nil, err
	}
	return s.load(id)
}

// LoadAll returns the checkpoints with these ids, in their order.
func (s *Store) LoadAll(ctx context.Context, ids []string) ([]*sage.Checkpoint, error) {
	out := make([]*sage.Checkpoint, 0, len(ids))
	for _, id := range ids {
		c, err := s.load(id)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, ctx.Err()
}

func (s *Store) load(id string) (*sage.Checkpoint, error) {
	r, err := s.commitRecord(id)
	if err != nil {
		return nil, err
	}
	if r.Kind == KindTombstone {
		return nil, fmt.Errorf("%w: '%s' is a tombstone", ErrNotFound, short(id))
	}
	o, err := s.batch.Get(id + ":checkpoint.md")
	if errors.Is(err, git.ErrMissing) {
		return nil, fmt.Errorf("read checkpoint %s: its text is missing; run 'git sage fsck'", short(id))
	}
	if err != nil {
		return nil, fmt.Errorf("read checkpoint %s: %w", short(id), err)
	}
	c, err := sage.Parse(o.Data)
	if err != nil {
		return nil, fmt.Errorf("read checkpoint %s: %w", short(id), err)
	}
	c.ID, c.Parents, c.Author = id, r.Parents, person{r.Author, r.Email}.String()
	return c, nil
}

// Raw returns the Markdown of a checkpoint as it is stored.
func (s *Store) Raw(ctx context.Context, rev string) ([]byte, error) {
	id, err := s.Resolve(ctx, rev)
	if err != nil {
		return nil, err
	}
	o, err := s.batch.Get(id + ":checkpoint.md")
	if err != nil {
		return nil, fmt.Errorf("read checkpoint %s: %w", short(id), err)
	}
	return o.Data, nil
}

package gitstore

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// logFormat is one record: fields apart by unit separators, the message last.
// Names cannot hold a control character, git takes them out.
const logFormat = "--format=%H\x1f%P\x1f%an\x1f%ae\x1f%at\x1f%ct\x1f"

func (r *Record) parse(b []byte) bool {
	f := strings.SplitN(string(b), "\x1f", 8)
	if len(f) != 8 {
		return false
	}
	r.ID, r.Author, r.Email, r.Signature = f[0], f[2], f[3], f[6]
	r.Parents = strings.Fields(f[1])
	r.Time, r.Recorded = unix(f[4]), unix(f[5])
	return r.parseMessage(f[7])
}

// Log returns the checkpoints that q chooses, newest first. Tombstones and what
// they remove are left out unless q asks for them.
func (s *Store) Log(ctx context.Context, q Query) ([]Record, error) {
	if _, err := regexp.Compile(norm.NFC.String(q.Grep)); err != nil {
		return nil, &FilterError{"grep", err}
	}
	if err := checkDates(q.Since, q.Until); err != nil {
		return nil, err
	}
	v := s.look(ctx)
	revs, err := s.range_(ctx, q, v)
	if err != nil || len(revs) == 0 {
		return nil, err
	}
	out, enough, err := s.collect(ctx, q, v, revs, slack)
	if q.Since != "" && lacksFilter(err) {
		if q, err = s.filterHere(ctx, q); err == nil {
			out, enough, err = s.collect(ctx, q, v, revs, slack)
		}
	}
	if err == nil && !enough { // too many of the first were left out
		out, _, err = s.collect(ctx, q, v, revs, 0)
	}
	if err == nil && q.Reverse {
		slices.Reverse(out)
	}
	return out, err
}

// slack is how many more commits than asked for git is told to list at first,
// for those that are left out. It costs 12 µs a commit.
const slack = 8

// collect runs git log once. With a limit it reports whether the limit left
// enough.
func (s *Store) collect(ctx context.Context, q Query, v *view, revs []string, limit int) (out []Record, enough bool, err error) {
	args := logArgs(q)
	if limit > 0 && q.Max > 0 {
		limit += q.Max + q.Skip
		args = append(args, fmt.Sprintf("--max-count=%d", limit))
	}
	keep, skip, seen := s.keeper(ctx, q, v, revs), q.Skip, 0
	order := sorter{hand: func(r *Record) bool {
		if !keep(r) {
			return true
		}
		if skip--; skip < 0 {
			out = append(out, *r)
		}
		return q.Max == 0 || len(out) < q.Max
	}}
	err = s.git.Records(ctx, func(b []byte) bool {
		var r Record
		seen++
		return !r.parse(b) || order.add(r)
	}, append(append(args, "--end-of-options"), revs...)...)
	if err == nil {
		order.flush()
		_, err = v.get()
	}
	if q.Hidden != nil && q.Max > 0 && len(out) == q.Max {
		*q.Hidden = 0
	}
	return out, q.Max == 0 || limit == 0 || len(out) == q.Max || seen < limit, logError(err)
}

func logArgs(q Query) []string {
	sig := ""
	if q.Signatures {
		sig = "%G?"
	}
	args := []string{"log", "-z", "--encoding=none", "--no-show-signature", "--no-notes", "--no-decorate", "--no-color", logFormat + sig + "\x1f%B"}
	for flag, v := range map[string]string{sinceFlag: q.Since, "--until=": q.Until, "--author=": q.Author} {
		if v != "" {
			args = append(args, flag+v)
		}
	}
	if q.Author != "" {
		args = append(args, "-E")
	}
	if q.IgnoreCase {
		args = append(args, "-i")
	}
	return args
}

// sinceFlag leaves out what is older. git's --since ends at the first commit that
// is, which is too early where a clock was set back.
const sinceFlag = "--since-as-filter="

// lacksFilter reports whether git is older than 2.37 and does not know sinceFlag.
func lacksFilter(err error) bool {
	var e *git.Error
	return errors.As(err, &e) && strings.Contains(e.Stderr, "unrecognized argument: "+sinceFlag)
}

// filterHere is q with the date taken from git, which alone knows what dates mean,
// and compared here.
func (s *Store) filterHere(ctx context.Context, q Query) (Query, error) {
	out, err := s.git.Run(ctx, "rev-parse", "--since="+q.Since)
	if err != nil {
		return q, logError(err)
	}
	q.Since, q.from = "", unix(strings.TrimPrefix(text(out), "--max-age="))
	return q, nil
}

func logError(err error) error {
	var e *git.Error
	if errors.As(err, &e) && (strings.Contains(e.Stderr, "unknown revision") || strings.Contains(e.Stderr, "bad revision")) {
		return fmt.Errorf("%w: %w", ErrNotFound, err)
	}
	if isUnreadable(err) {
		return fmt.Errorf("list checkpoints: %w; run 'git sage fsck'", err)
	}
	if err != nil {
		return fmt.Errorf("list checkpoints: %w", err)
	}
	return nil
}

// isUnreadable reports whether git failed over an object that is gone or damaged.
func isUnreadable(err error) bool {
	var e *git.Error
	return errors.As(err, &e) && unreadable().MatchString(e.Stderr)
}

// unreadable is what git says of an object that is gone or damaged.
var unreadable = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)bad object|could not read|unable to read|loose object|corrupt|traverse parents`)
})

// Record returns what the commit message of rev tells.
func (s *Store) Record(ctx context.Context, rev string) (Record, error) {
	ctx = s.viewing(ctx)
	id, err := s.Resolve(ctx, rev)
	if err != nil {
		return Record{}, err
	}
	r, err := s.commitRecord(id)
	if err != nil {
		return r, err
	}
	return r, s.look(ctx).dress(&r)
}

// Records are what the commit messages of checkpoints tell, for who has many whole ids.
func (s *Store) Records(ctx context.Context, ids []string) (list []Record, err error) {
	ctx = s.viewing(ctx)
	found := s.commitRecords(ids)
	for _, id := range ids {
		r, ok := found[id]
		if ok {
			err = s.look(ctx).dress(&r)
		} else {
			r, err = s.Record(ctx, id)
		}
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

// commitRecord reads one commit of ours.
func (s *Store) commitRecord(id string) (Record, error) {
	o, err := s.object(id)
	if errors.Is(err, git.ErrMissing) && s.isDamaged(id) {
		return Record{}, damagedError(short(id))
	}
	r, err := recordOf(id, o, err)
	r.Own = err == nil && s.isOwn(id)
	r.Unconfirmed = r.Agent == sage.Rules && !s.isConfirmed(id)
	return r, err
}

// commitRecords reads those of many commits that are ours and can be read.
func (s *Store) commitRecords(ids []string) map[string]Record {
	found, isOwn := make(map[string]Record, len(ids)), s.owner()
	keep := func(id string, o git.Object, err error) {
		if r, err := recordOf(id, o, err); err == nil {
			r.Own, r.Unconfirmed = isOwn(id), r.Agent == sage.Rules && !s.isConfirmed(id)
			found[id] = r
		}
	}
	whole := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !s.isID(id) })
	_ = s.eachObject(whole, keep) // what is not found is asked for again
	return found
}

func recordOf(id string, o git.Object, err error) (Record, error) {
	if errors.Is(err, git.ErrMissing) {
		return Record{}, fmt.Errorf("%w: '%s'", ErrNotFound, short(id))
	}
	if err != nil {
		return Record{}, err
	}
	if o.Type != "commit" {
		return Record{}, fmt.Errorf("%w: '%s' is a %s", ErrNotFound, short(id), o.Type)
	}
	r := Record{ID: id}
	if !r.parseCommit(o.Data) {
		return r, fmt.Errorf("%w: '%s' is a commit of yours, not a checkpoint", ErrNotFound, short(id))
	}
	return r, nil
}

// parseCommit reads a raw commit.
func (r *Record) parseCommit(b []byte) bool {
	head, msg, _ := bytes.Cut(b, []byte("\n\n"))
	for l := range strings.Lines(string(head)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(l, "\n"), " ")
		switch key {
		case "parent":
			r.Parents = append(r.Parents, value)
		case "author":
			r.Author, r.Email, r.Time = parsePerson(value)
		case "committer":
			_, _, r.Recorded = parsePerson(value)
		}
	}
	return r.parseMessage(string(msg))
}

func parsePerson(s string) (name, mail string, t time.Time) {
	name, rest, _ := strings.Cut(s, " <")
	mail, stamp, _ := strings.Cut(rest, "> ")
	secs, _, _ := strings.Cut(stamp, " ")
	return name, mail, unix(secs)
}

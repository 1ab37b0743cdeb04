package commits

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/sage"
	"golang.org/x/text/unicode/norm"
)

// logFormat is one record: fields apart by unit separators, the message last.
// Names cannot hold a control character, git takes them out.
const logFormat = "--format=%H\x1f%P\x1f%an\x1f%ae\x1f%at\x1f%ct\x1f"

// Log returns the checkpoints that q chooses, newest first. Tombstones and what
// they remove are left out unless q asks for them.
func (cs *Commits) Log(ctx context.Context, q Query) ([]record.Record, error) {
	if _, err := regexp.Compile(norm.NFC.String(q.Grep)); err != nil {
		return nil, &record.FilterError{Field: "grep", Err: err}
	}
	if err := checkDates(q.Since, q.Until); err != nil {
		return nil, err
	}
	v := cs.Look(ctx)
	revs, err := cs.Range(ctx, q, v)
	if err != nil || len(revs) == 0 {
		return nil, err
	}
	out, enough, err := cs.collect(ctx, q, v, revs, slack)
	if q.Since != "" && lacksFilter(err) {
		if q, err = cs.filterHere(ctx, q); err == nil {
			out, enough, err = cs.collect(ctx, q, v, revs, slack)
		}
	}
	if err == nil && !enough { // too many of the first were left out
		out, _, err = cs.collect(ctx, q, v, revs, 0)
	}
	var said *git.Error
	if errors.As(err, &said) && q.Author != "" {
		if why := said.BadAuthor(q.Author); why != "" {
			return nil, &record.FilterError{Field: "author", Err: errors.New(why)}
		}
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
func (cs *Commits) collect(ctx context.Context, q Query, v *view, revs []string, limit int) (out []record.Record, enough bool, err error) {
	args := LogArgs(q)
	if limit > 0 && q.Max > 0 {
		limit += q.Max + q.Skip
		args = append(args, fmt.Sprintf("--max-count=%d", limit))
	}
	keep, skip, seen := cs.keeper(ctx, q, v, revs), q.Skip, 0
	order := Sorter{Hand: func(r *record.Record) bool {
		if !keep(r) {
			return true
		}
		if skip--; skip < 0 {
			out = append(out, *r)
		}
		return q.Max == 0 || len(out) < q.Max
	}}
	err = cs.repo.Git.Records(ctx, func(b []byte) bool {
		var r record.Record
		seen++
		return !r.Parse(b) || order.Add(r)
	}, append(append(args, "--end-of-options"), revs...)...)
	if err == nil {
		order.Flush()
		_, err = v.Get()
	}
	if q.Hidden != nil && q.Max > 0 && len(out) == q.Max {
		*q.Hidden = 0
	}
	return out, q.Max == 0 || limit == 0 || len(out) == q.Max || seen < limit, LogError(err)
}

func LogArgs(q Query) []string {
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
	return errors.As(err, &e) && e.Unrecognized(sinceFlag)
}

// filterHere is q with the date taken from git, which alone knows what dates mean,
// and compared here.
func (cs *Commits) filterHere(ctx context.Context, q Query) (Query, error) {
	out, err := cs.repo.Git.Run(ctx, "rev-parse", "--since="+q.Since)
	if err != nil {
		return q, LogError(err)
	}
	q.Since, q.from = "", record.Unix(strings.TrimPrefix(git.Text(out), "--max-age="))
	return q, nil
}

func LogError(err error) error {
	var e *git.Error
	if errors.As(err, &e) && e.NoRevision() {
		return fmt.Errorf("%w: %w", repo.ErrNotFound, err)
	}
	if isUnreadable(err) {
		return repo.Unsoundf("list checkpoints: %w", err)
	}
	if err != nil {
		return fmt.Errorf("list checkpoints: %w", err)
	}
	return nil
}

// isUnreadable reports whether git failed over an object that is gone or damaged.
func isUnreadable(err error) bool {
	var e *git.Error
	return errors.As(err, &e) && e.Unreadable()
}

// Record returns what the commit message of rev tells.
func (cs *Commits) Record(ctx context.Context, rev string) (record.Record, error) {
	ctx = cs.Viewing(ctx)
	id, err := cs.Resolve(ctx, rev)
	if err != nil {
		return record.Record{}, err
	}
	r, err := cs.CommitRecord(id)
	if err != nil {
		return r, err
	}
	return r, cs.Look(ctx).dress(&r)
}

// Before are the checkpoints before one, first parents alone, the newest first. They end where
// one cannot be read, which a clone may lack.
func (cs *Commits) Before(ctx context.Context, r record.Record) iter.Seq[record.Record] {
	return func(yield func(record.Record) bool) {
		ctx := cs.Viewing(ctx)
		for len(r.Parents) > 0 {
			before, err := cs.CommitRecord(r.Parents[0]) // git's history names it, so that no purge took its place
			if err != nil || cs.Look(ctx).dress(&before) != nil || !yield(before) {
				return
			}
			r = before
		}
	}
}

// Records are what the commit messages of checkpoints tell, for who has many whole ids.
func (cs *Commits) Records(ctx context.Context, ids []string) (list []record.Record, err error) {
	ctx = cs.Viewing(ctx)
	found := cs.CommitRecords(ids)
	for _, id := range ids {
		r, ok := found[id]
		if ok {
			err = cs.Look(ctx).dress(&r)
		} else {
			r, err = cs.Record(ctx, id)
		}
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

// CommitRecord reads one commit of ours.
func (cs *Commits) CommitRecord(id string) (record.Record, error) {
	o, err := cs.repo.Object(id)
	if errors.Is(err, git.ErrMissing) && cs.repo.IsDamaged(id) {
		return record.Record{}, repo.DamagedError(record.Short(id))
	}
	r, err := recordOf(id, o, err)
	r.Own = err == nil && cs.ownership.IsOwn(id)
	r.Mixed = err == nil && !r.Own && cs.ownership.IsMixed(id)
	r.Unconfirmed = r.Agent == sage.Rules && !cs.ownership.IsConfirmed(id)
	return r, err
}

// CommitRecords reads those of many commits that are ours and can be read.
func (cs *Commits) CommitRecords(ids []string) map[string]record.Record {
	found, isOwn := make(map[string]record.Record, len(ids)), cs.ownership.Owner()
	keep := func(id string, o git.Object, err error) {
		if r, err := recordOf(id, o, err); err == nil {
			r.Own, r.Unconfirmed = isOwn(id), r.Agent == sage.Rules && !cs.ownership.IsConfirmed(id)
			r.Mixed = !r.Own && cs.ownership.IsMixed(id)
			found[id] = r
		}
	}
	whole := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !cs.repo.IsID(id) })
	_ = cs.repo.EachObject(whole, keep) // what is not found is asked for again
	return found
}

func recordOf(id string, o git.Object, err error) (record.Record, error) {
	if errors.Is(err, git.ErrMissing) {
		return record.Record{}, &NotFoundError{Name: record.Short(id)}
	}
	if err != nil {
		return record.Record{}, err
	}
	if o.Type != "commit" {
		return record.Record{}, fmt.Errorf("%w: '%s' is a %s", repo.ErrNotFound, record.Short(id), o.Type)
	}
	r := record.Record{ID: id}
	if !r.ParseCommit(o.Data) {
		return r, fmt.Errorf("%w: '%s' is a commit of yours, not a checkpoint", repo.ErrNotFound, record.Short(id))
	}
	return r, nil
}

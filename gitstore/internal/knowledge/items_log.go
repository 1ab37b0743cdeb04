package knowledge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// ItemLog lists the changes of an item, newest first, as [Record]s: the description
// says what was done. "" is every change of the knowledge tree. max bounds their
// number; 0 is all.
func (kn *archive) ItemLog(ctx context.Context, key string, max int) ([]record.Record, error) {
	state, err := kn.history.StateTip(ctx)
	if err != nil || state == "" {
		return nil, err
	}
	if key != "" && CheckKey(key) != nil {
		return nil, &NoItemError{ID: key}
	}
	shared, private := refname.Halves(state)
	most := max
	if private != "" { // of what moved between the two some count once
		most = 0
	}
	out, err := kn.logOf(ctx, shared, key, ItemPath(key), most)
	if err != nil || private == "" {
		return out, err
	}
	alone, err := kn.logOf(ctx, private, key, contents.Private(ItemPath(key)), most)
	if err != nil {
		return nil, err
	}
	out = kn.woven(key, out, alone)
	if max > 0 {
		out = out[:min(len(out), max)]
	}
	return out, nil
}

// woven is one list of the changes of an item, or of all, in either half, newest first. An item
// that moved was removed from one half in the act that wrote it to the other: that is one change.
// Times have seconds: of two in one second that is the newer which is in the half where the item
// was then.
func (kn *archive) woven(key string, shared, private []record.Record) (out []record.Record) {
	logs, files := [2][]record.Record{shared, private}, [2]string{ItemPath(key), contents.Private(ItemPath(key))}
	absent := func(h int, r record.Record) bool {
		if key == "" {
			return false
		}
		_, err := kn.repo.Object(r.ID + ":" + files[h])
		return errors.Is(err, git.ErrMissing)
	}
	moved := func(h int, r record.Record) bool { // the other half changed along, and one of the two has it
		return key != "" && slices.ContainsFunc([][]record.Record{shared, private}[1-h], func(o record.Record) bool {
			return o.Recorded.Equal(r.Recorded) && absent(1-h, o) != absent(h, r)
		})
	}
	at := 0
	if len(private) > 0 && !absent(1, private[0]) {
		at = 1
	}
	for len(logs[0])+len(logs[1]) > 0 {
		h := at
		switch {
		case len(logs[0]) == 0:
			h = 1
		case len(logs[1]) == 0:
			h = 0
		case !logs[0][0].Recorded.Equal(logs[1][0].Recorded):
			h = 0
			if logs[1][0].Recorded.After(logs[0][0].Recorded) {
				h = 1
			}
		}
		r := logs[h][0]
		logs[h] = logs[h][1:]
		switch isMove := moved(h, r); {
		case isMove && absent(h, r):
		case isMove:
			at = 1 - h
			fallthrough
		default:
			out = append(out, r)
		}
	}
	return out
}

// logOf lists the changes of a file, or of all if there is no key, behind a commit.
func (kn *archive) logOf(ctx context.Context, tip, key, file string, max int) ([]record.Record, error) {
	if tip == "" {
		return nil, nil
	}
	args := append(commits.LogArgs(commits.Query{}), "--end-of-options", tip)
	if key != "" {
		args = append(args, "--", file)
	}
	var out []record.Record
	isOwn := kn.ownership.Owner()
	err := kn.repo.Git.Records(ctx, func(b []byte) bool {
		var r record.Record
		if r.Parse(b) {
			r.Own = isOwn(r.ID)
			out = append(out, r)
		}
		return max == 0 || len(out) < max
	}, args...)
	return out, commits.LogError(err)
}

// Item returns an item as it is now. The key of an item of knowledge is its id; that
// of a pinned note is system/<name>, of a skill skills/<name>, of a text that belongs
// to one skills/<skill>/<name>. With @{<when>} behind it, it is the item at another
// time: see [Collection.ItemAt].
func (kn *archive) Item(ctx context.Context, key string) (ItemEntry, error) {
	if key, when, ok := cutWhen(key); ok {
		return kn.ItemAt(ctx, key, when)
	}
	return kn.itemNow(ctx, key, kn.itemAnywhere)
}

// cutWhen takes <key>@{<when>} apart.
func cutWhen(rev string) (key, when string, ok bool) {
	key, rest, ok := strings.Cut(rev, "@{")
	when, ends := strings.CutSuffix(rest, "}")
	return key, when, ok && ends
}

// ItemAt returns an item as it was at another time: a date or time as git reads it
// (yesterday, 2026-03-01, 2.weeks.ago), by the dates of commits; so many of its changes
// ago; or in a commit of the knowledge.
func (kn *archive) ItemAt(ctx context.Context, key, when string) (ItemEntry, error) {
	id, err := kn.knowledgeAt(ctx, key, when)
	if errors.As(err, new(*NoItemError)) {
		return ItemEntry{}, err
	}
	if err != nil {
		return ItemEntry{}, fmt.Errorf("item '%s': %w", key, err)
	}
	if id == "" {
		return ItemEntry{}, &NoItemError{ID: key, When: when}
	}
	if err := kn.history.MayRead(id); err != nil {
		return ItemEntry{}, err
	}
	e, err := kn.itemAnywhere(id, key)
	if errors.Is(err, repo.ErrNotFound) {
		err = &NoItemError{ID: key, When: when}
	}
	e.Old = true
	return e, err
}

// knowledgeAt is the state that the knowledge was in then, "" if there was none.
func (kn *archive) knowledgeAt(ctx context.Context, key, when string) (string, error) {
	if when == "" || strings.ContainsAny(when, "\n\x00~^{}") {
		return "", fmt.Errorf("%w: '@{%s}'", repo.ErrNotFound, when)
	}
	if id := kn.knowledgeCommit(ctx, when); id != "" {
		return id, nil
	}
	if n, err := strconv.Atoi(when); err == nil && 0 <= n && n < 1e6 { // else it is a date such as 20260301
		return kn.changeAgo(ctx, key, n)
	}
	switch {
	case likeAnID(when):
		return "", remedy.For(fmt.Errorf("'@{%s}' %w", legible.OneLine(when), repo.ErrNoCommit), remedy.ListChanges.On().To("lists them"))
	case !commits.IsDate(when):
		return "", fmt.Errorf("'@{%s}' is not a time: give a date such as 2026-03-01, yesterday or 2.weeks.ago, a number of changes back, or a commit of the knowledge", legible.OneLine(when))
	}
	return kn.knowledgeBefore(ctx, when)
}

// changeAgo is the state behind the last change but n of an item.
func (kn *archive) changeAgo(ctx context.Context, key string, n int) (string, error) {
	log, err := kn.ItemLog(ctx, key, n+1)
	switch {
	case err != nil:
		return "", err
	case len(log) == 0:
		return "", nil
	case n >= len(log):
		return "", &NoItemError{ID: key, When: strconv.Itoa(n), Writes: len(log)}
	}
	return kn.stateOf(ctx, log[n].ID), nil
}

// stateOf is the state that is known of a commit of either half, "" if it is of none.
func (kn *archive) stateOf(ctx context.Context, id string) string {
	shared, private := refname.Halves(kn.history.State())
	switch {
	case kn.commits.IsAncestor(ctx, id, shared):
		return id
	case private != "" && kn.commits.IsAncestor(ctx, id, private):
		return refname.State("", id)
	}
	return ""
}

// likeAnID reports whether git, which finds a date in nearly everything, would find one in
// what was meant for an id.
func likeAnID(s string) bool {
	return len(s) >= 4 && record.IsHex(strings.ToLower(s)) && (len(s) >= 40 || strings.ContainsAny(s, "abcdefABCDEF"))
}

// knowledgeBefore is the newest state that is not later. The log of the refs would
// tell what was here then, and a clone has none.
func (kn *archive) knowledgeBefore(ctx context.Context, when string) (string, error) {
	state, err := kn.history.StateTip(ctx)
	if err != nil {
		return "", err
	}
	shared, private := refname.Halves(state)
	for _, tip := range []*string{&shared, &private} {
		if *tip == "" {
			continue
		}
		out, err := kn.repo.Git.Run(ctx, "rev-list", "-1", "--before="+when, "--end-of-options", *tip)
		if err != nil {
			return "", commits.LogError(err)
		}
		*tip = git.Text(out)
	}
	return refname.State(shared, private), nil
}

// knowledgeCommit is the state of the knowledge that an id means, if it is one.
func (kn *archive) knowledgeCommit(ctx context.Context, id string) string {
	if len(id) < 7 || !record.IsHex(strings.ToLower(id)) {
		return ""
	}
	full, err := kn.repo.Tip(ctx, id+"^{commit}")
	if err != nil || full == "" {
		return "" // then it is a date such as 20260301
	}
	return kn.stateOf(ctx, full)
}

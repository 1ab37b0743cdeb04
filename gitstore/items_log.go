package gitstore

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// ItemLog lists the changes of an item, newest first, as [Record]s: the description
// says what was done. "" is every change of the knowledge tree. max bounds their
// number; 0 is all.
func (s *Store) ItemLog(ctx context.Context, key string, max int) ([]Record, error) {
	tip, err := s.KnowledgeTip(ctx)
	if err != nil || tip == "" {
		return nil, err
	}
	args := append(logArgs(Query{}), "--end-of-options", tip)
	if key != "" {
		if err := checkKey(key); err != nil {
			return nil, &NoItemError{ID: key}
		}
		args = append(args, "--", itemPath(key))
	}
	var out []Record
	isOwn := s.owner()
	err = s.git.Records(ctx, func(b []byte) bool {
		var r Record
		if r.parse(b) {
			r.Own = isOwn(r.ID)
			out = append(out, r)
		}
		return max == 0 || len(out) < max
	}, args...)
	return out, logError(err)
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
func (s *Store) ItemAt(ctx context.Context, key, when string) (ItemEntry, error) {
	id, err := s.knowledgeAt(ctx, key, when)
	if errors.As(err, new(*NoItemError)) {
		return ItemEntry{}, err
	}
	if err != nil {
		return ItemEntry{}, fmt.Errorf("item '%s': %w", key, err)
	}
	if id == "" {
		return ItemEntry{}, &NoItemError{ID: key, When: when}
	}
	if err := s.mayRead(id); err != nil {
		return ItemEntry{}, err
	}
	e, err := s.itemAnywhere(id, key)
	if errors.Is(err, ErrNotFound) {
		err = &NoItemError{ID: key, When: when}
	}
	e.Old = true
	return e, err
}

// knowledgeAt is the commit that the knowledge tree was at then, "" if there was none.
func (s *Store) knowledgeAt(ctx context.Context, key, when string) (string, error) {
	if when == "" || strings.ContainsAny(when, "\n\x00~^{}") {
		return "", fmt.Errorf("%w: '@{%s}'", ErrNotFound, when)
	}
	if id, err := s.knowledgeCommit(ctx, when); id != "" || err != nil {
		return id, err
	}
	if n, err := strconv.Atoi(when); err == nil && 0 <= n && n < 1e6 { // else it is a date such as 20260301
		return s.changeAgo(ctx, key, n)
	}
	switch {
	case likeAnID(when):
		return "", fmt.Errorf("'@{%s}' %w; 'git sage knowledge log' names them", sage.OneLine(when), ErrNoCommit)
	case !isDate(when):
		return "", fmt.Errorf("'@{%s}' is no time: want a date such as 2026-03-01, yesterday or 2.weeks.ago, how many changes ago, or a commit of the knowledge", sage.OneLine(when))
	}
	return s.knowledgeBefore(ctx, when)
}

// changeAgo is the commit of the last change but n of an item.
func (s *Store) changeAgo(ctx context.Context, key string, n int) (string, error) {
	log, err := s.ItemLog(ctx, key, n+1)
	switch {
	case err != nil:
		return "", err
	case len(log) == 0:
		return "", nil
	case n >= len(log):
		return "", &NoItemError{ID: key, When: strconv.Itoa(n), Writes: len(log)}
	}
	return log[n].ID, nil
}

// likeAnID reports whether git, which finds a date in nearly everything, would find one in
// what was meant for an id.
func likeAnID(s string) bool {
	return len(s) >= 4 && isHex(strings.ToLower(s)) && (len(s) >= 40 || strings.ContainsAny(s, "abcdefABCDEF"))
}

// knowledgeBefore is the newest commit that is not later. The log of the ref would
// tell what was here then, and a clone has none.
func (s *Store) knowledgeBefore(ctx context.Context, when string) (string, error) {
	tip, err := s.KnowledgeTip(ctx)
	if err != nil || tip == "" {
		return "", err
	}
	out, err := s.git.Run(ctx, "rev-list", "-1", "--before="+when, "--end-of-options", tip)
	return text(out), logError(err)
}

// knowledgeCommit is the commit of the knowledge tree that an id means, if it is one.
func (s *Store) knowledgeCommit(ctx context.Context, id string) (string, error) {
	if len(id) < 7 || !isHex(strings.ToLower(id)) {
		return "", nil
	}
	full, err := s.tip(ctx, id+"^{commit}")
	if err != nil || full == "" {
		return "", nil // then it is a date such as 20260301
	}
	if !s.isAncestor(ctx, full, s.knowledge()) {
		return "", nil
	}
	return full, nil
}

package gitstore

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/prose/cut"
)

// titled is an id with the description of its checkpoint, if it can be read.
func (s *Store) titled(id string) string {
	r, err := s.commitRecord(id)
	if err != nil || r.Description == "" {
		return short(id)
	}
	return short(id) + " '" + cut.Runes(sage.OneLine(r.Description), 60) + "'"
}

// Accept makes what git has for a ref the truth, though something that was saved
// there is gone: saves go on from it. ref is a line, a fork or a full name.
func (s *Store) Accept(ctx context.Context, ref string) (string, error) {
	done, _ := s.queue(ctx)
	defer done()
	name, err := s.refNamed(ctx, ref)
	if err != nil {
		return "", err
	}
	known, err := s.journaled()
	if err != nil {
		return "", err
	}
	tip, err := s.tip(ctx, name)
	if err != nil {
		return "", err
	}
	was := known[name].new
	if was == "" && tip == "" {
		return "", fmt.Errorf("there is no %s '%s'", refSort(name), shortName(name))
	}
	if was == "" || was == tip || tip != "" && s.isAncestor(ctx, was, tip) {
		return "", fmt.Errorf("'%s' has lost nothing: %w", shortName(name), ErrNothing)
	}
	r, err := s.newRepair(ctx)
	if err != nil {
		return "", err
	}
	r.add(repairStep{Kind: "accept", Subject: name, Old: tip, New: tip, Journal: was, Since: known[name].at})
	if err := r.write(); err != nil {
		return "", fmt.Errorf("record what is accepted: %w", err)
	}
	said := fmt.Sprintf("'%s' goes on from %s; %s is given up", shortName(name), s.titled(tip), s.titled(was))
	if tip == "" {
		said = fmt.Sprintf("'%s' may be gone: the next save there begins anew", shortName(name))
	}
	return said, s.setJournal(name, tip, r.record.At)
}

// refSort is what a ref is, for people.
func refSort(ref string) string {
	switch {
	case strings.HasPrefix(ref, headsPrefix):
		return "line"
	case strings.HasPrefix(ref, forksPrefix):
		return "fork"
	}
	return "ref"
}

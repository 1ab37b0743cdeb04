package sidecar

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall/doc"
	"github.com/git-sage/git-sage/recall/index"
)

// bringCheckpoints adds what changed of the checkpoints. Where lines only moved on
// it asks for what is new; else, as behind a removal or a purge, it compares all.
func (sc *Sidecar) bringCheckpoints(ctx context.Context, c *index.Change) error {
	was, to := withoutKnowledge(c.From), withoutKnowledge(c.To)
	if maps.Equal(was, to) {
		return nil
	}
	records, ok, err := sc.further(ctx, was, to)
	if err == nil && !ok {
		records, err = sc.compare(ctx, c)
	}
	if err != nil {
		return fmt.Errorf("look for new checkpoints: %w", err)
	}
	records = slices.DeleteFunc(records, func(r gitstore.Record) bool { return sc.hasCheckpoint(r.ID) })
	left, share := len(records), sc.share(doc.Checkpoint, nil)
	return sc.Store.Commits.Beginnings(ctx, records, func(r gitstore.Record, cp *sage.Checkpoint, err error) error {
		if left--; err == nil {
			c.Docs = append(c.Docs, sc.checkpointDoc(r, cp, share))
		} else {
			sc.complain(err) // one that cannot be read is not found; the others are
		}
		sc.reading(2*left + len(c.Docs))
		return nil
	})
}

// hasCheckpoint reports whether the sidecar has a checkpoint, which never changes.
func (sc *Sidecar) hasCheckpoint(id string) bool {
	was, err := sc.Index.Get(doc.CheckpointKey(id))
	return err == nil && was != nil && was.Blob == id
}

// LookAgainAt lets checkpoints be searched as a whole for which somebody here stands now: some,
// or with nil any.
func (sc *Sidecar) LookAgainAt(ctx context.Context, ids []string) error {
	var cutShort []string
	note := func(d *index.Meta) bool {
		if d != nil && d.Kind == doc.Checkpoint && d.Part >= leastSearched { // a short one was taken as a whole
			cutShort = append(cutShort, doc.ID(d.Key))
		}
		return true
	}
	for _, id := range ids {
		d, err := sc.Index.Get(doc.CheckpointKey(id))
		if err != nil {
			return err
		}
		note(d)
	}
	if ids == nil {
		if err := sc.Index.Each(note); err != nil {
			return err
		}
	}
	tips, err := sc.Index.Tips()
	if err != nil || len(cutShort) == 0 {
		return err
	}
	c := index.Change{From: tips, To: tips}
	for _, id := range cutShort {
		r, err := sc.Store.Commits.Record(ctx, id)
		if err != nil || !r.Own { // or it is gone
			continue
		}
		cp, err := sc.Store.Commits.Load(ctx, id)
		if err != nil {
			return err
		}
		c.Docs = append(c.Docs, sc.checkpointDoc(r, cp, nil))
	}
	return sc.put(ctx, c)
}

func withoutKnowledge(tips map[string]string) map[string]string {
	tips = maps.Clone(tips)
	delete(tips, gitstore.KnowledgeRef)
	return tips
}

// further lists the checkpoints by which refs moved on; ok is false if one did
// anything else.
func (sc *Sidecar) further(ctx context.Context, was, to map[string]string) (records []gitstore.Record, ok bool, err error) {
	if len(was) == 0 {
		return nil, false, nil
	}
	for ref, id := range to {
		if was[ref] == id {
			continue
		}
		if was[ref] == "" {
			return nil, false, nil
		}
		more, err := sc.Store.Commits.Log(ctx, gitstore.Query{Revs: []string{was[ref] + ".." + id}, Refused: true})
		if err != nil || !continued(more, was[ref], id) {
			return nil, false, ctx.Err() // a commit that is gone
		}
		records = append(records, more...)
	}
	for ref := range was {
		if to[ref] == "" {
			return nil, false, nil
		}
	}
	return records, true, nil
}

// continued reports whether a list is all between an old value of a ref and the new one, which
// goes on from the old one: a line that was undone and begun anew does not, and has no gap
// either. Tombstones, which no list shows, leave a gap.
func continued(list []gitstore.Record, old, tip string) bool {
	there, goesOn := map[string]bool{old: true}, false
	for _, r := range list {
		there[r.ID] = true
		goesOn = goesOn || slices.Contains(r.Parents, old)
	}
	return goesOn && there[tip] && !slices.ContainsFunc(list, func(r gitstore.Record) bool {
		return slices.ContainsFunc(r.Parents, func(p string) bool { return !there[p] })
	})
}

// compare lists the checkpoints that the sidecar lacks, and takes out those that git
// does not show any more.
func (sc *Sidecar) compare(ctx context.Context, c *index.Change) (lacks []gitstore.Record, err error) {
	all, err := sc.Store.Commits.Log(ctx, gitstore.Query{All: true, Refused: true})
	if err != nil {
		return nil, err
	}
	has := map[string]bool{}
	err = sc.Index.Each(func(d *index.Meta) bool {
		if d.Kind == doc.Checkpoint {
			has[doc.ID(d.Key)] = true
		}
		return true
	})
	for _, r := range all {
		if !has[r.ID] {
			lacks = append(lacks, r)
		}
		delete(has, r.ID)
	}
	for id := range has {
		c.Removed = append(c.Removed, doc.CheckpointKey(id))
	}
	return lacks, err
}

// checkpointDoc is a checkpoint as the sidecar has it: question and thesis, which
// say what it is about, and apart each statement that it rests on. Of one that came from
// elsewhere share tells how much is searched.
func (sc *Sidecar) checkpointDoc(r gitstore.Record, c *sage.Checkpoint, share func(size int) int) index.Doc {
	m := index.Meta{
		Key: doc.CheckpointKey(r.ID), Kind: doc.Checkpoint, Blob: r.ID, Title: c.CoreQuestion, Type: string(r.Trigger), Trigger: string(r.Trigger),
		Author: r.Author, Added: r.Time, Updated: r.Time, Tokens: c.TokenEstimate,
	}
	if c.Confidence != nil {
		m.Confidence = *c.Confidence
	}
	if c.Skill != "" {
		m.Skills = []string{c.Skill}
	}
	m.Paths = slices.Concat(c.FilesExplored, c.FilesChanged)
	for _, r := range c.CodeRefs {
		m.Paths = append(m.Paths, r.File)
	}
	all := doc.Statements(c)
	most := mostSearched
	if !sc.Own && !r.Own {
		most = share(len(c.Thesis) + len(strings.Join(all, "")))
		m.Part, m.Title = max(most, 1), cut.Bytes(m.Title, leastSearched)
		all = doc.Within(all, most)
	}
	apart := cut.First(all, doc.MostApart)
	d := index.Doc{Meta: m, Body: strings.Join(append([]string{c.Thesis}, all[len(apart):]...), "\n\n")}
	d.Body = strings.ToValidUTF8(cut.Bytes(d.Body, most), "")
	for _, s := range apart {
		d.Apart = append(d.Apart, strings.ToValidUTF8(s, ""))
	}
	return d
}

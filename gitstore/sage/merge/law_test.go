package merge

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sagetest"
)

// joined is Merge with an id for the result: the smallest of those that hold
// its thesis, so that it is the same whichever sides are merged first. A commit
// id cannot be, and need not: From then names the merge that held the thesis.
func joined(x, a, b *sage.Checkpoint) *sage.Checkpoint {
	m := Checkpoints(x, a, b)
	for _, side := range []*sage.Checkpoint{a, b} {
		settled := len(side.ComponentTheses) == 0 || side.Thesis != sage.NeedsSynthesis
		if settled && side.Thesis == m.Thesis && (m.ID == "" || side.ID < m.ID) {
			m.ID = side.ID
		}
	}
	return m
}

// normal is c as a merge writes it.
func normal(c *sage.Checkpoint) *sage.Checkpoint {
	n := Checkpoints(nil, c, c)
	n.ID = c.ID
	return n
}

func genBase(t *rapid.T) *sage.Checkpoint {
	if rapid.IntRange(0, 4).Draw(t, "base") == 0 {
		return nil
	}
	return sagetest.Thought("x0").Draw(t, "x")
}

func wantSame(t *rapid.T, law string, want, got *sage.Checkpoint) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateNaNs(), cmpopts.IgnoreFields(sage.Checkpoint{}, "ID")); diff != "" {
		t.Fatalf("%s (-want +got):\n%s", law, diff)
	}
}

func TestMergeLaws(t *testing.T) { rapid.Check(t, mergeLaws) }

func FuzzMergeLaws(f *testing.F) {
	sagetest.Seeds(f)
	f.Fuzz(rapid.MakeFuzz(mergeLaws))
}

func mergeLaws(t *rapid.T) {
	x := genBase(t)
	a, b, c := sagetest.Side(t, x, "a2"), sagetest.Side(t, x, "b1"), sagetest.Side(t, x, "c3")
	before := a.Clone()
	defer func() { wantSame(t, "merging changes no side", before, a) }()
	wantSame(t, "merging with itself changes nothing", normal(a), Checkpoints(x, a, a))
	if x != nil {
		wantSame(t, "a side that did nothing adds nothing", normal(a), Checkpoints(x, x, a))
	}
	ab := joined(x, a, b)
	wantSame(t, "sides can be swapped", ab, joined(x, b, a))
	wantSame(t, "a merge is in its normal form", ab, normal(ab))
	wantSame(t, "merging again adds nothing", ab, joined(x, ab, b))
	wantSame(t, "sides can be merged in any order", joined(x, ab, c), joined(x, a, joined(x, b, c)))
}

func TestMergeLosesNothing(t *testing.T) { rapid.Check(t, mergeLosesNothing) }

func mergeLosesNothing(t *rapid.T) {
	x := genBase(t)
	a, b := sagetest.Side(t, x, "a2"), sagetest.Side(t, x, "b1")
	m := Checkpoints(x, a, b)
	if x == nil {
		x = &sage.Checkpoint{}
	}
	for _, v := range []struct{ side, other *sage.Checkpoint }{{a, b}, {b, a}} {
		base, other, merged := thoughts(x), thoughts(v.other), thoughts(m)
		for thought := range thoughts(v.side) {
			if !merged[thought] && (!base[thought] || other[thought]) {
				t.Fatalf("lost %s of %s", thought, v.side.ID)
			}
		}
	}
}

// thoughts are the things in c that may not vanish.
func thoughts(c *sage.Checkpoint) map[string]bool {
	all := map[string]bool{}
	add := func(kind string, list ...string) {
		for _, s := range list {
			all[fmt.Sprintf("%s %q", kind, s)] = true
		}
	}
	add("question", splitText(c.CoreQuestion)...)
	add("trace", splitTrace(c.ReasoningTrace)...)
	add("goal", splitText(c.Action.Goal)...)
	add("deadline", splitText(c.Action.Deadline)...)
	add("stakeholder", c.Action.Stakeholders...)
	add("evidence", c.KeyEvidence...)
	add("open question", c.OpenQuestions...)
	add("explored", c.FilesExplored...)
	add("changed", c.FilesChanged...)
	add("knowledge", c.KnowledgeRecalled...)
	for _, s := range c.Sources {
		add("source", SourceRule.Key(s))
		for _, part := range splitText(s.Take) {
			add("take", SourceRule.Key(s)+": "+part)
		}
	}
	for _, s := range c.Tensions {
		add("tension", TensionRule.Key(s))
	}
	for _, s := range c.UniqueContributions {
		add("contribution", s.Content)
	}
	for _, r := range c.CodeRefs {
		add("code ref", CodeRefRule.Key(r))
	}
	if len(c.ComponentTheses) == 0 && c.Thesis != "" {
		add("thesis", c.Thesis)
	}
	if c.Thesis == sage.NeedsSynthesis {
		for _, t := range c.ComponentTheses {
			add("thesis", t.Thesis)
		}
	}
	for k, v := range c.DomainData {
		addValues(all, "data."+k, v)
	}
	for _, e := range c.Extra {
		addValues(all, "extra "+e.Key, e.Value)
	}
	return all
}

func addValues(all map[string]bool, path string, v any) {
	f := FacetsOf(v)
	if f.mapping != nil {
		for k, item := range *f.mapping {
			addValues(all, path+"."+k, item.value())
		}
	}
	if f.list != nil {
		for _, item := range *f.list {
			all[path+" has "+Encode(item)] = true
		}
	}
	if f.text != nil {
		for _, part := range splitText(*f.text) {
			all[path+" says "+part] = true
		}
	}
	for _, r := range f.rest {
		all[path+" is "+Encode(r)] = true
	}
}

package sage

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// The pools are small, so that sides meet; they hold the separators, words in
// both orders and empty texts.
var (
	genText  = rapid.SampledFrom([]string{"", "p", "q", "r", "TCP / IP", "p // q", "q // p", "r // q // p", "p //", "// x //", "x // // y", " // ", "a//b"})
	genTrace = rapid.SampledFrom([]string{"", "p", "q\n\nr", "p\n\n* * *\n\nq", "q\n\n* * *\n\np", "* * *", "p\n---\nq", "p\n * * * \n\n\nq\n"})
	genItem  = rapid.SampledFrom([]string{"", "a", "b", "c", "d", "e"})
	genID    = rapid.SampledFrom([]string{"", "s1", "s2", "s3"})
	genPath  = rapid.SampledFrom([]string{"a.go", "b.go", "c/d.go"})
)

func word(words ...string) *rapid.Generator[string] {
	return rapid.SampledFrom(append([]string{"", "unheard"}, words...))
}

func genList[T any](g *rapid.Generator[T]) *rapid.Generator[[]T] { return rapid.SliceOfN(g, 0, 4) }

var genSource = rapid.Custom(func(t *rapid.T) Source {
	return Source{
		ID: genID.Draw(t, "id"), Type: word("person", "api").Draw(t, "type"), Identifier: genID.Draw(t, "identifier"),
		Credibility: genText.Draw(t, "credibility"), Take: genText.Draw(t, "take"),
		Relation: word("supports", "contradicts").Draw(t, "relation"),
	}
})

var genTension = rapid.Custom(func(t *rapid.T) Tension {
	return Tension{genList(genID).Draw(t, "between"), genText.Draw(t, "nature"), word("resolved", "unresolved").Draw(t, "resolution")}
})

var genContribution = rapid.Custom(func(t *rapid.T) Contribution {
	return Contribution{word("discovery", "synthesis").Draw(t, "type"), genText.Draw(t, "content")}
})

var genCodeRef = rapid.Custom(func(t *rapid.T) CodeRef {
	n := rapid.IntRange(0, 2).Draw(t, "line")
	return CodeRef{File: genPath.Draw(t, "file"), Lines: [2]int{n, n}, Relevance: word("stale", "supports").Draw(t, "relevance")}
})

func genValue(depth int) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		switch rapid.IntRange(0, 7-max(0, depth-1)*2).Draw(t, "kind") {
		case 0:
			return rapid.SampledFrom([]any{nil, true, false, int64(1), int64(2), 1.0, 2.5}).Draw(t, "rest")
		case 1, 2, 3:
			return genText.Draw(t, "text")
		case 4, 5:
			list := []any{}
			return append(list, rapid.SliceOfN(genValue(depth+1), 0, 3).Draw(t, "list")...)
		case 6:
			return map[string]any{"variants": []any{int64(1), "q"}}
		}
		return genMap(depth+1).Draw(t, "map")
	})
}

func genMap(depth int) *rapid.Generator[map[string]any] {
	return rapid.MapOfN(rapid.SampledFrom([]string{"k", "l", "variants"}), genValue(depth), 0, 2)
}

var genEntry = rapid.Custom(func(t *rapid.T) Entry {
	return Entry{rapid.SampledFrom([]string{"x", "y", "z"}).Draw(t, "key"), genValue(1).Draw(t, "value")}
})

var genConfidence = rapid.Custom(func(t *rapid.T) *float64 {
	f := rapid.SampledFrom([]float64{-1, 0, .3, .7, 1}).Draw(t, "confidence")
	if f < 0 {
		return nil
	}
	return &f
})

// genThought draws a checkpoint as anybody may write it: with duplicates, in
// any order, with components of theses that no merge would leave.
func genThought(id string) *rapid.Generator[*Checkpoint] {
	return rapid.Custom(func(t *rapid.T) *Checkpoint {
		c := &Checkpoint{ID: id}
		for _, edit := range edits {
			edit(t, c)
		}
		return c
	})
}

var edits = []func(*rapid.T, *Checkpoint){
	func(t *rapid.T, c *Checkpoint) { c.CoreQuestion = genText.Draw(t, "question") },
	func(t *rapid.T, c *Checkpoint) { c.ReasoningTrace = genTrace.Draw(t, "trace") },
	func(t *rapid.T, c *Checkpoint) { c.KeyEvidence = genList(genItem).Draw(t, "evidence") },
	func(t *rapid.T, c *Checkpoint) { c.OpenQuestions = genList(genItem).Draw(t, "questions") },
	func(t *rapid.T, c *Checkpoint) { c.Sources = genList(genSource).Draw(t, "sources") },
	func(t *rapid.T, c *Checkpoint) { c.Tensions = genList(genTension).Draw(t, "tensions") },
	func(t *rapid.T, c *Checkpoint) {
		c.UniqueContributions = genList(genContribution).Draw(t, "contributions")
	},
	func(t *rapid.T, c *Checkpoint) {
		c.Action = Action{genText.Draw(t, "goal"), word("decision", "learning").Draw(t, "type"), genText.Draw(t, "deadline"), genList(genItem).Draw(t, "stakeholders")}
	},
	func(t *rapid.T, c *Checkpoint) {
		c.Domain = word("general", "technical", "literature").Draw(t, "domain")
	},
	func(t *rapid.T, c *Checkpoint) { c.DomainData = genMap(0).Draw(t, "data") },
	func(t *rapid.T, c *Checkpoint) { c.Fields = genMap(0).Draw(t, "fields") },
	func(t *rapid.T, c *Checkpoint) { c.Skill = genItem.Draw(t, "skill") },
	func(t *rapid.T, c *Checkpoint) { c.Project = genItem.Draw(t, "project") },
	func(t *rapid.T, c *Checkpoint) { c.Template = genItem.Draw(t, "template") },
	func(t *rapid.T, c *Checkpoint) { c.KnowledgeRecalled = genList(genItem).Draw(t, "knowledge") },
	func(t *rapid.T, c *Checkpoint) { c.FilesExplored = genList(genPath).Draw(t, "explored") },
	func(t *rapid.T, c *Checkpoint) { c.FilesChanged = genList(genPath).Draw(t, "changed") },
	func(t *rapid.T, c *Checkpoint) { c.CodeRefs = genList(genCodeRef).Draw(t, "refs") },
	func(t *rapid.T, c *Checkpoint) { c.Extra = genList(genEntry).Draw(t, "extra") },
	func(t *rapid.T, c *Checkpoint) { c.Confidence = genConfidence.Draw(t, "confidence") },
	func(t *rapid.T, c *Checkpoint) {
		c.SaidNone = genList(rapid.SampledFrom([]string{"open_questions", "sources", "core_question", "fields", "tensions", "of_a_later_version"})).Draw(t, "none")
	},
	func(t *rapid.T, c *Checkpoint) {
		c.SayNone(genList(rapid.SampledFrom([]string{"open_questions", "sources", "core_question", "fields", "tensions"})).Draw(t, "said none")...)
	},
	drawThesis, drawThesis, // twice as often
}

func drawThesis(t *rapid.T, c *Checkpoint) {
	c.ComponentTheses = nil
	c.Thesis = rapid.SampledFrom([]string{"", "t1", "t2", "t3", "t4", NeedsSynthesis}).Draw(t, "thesis")
	if c.Thesis != NeedsSynthesis {
		return
	}
	c.ComponentTheses = genList(rapid.Custom(func(t *rapid.T) ComponentThesis {
		from := rapid.SampledFrom([]string{"c1", "c2", "c3", "c4"}).Draw(t, "from")
		return ComponentThesis{from, rapid.SampledFrom([]string{"t1", "t2", "t3"}).Draw(t, "component")}
	})).Draw(t, "components")
}

// edited draws a successor of x that differs in some fields, and for some of
// them only a little.
func edited(t *rapid.T, x *Checkpoint, id string) *Checkpoint {
	c := deepCopy(x)
	c.ID = id
	for range rapid.IntRange(0, 6).Draw(t, "edits") {
		rapid.SampledFrom(edits).Draw(t, "edit")(t, c)
	}
	for range rapid.IntRange(0, 4).Draw(t, "nudges") {
		nudge(t, c)
	}
	return c
}

func nudge(t *rapid.T, c *Checkpoint) {
	switch rapid.IntRange(0, 6).Draw(t, "nudge") {
	case 0:
		c.KeyEvidence = drop(t, c.KeyEvidence)
	case 1:
		c.Sources = drop(t, c.Sources)
	case 2:
		slices.Reverse(c.Sources)
		slices.Reverse(c.KeyEvidence)
	case 3:
		if len(c.Sources) > 0 {
			c.Sources[0].Take = genText.Draw(t, "take")
		}
	case 4:
		if len(c.Tensions) > 0 {
			c.Tensions[0].Resolution = "moot"
			slices.Reverse(c.Tensions[0].Between)
		}
	case 5:
		c.Extra = drop(t, c.Extra)
		slices.Reverse(c.Extra)
	case 6:
		if len(c.ComponentTheses) > 0 {
			c.Thesis, c.Confidence, c.ComponentTheses = c.ComponentTheses[0].Thesis, genConfidence.Draw(t, "settled"), nil
		}
	}
}

func drop[T any](t *rapid.T, list []T) []T {
	if len(list) == 0 {
		return list
	}
	i := rapid.IntRange(0, len(list)-1).Draw(t, "drop")
	return slices.Delete(slices.Clone(list), i, i+1)
}

// deepCopy shares no list with c that nudge writes to.
func deepCopy(c *Checkpoint) *Checkpoint {
	d := *c
	d.KeyEvidence, d.Sources, d.Extra = slices.Clone(c.KeyEvidence), slices.Clone(c.Sources), slices.Clone(c.Extra)
	d.Tensions, d.SaidNone = slices.Clone(c.Tensions), slices.Clone(c.SaidNone)
	for i := range d.Tensions {
		d.Tensions[i].Between = slices.Clone(d.Tensions[i].Between)
	}
	return &d
}

// joined is Merge with an id for the result: the smallest of those that hold
// its thesis, so that it is the same whichever sides are merged first. A commit
// id cannot be, and need not: From then names the merge that held the thesis.
func joined(x, a, b *Checkpoint) *Checkpoint {
	m := Merge(x, a, b)
	for _, side := range []*Checkpoint{a, b} {
		settled := len(side.ComponentTheses) == 0 || side.Thesis != NeedsSynthesis
		if settled && side.Thesis == m.Thesis && (m.ID == "" || side.ID < m.ID) {
			m.ID = side.ID
		}
	}
	return m
}

// normal is c as a merge writes it.
func normal(c *Checkpoint) *Checkpoint {
	n := Merge(nil, c, c)
	n.ID = c.ID
	return n
}

func genBase(t *rapid.T) *Checkpoint {
	if rapid.IntRange(0, 4).Draw(t, "base") == 0 {
		return nil
	}
	return genThought("x0").Draw(t, "x")
}

func genSide(t *rapid.T, x *Checkpoint, id string) *Checkpoint {
	if x == nil {
		x = &Checkpoint{}
	}
	return edited(t, x, id)
}

func wantSame(t *rapid.T, law string, want, got *Checkpoint) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateNaNs(), cmpopts.IgnoreFields(Checkpoint{}, "ID")); diff != "" {
		t.Fatalf("%s (-want +got):\n%s", law, diff)
	}
}

func TestMergeLaws(t *testing.T) { rapid.Check(t, mergeLaws) }

func FuzzMergeLaws(f *testing.F) {
	seeds(f)
	f.Fuzz(rapid.MakeFuzz(mergeLaws))
}

func mergeLaws(t *rapid.T) {
	x := genBase(t)
	a, b, c := genSide(t, x, "a2"), genSide(t, x, "b1"), genSide(t, x, "c3")
	before := a.Clone()
	defer func() { wantSame(t, "merging changes no side", before, a) }()
	wantSame(t, "merging with itself changes nothing", normal(a), Merge(x, a, a))
	if x != nil {
		wantSame(t, "a side that did nothing adds nothing", normal(a), Merge(x, x, a))
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
	a, b := genSide(t, x, "a2"), genSide(t, x, "b1")
	m := Merge(x, a, b)
	if x == nil {
		x = &Checkpoint{}
	}
	for _, v := range []struct{ side, other *Checkpoint }{{a, b}, {b, a}} {
		base, other, merged := thoughts(x), thoughts(v.other), thoughts(m)
		for thought := range thoughts(v.side) {
			if !merged[thought] && (!base[thought] || other[thought]) {
				t.Fatalf("lost %s of %s", thought, v.side.ID)
			}
		}
	}
}

// thoughts are the things in c that may not vanish.
func thoughts(c *Checkpoint) map[string]bool {
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
		add("source", sourceRule.key(s))
		for _, part := range splitText(s.Take) {
			add("take", sourceRule.key(s)+": "+part)
		}
	}
	for _, s := range c.Tensions {
		add("tension", tensionRule.key(s))
	}
	for _, s := range c.UniqueContributions {
		add("contribution", s.Content)
	}
	for _, r := range c.CodeRefs {
		add("code ref", codeRefRule.key(r))
	}
	if len(c.ComponentTheses) == 0 && c.Thesis != "" {
		add("thesis", c.Thesis)
	}
	if c.Thesis == NeedsSynthesis {
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
	f := facetsOf(v)
	if f.mapping != nil {
		for k, item := range *f.mapping {
			addValues(all, path+"."+k, item.value())
		}
	}
	if f.list != nil {
		for _, item := range *f.list {
			all[path+" has "+encode(item)] = true
		}
	}
	if f.text != nil {
		for _, part := range splitText(*f.text) {
			all[path+" says "+part] = true
		}
	}
	for _, r := range f.rest {
		all[path+" is "+encode(r)] = true
	}
}

package sagetest

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/git-sage/git-sage/gitstore/sage"
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

func List[T any](g *rapid.Generator[T]) *rapid.Generator[[]T] { return rapid.SliceOfN(g, 0, 4) }

var Source = rapid.Custom(func(t *rapid.T) sage.Source {
	return sage.Source{
		ID: genID.Draw(t, "id"), Type: word("person", "api").Draw(t, "type"), Identifier: genID.Draw(t, "identifier"),
		Credibility: genText.Draw(t, "credibility"), Take: genText.Draw(t, "take"),
		Relation: word("supports", "contradicts").Draw(t, "relation"),
	}
})

var Tension = rapid.Custom(func(t *rapid.T) sage.Tension {
	return sage.Tension{Between: List(genID).Draw(t, "between"), Nature: genText.Draw(t, "nature"), Resolution: word("resolved", "unresolved").Draw(t, "resolution")}
})

var Contribution = rapid.Custom(func(t *rapid.T) sage.Contribution {
	return sage.Contribution{Type: word("discovery", "synthesis").Draw(t, "type"), Content: genText.Draw(t, "content")}
})

var CodeRef = rapid.Custom(func(t *rapid.T) sage.CodeRef {
	n := rapid.IntRange(0, 2).Draw(t, "line")
	return sage.CodeRef{File: genPath.Draw(t, "file"), Lines: [2]int{n, n}, Relevance: word("stale", "supports").Draw(t, "relevance")}
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
		return Map(depth+1).Draw(t, "map")
	})
}

func Map(depth int) *rapid.Generator[map[string]any] {
	return rapid.MapOfN(rapid.SampledFrom([]string{"k", "l", "variants"}), genValue(depth), 0, 2)
}

var genEntry = rapid.Custom(func(t *rapid.T) sage.Entry {
	return sage.Entry{Key: rapid.SampledFrom([]string{"x", "y", "z"}).Draw(t, "key"), Value: genValue(1).Draw(t, "value")}
})

var genConfidence = rapid.Custom(func(t *rapid.T) *float64 {
	f := rapid.SampledFrom([]float64{-1, 0, .3, .7, 1}).Draw(t, "confidence")
	if f < 0 {
		return nil
	}
	return &f
})

// Thought draws a checkpoint as anybody may write it: with duplicates, in
// any order, with components of theses that no merge would leave.
func Thought(id string) *rapid.Generator[*sage.Checkpoint] {
	return rapid.Custom(func(t *rapid.T) *sage.Checkpoint {
		c := &sage.Checkpoint{ID: id}
		for _, edit := range edits {
			edit(t, c)
		}
		return c
	})
}

var edits = []func(*rapid.T, *sage.Checkpoint){
	func(t *rapid.T, c *sage.Checkpoint) { c.CoreQuestion = genText.Draw(t, "question") },
	func(t *rapid.T, c *sage.Checkpoint) { c.ReasoningTrace = genTrace.Draw(t, "trace") },
	func(t *rapid.T, c *sage.Checkpoint) { c.KeyEvidence = List(genItem).Draw(t, "evidence") },
	func(t *rapid.T, c *sage.Checkpoint) { c.OpenQuestions = List(genItem).Draw(t, "questions") },
	func(t *rapid.T, c *sage.Checkpoint) { c.Sources = List(Source).Draw(t, "sources") },
	func(t *rapid.T, c *sage.Checkpoint) { c.Tensions = List(Tension).Draw(t, "tensions") },
	func(t *rapid.T, c *sage.Checkpoint) {
		c.UniqueContributions = List(Contribution).Draw(t, "contributions")
	},
	func(t *rapid.T, c *sage.Checkpoint) {
		c.Action = sage.Action{Goal: genText.Draw(t, "goal"), Type: word("decision", "learning").Draw(t, "type"), Deadline: genText.Draw(t, "deadline"), Stakeholders: List(genItem).Draw(t, "stakeholders")}
	},
	func(t *rapid.T, c *sage.Checkpoint) {
		c.Domain = word("general", "technical", "literature").Draw(t, "domain")
	},
	func(t *rapid.T, c *sage.Checkpoint) { c.DomainData = Map(0).Draw(t, "data") },
	func(t *rapid.T, c *sage.Checkpoint) { c.Fields = Map(0).Draw(t, "fields") },
	func(t *rapid.T, c *sage.Checkpoint) { c.Skill = genItem.Draw(t, "skill") },
	func(t *rapid.T, c *sage.Checkpoint) { c.Project = genItem.Draw(t, "project") },
	func(t *rapid.T, c *sage.Checkpoint) { c.Template = genItem.Draw(t, "template") },
	func(t *rapid.T, c *sage.Checkpoint) { c.KnowledgeRecalled = List(genItem).Draw(t, "knowledge") },
	func(t *rapid.T, c *sage.Checkpoint) { c.FilesExplored = List(genPath).Draw(t, "explored") },
	func(t *rapid.T, c *sage.Checkpoint) { c.FilesChanged = List(genPath).Draw(t, "changed") },
	func(t *rapid.T, c *sage.Checkpoint) { c.CodeRefs = List(CodeRef).Draw(t, "refs") },
	func(t *rapid.T, c *sage.Checkpoint) { c.Extra = List(genEntry).Draw(t, "extra") },
	func(t *rapid.T, c *sage.Checkpoint) { c.Confidence = genConfidence.Draw(t, "confidence") },
	func(t *rapid.T, c *sage.Checkpoint) {
		c.SaidNone = List(rapid.SampledFrom([]string{"open_questions", "sources", "core_question", "fields", "tensions", "of_a_later_version"})).Draw(t, "none")
	},
	func(t *rapid.T, c *sage.Checkpoint) {
		c.SayNone(List(rapid.SampledFrom([]string{"open_questions", "sources", "core_question", "fields", "tensions"})).Draw(t, "said none")...)
	},
	drawThesis, drawThesis, // twice as often
}

func drawThesis(t *rapid.T, c *sage.Checkpoint) {
	c.ComponentTheses = nil
	c.Thesis = rapid.SampledFrom([]string{"", "t1", "t2", "t3", "t4", sage.NeedsSynthesis}).Draw(t, "thesis")
	if c.Thesis != sage.NeedsSynthesis {
		return
	}
	c.ComponentTheses = List(rapid.Custom(func(t *rapid.T) sage.ComponentThesis {
		from := rapid.SampledFrom([]string{"c1", "c2", "c3", "c4"}).Draw(t, "from")
		return sage.ComponentThesis{From: from, Thesis: rapid.SampledFrom([]string{"t1", "t2", "t3"}).Draw(t, "component")}
	})).Draw(t, "components")
}

// edited draws a successor of x that differs in some fields, and for some of
// them only a little.
func edited(t *rapid.T, x *sage.Checkpoint, id string) *sage.Checkpoint {
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

func nudge(t *rapid.T, c *sage.Checkpoint) {
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
func deepCopy(c *sage.Checkpoint) *sage.Checkpoint {
	d := *c
	d.KeyEvidence, d.Sources, d.Extra = slices.Clone(c.KeyEvidence), slices.Clone(c.Sources), slices.Clone(c.Extra)
	d.Tensions, d.SaidNone = slices.Clone(c.Tensions), slices.Clone(c.SaidNone)
	for i := range d.Tensions {
		d.Tensions[i].Between = slices.Clone(d.Tensions[i].Between)
	}
	return &d
}

func Side(t *rapid.T, x *sage.Checkpoint, id string) *sage.Checkpoint {
	if x == nil {
		x = &sage.Checkpoint{}
	}
	return edited(t, x, id)
}

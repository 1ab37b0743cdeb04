package doc

import (
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/prose"
)

const (
	// MostApart is how many statements of a checkpoint are found each by itself, of maxApart
	// bytes at most; what is longer is cut at the ends of sentences, and what is more stands
	// below the thesis. A record by rules has 24 points of evidence and 24 of what failed.
	MostApart, maxApart = 48, 400
)

// Statements are what a checkpoint says beside its thesis: what it was decided on, what was
// found out and what failed, each short enough to be found by itself.
func Statements(c *sage.Checkpoint) (out []string) {
	all := slices.Clone(c.KeyEvidence)
	for _, u := range c.UniqueContributions {
		all = append(all, u.Content)
	}
	all = append(all, strings.Split(c.ReasoningTrace, "\n")...)
	for _, s := range c.Sources {
		all = append(all, strings.TrimSpace(s.ID+" "+s.Identifier+" "+s.Take))
	}
	for _, s := range all {
		out = append(out, pieces(strings.TrimSpace(s))...)
	}
	return out
}

// pieces are a text of at most maxApart bytes, or its sentences, packed.
func pieces(s string) (out []string) {
	if len(s) <= maxApart {
		return nonEmpty(s)
	}
	piece := ""
	for _, sentence := range prose.Split(s, prose.Language(s)) {
		if piece != "" && len(piece)+len(sentence) > maxApart {
			out, piece = append(out, nonEmpty(piece)...), ""
		}
		piece = strings.TrimSpace(piece + " " + sentence)
	}
	return append(out, nonEmpty(piece)...)
}

// Within are the first statements that have no more than most bytes together.
func Within(all []string, most int) []string {
	for i, s := range all {
		if most -= len(s); most < 0 {
			return all[:i]
		}
	}
	return all
}

func nonEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

package purge

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore/internal/cleanse"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// shortestQuote is how many letters a text has that is looked for elsewhere: a shorter one
// says what many say.
const shortestQuote = 8

// quoted finds the commits that stay and quote a dropped checkpoint word for word, as a
// merge quotes the theses that it settles, and the pattern that cleans them. touched are
// the commits that change without it.
func quoted(ctx context.Context, pu *Purger, drop map[string]bool, touched []PurgeItem) (by []PurgeItem, pattern string, err error) {
	own := ownTexts(pu, drop)
	if len(own) == 0 {
		return nil, "", nil
	}
	if by, err = quoting(ctx, pu, drop, touched, own); err != nil || len(by) == 0 {
		return nil, "", err
	}
	var quotes []string
	for _, text := range own {
		found, err := quoting(ctx, pu, drop, touched, []string{text})
		if err != nil {
			return nil, "", err
		}
		if len(found) > 0 {
			quotes = append(quotes, text)
		}
	}
	return by, patternOf(quotes), nil
}

// quoting are the commits that stay, and hold one of texts.
func quoting(ctx context.Context, pu *Purger, drop map[string]bool, touched []PurgeItem, texts []string) (out []PurgeItem, err error) {
	re, err := cleanse.CompilePurge(patternOf(texts))
	if err != nil {
		return nil, nil // it would match the marks of a purge
	}
	p := &purge{s: pu, clean: pu.cleanse.NewCleaner(cleanse.Rule{Drop: drop, Match: cleanse.MatchRegexp(re), Hint: cleanse.HintOf(re)})}
	p.clean.Dry = true
	if _, err := p.moves(ctx); err != nil {
		return nil, err
	}
	for _, h := range p.clean.Hits {
		if !slices.ContainsFunc(touched, func(i PurgeItem) bool { return i.ID == h.ID }) {
			out = append(out, PurgeItem{ID: h.ID, Description: h.Description})
		}
	}
	return out, nil
}

// ownTexts are what dropped checkpoints say and those that they continue do not.
func ownTexts(pu *Purger, drop map[string]bool) (out []string) {
	for id := range drop {
		c, err := pu.commits.AsStored(id)
		if err != nil {
			continue
		}
		var before []string
		if r, err := pu.commits.CommitRecord(id); err == nil {
			for _, parent := range r.Parents {
				if p, err := pu.commits.AsStored(parent); err == nil && !drop[parent] {
					before = append(before, textsOf(p)...)
				}
			}
		}
		for _, text := range textsOf(c) {
			if utf8.RuneCountInString(text) >= shortestQuote && !slices.Contains(before, text) {
				out = append(out, text)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// textsOf are the texts of a checkpoint that others may quote.
func textsOf(c *sage.Checkpoint) []string {
	out := slices.Concat([]string{c.CoreQuestion, c.Thesis, c.Description, c.ReasoningTrace}, c.KeyEvidence, c.OpenQuestions)
	for _, s := range c.Sources {
		out = append(out, s.Take)
	}
	for _, t := range c.Tensions {
		out = append(out, t.Nature)
	}
	for _, u := range c.UniqueContributions {
		out = append(out, u.Content)
	}
	return out
}

// patternOf is a pattern that matches each of texts, and nothing else.
func patternOf(texts []string) string {
	quoted := make([]string, len(texts))
	for i, t := range texts {
		quoted[i] = regexp.QuoteMeta(t)
	}
	return strings.Join(quoted, "|")
}

package ingest

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/briefing"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/shorthand"
	"github.com/git-sage/git-sage/gitstore/sage/tree"
	"github.com/git-sage/git-sage/gitstore/sage/validate"
)

// Parse reads a checkpoint that a person or an agent wrote. format is md,
// yaml, json, or "" to find out:
//
//   - Markdown as it is stored, or as the tool before us wrote it; its front
//     matter may be missing.
//   - YAML or JSON with the names of the schema, which may all lie under one
//     key checkpoint.
//   - a brief, as [briefing.Write] prints it and commands show it; with "## Conclusion" alone, too
//   - any of these inside a longer text, in a fence whose info word is
//     checkpoint or between <checkpoint> and </checkpoint>, whose attributes
//     are fields too. Of several blocks the last complete one counts: an agent
//     that corrects itself does so further down.
//
// Other spellings of the schema are understood (core_take, goal_type,
// created_at, constraint, ...). Unknown keys are kept in Extra, but one that is
// nearly a known one is an error. The result is checked with
// [validate.Checkpoint]; if that alone objects, the checkpoint comes with the
// error.
func Parse(b []byte, format string) (*sage.Checkpoint, error) {
	text, err := codec.Readable(b)
	if err != nil {
		return nil, err
	}
	c, err := parseInput(text, format)
	if err != nil {
		return nil, err
	}
	c.TakeNoneWords()
	c.SettleNone()
	c.Tidy()
	return c, validate.Checkpoint(c)
}

func parseInput(text, format string) (*sage.Checkpoint, error) {
	switch strings.ToLower(format) {
	case "":
		return sniff(text)
	case "md", "markdown":
		if !isMarkdown(text) && (briefing.BriefTop().MatchString(text) || findBlock(text) == nil && briefing.ConclusionLine().MatchString(text)) {
			return briefing.Parse(text)
		}
		if block := findBlock(text); block != nil && !isMarkdown(text) {
			return parseBlock(block)
		}
		return parseMarkdown(text)
	case "yaml", "yml":
		return parseTree(tree.ReadYAML([]byte(text)))
	case "json":
		return parseTree(tree.ReadJSON([]byte(text)))
	}
	return nil, fmt.Errorf("format '%s': want md, yaml or json", legible.Visible(format))
}

// sniff tells the formats apart by their first line; a block inside a longer
// text comes before a text that only has headings.
func sniff(text string) (*sage.Checkpoint, error) {
	trimmed := strings.TrimSpace(text)
	if trimmed == "" {
		return nil, errors.New("no checkpoint: the text is empty")
	}
	if trimmed[0] == '{' {
		return parseTree(tree.ReadJSON([]byte(trimmed)))
	}
	if isMarkdown(text) {
		return parseMarkdown(text)
	}
	if briefing.BriefTop().MatchString(text) {
		return briefing.Parse(text)
	}
	if block := findBlock(text); block != nil {
		return parseBlock(block)
	}
	if briefing.ConclusionLine().MatchString(text) {
		return briefing.Parse(text)
	}
	if hasHeading(text) {
		return parseMarkdown(text)
	}
	n, err := tree.ReadYAML([]byte(text))
	if err == nil && n.Kind == tree.ScalarNode || err != nil && !looksLikeYAML(text) {
		return nil, errors.New("no checkpoint found: want Markdown with '## Thesis', YAML, JSON, or a ```checkpoint block")
	}
	return parseTree(n, err)
}

var typeLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^type: ['"]?(checkpoint|recovery)\b`) })

// isMarkdown reports whether text is a file of ours or of the tool before us.
func isMarkdown(text string) bool {
	head, _, ok := codec.SplitFrontMatter(text)
	return ok && (typeLine().MatchString(head) || findBlock(text) == nil)
}

var (
	headingLine = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?mi)^## (` + strings.Join(codec.Headings(), "|") + `)[ \t]*$`)
	})
	keyLine = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^\s*(checkpoint|core_question|thesis|trigger|id):`)
	})
)

func hasHeading(text string) bool { return headingLine().MatchString(text) }

func looksLikeYAML(text string) bool { return keyLine().MatchString(text) }

func parseMarkdown(text string) (*sage.Checkpoint, error) {
	n, body := &tree.Node{Kind: tree.MapNode}, text
	if head, rest, ok := codec.SplitFrontMatter(text); ok {
		var err error
		if n, err = codec.ReadFrontMatter(head); err != nil {
			return nil, err
		}
		body = rest
	} else if strings.HasPrefix(text, "---\n") {
		return nil, errors.New("front matter is not closed: want a second line '---'")
	}
	old := isOld(n)
	r := &codec.Reader{Input: !old}
	respell(n, r)
	none := takeNone(n, r)
	c, err := codec.Assemble(n, body, r, &codec.BodyParser{Old: old})
	if err == nil {
		c.SayNoneOf(none)
	}
	if err == nil && n.Get("ts") == nil { // what is stored has one
		NameSources(c)
	}
	return c, err
}

// NameSources reads sources that are only a text as [shorthand.ParseSource] does, which finds
// their names. Call it for what a person wrote by hand: in a stored checkpoint such a text
// is what the source says.
func NameSources(c *sage.Checkpoint) {
	for i, s := range c.Sources {
		if s != (sage.Source{Take: s.Take, Relation: s.Relation}) || s.Take == "" {
			continue
		}
		if named, err := shorthand.ParseSource(s.Take); err == nil {
			named.Relation = cmp.Or(s.Relation, named.Relation)
			c.Sources[i] = named
		}
	}
}

// parseTree makes a checkpoint of YAML or JSON.
func parseTree(n *tree.Node, err error) (*sage.Checkpoint, error) {
	if err != nil {
		return nil, err
	}
	if n.Kind == tree.MapNode && len(n.Keys) == 1 && n.Keys[0] == "checkpoint" {
		n = n.Vals[0]
	}
	if n.Get("ts") == nil || n.Get("id") == nil { // an export has both, and means every newline
		trimEnds(n)
	}
	r, c := &codec.Reader{Input: !isOld(n)}, &sage.Checkpoint{}
	respell(n, r)
	none := takeNone(n, r)
	codec.FromHead(c, n, r)
	if err := r.Err(); err != nil {
		return nil, err
	}
	c.SayNoneOf(none)
	return c, nil
}

// trimEnds drops newlines at the end of texts: a block scalar has one that
// nobody meant.
func trimEnds(n *tree.Node) {
	n.Text = strings.TrimRight(n.Text, "\n")
	for _, v := range n.Vals {
		trimEnds(v)
	}
}

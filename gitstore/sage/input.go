package sage

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// ParseInput reads a checkpoint that a person or an agent wrote. format is md,
// yaml, json, or "" to find out:
//
//   - Markdown as it is stored, or as the tool before us wrote it; its front
//     matter may be missing.
//   - YAML or JSON with the names of the schema, which may all lie under one
//     key checkpoint.
//   - a brief, as [Brief] prints it and commands show it; with "## Conclusion" alone, too
//   - any of these inside a longer text, in a fence whose info word is
//     checkpoint or between <checkpoint> and </checkpoint>, whose attributes
//     are fields too. Of several blocks the last complete one counts: an agent
//     that corrects itself does so further down.
//
// Other spellings of the schema are understood (core_take, goal_type,
// created_at, constraint, ...). Unknown keys are kept in Extra, but one that is
// nearly a known one is an error. The result is checked with
// [Checkpoint.Validate]; if that alone objects, the checkpoint comes with the
// error.
func ParseInput(b []byte, format string) (*Checkpoint, error) {
	text, err := readable(b)
	if err != nil {
		return nil, err
	}
	c, err := parseInput(text, format)
	if err != nil {
		return nil, err
	}
	c.takeNoneWords()
	c.SettleNone()
	c.Tidy()
	return c, c.Validate()
}

func parseInput(text, format string) (*Checkpoint, error) {
	switch strings.ToLower(format) {
	case "":
		return sniff(text)
	case "md", "markdown":
		if !isMarkdown(text) && (briefTop().MatchString(text) || findBlock(text) == nil && conclusionLine().MatchString(text)) {
			return parseBrief(text)
		}
		if block := findBlock(text); block != nil && !isMarkdown(text) {
			return parseBlock(block)
		}
		return parseMarkdown(text)
	case "yaml", "yml":
		return parseTree(readYAML([]byte(text)))
	case "json":
		return parseTree(readJSON([]byte(text)))
	}
	return nil, fmt.Errorf("format '%s': want md, yaml or json", Visible(format))
}

// sniff tells the formats apart by their first line; a block inside a longer
// text comes before a text that only has headings.
func sniff(text string) (*Checkpoint, error) {
	trimmed := strings.TrimSpace(text)
	if trimmed == "" {
		return nil, errors.New("no checkpoint: the text is empty")
	}
	if trimmed[0] == '{' {
		return parseTree(readJSON([]byte(trimmed)))
	}
	if isMarkdown(text) {
		return parseMarkdown(text)
	}
	if briefTop().MatchString(text) {
		return parseBrief(text)
	}
	if block := findBlock(text); block != nil {
		return parseBlock(block)
	}
	if conclusionLine().MatchString(text) {
		return parseBrief(text)
	}
	if hasHeading(text) {
		return parseMarkdown(text)
	}
	n, err := readYAML([]byte(text))
	if err == nil && n.kind == scalarNode || err != nil && !looksLikeYAML(text) {
		return nil, errors.New("no checkpoint found: want Markdown with '## Thesis', YAML, JSON, or a ```checkpoint block")
	}
	return parseTree(n, err)
}

var typeLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^type: ['"]?(checkpoint|recovery)\b`) })

// isMarkdown reports whether text is a file of ours or of the tool before us.
func isMarkdown(text string) bool {
	head, _, ok := splitFrontMatter(text)
	return ok && (typeLine().MatchString(head) || findBlock(text) == nil)
}

var (
	headingLine = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?mi)^## (` + strings.Join(headings(), "|") + `)[ \t]*$`)
	})
	keyLine = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^\s*(checkpoint|core_question|thesis|trigger|id):`)
	})
)

func headings() []string {
	var out []string
	for _, s := range sections {
		out = append(out, s.head)
	}
	return out
}

func hasHeading(text string) bool { return headingLine().MatchString(text) }

func looksLikeYAML(text string) bool { return keyLine().MatchString(text) }

func parseMarkdown(text string) (*Checkpoint, error) {
	n, body := &node{kind: mapNode}, text
	if head, rest, ok := splitFrontMatter(text); ok {
		var err error
		if n, err = readFrontMatter(head); err != nil {
			return nil, err
		}
		body = rest
	} else if strings.HasPrefix(text, "---\n") {
		return nil, errors.New("front matter is not closed: want a second line '---'")
	}
	old := isOld(n)
	r := &reader{input: !old}
	respell(n, r)
	none := takeNone(n, r)
	c, err := assemble(n, body, r, &bodyParser{old: old})
	if err == nil {
		c.sayNoneOf(none)
	}
	if err == nil && n.get("ts") == nil { // what is stored has one
		c.NameSources()
	}
	return c, err
}

// NameSources reads sources that are only a text as [ParseSourceLine] does, which finds
// their names. Call it for what a person wrote by hand: in a stored checkpoint such a text
// is what the source says.
func (c *Checkpoint) NameSources() {
	for i, s := range c.Sources {
		if s != (Source{Take: s.Take, Relation: s.Relation}) || s.Take == "" {
			continue
		}
		if named, err := ParseSourceLine(s.Take); err == nil {
			named.Relation = cmp.Or(s.Relation, named.Relation)
			c.Sources[i] = named
		}
	}
}

// parseTree makes a checkpoint of YAML or JSON.
func parseTree(n *node, err error) (*Checkpoint, error) {
	if err != nil {
		return nil, err
	}
	if n.kind == mapNode && len(n.keys) == 1 && n.keys[0] == "checkpoint" {
		n = n.vals[0]
	}
	trimEnds(n)
	r, c := &reader{input: !isOld(n)}, &Checkpoint{}
	respell(n, r)
	none := takeNone(n, r)
	fromHead(c, n, r)
	if err := r.err(); err != nil {
		return nil, err
	}
	c.sayNoneOf(none)
	return c, nil
}

// trimEnds drops newlines at the end of texts: a block scalar has one that
// nobody meant.
func trimEnds(n *node) {
	n.text = strings.TrimRight(n.text, "\n")
	for _, v := range n.vals {
		trimEnds(v)
	}
}

package prose

import "strings"

// A Part is what a sentence belongs to.
type Part uint8

const (
	Plain   Part = iota // a paragraph
	Heading             // a heading, or a line as good as one: "**Decision**", "Findings:"
	Item                // an item of a list
)

// A Sentence is one of a text, as it was written.
type Sentence struct {
	Text  string // verbatim, on one line: with its label, code, links and emphasis
	Label string // "Decision" of "**Decision:** we use Redis"; "" is none
	Said  string // Text without its label

	Heading string // the heading above it; "" is none
	Part    Part
	Block   int  // which paragraph, item or heading it stands in, from 0
	First   bool // of its block
	Asks    bool // it is a question
	Closing bool // it stands in the last paragraph or the last list of the text
}

// Role is what its label announces, or else the heading above it.
func (s Sentence) Role() Role {
	if r := RoleOf(s.Label); r != "" {
		return r
	}
	return RoleOf(s.Heading)
}

// Read is the prose of a Markdown text, sentence by sentence.
func Read(text string) []Sentence {
	blocks := blocksOf(text)
	language := languageOf(blocks)
	var out []Sentence
	section, intro := "", ""
	for i, b := range blocks {
		switch {
		case b.heading:
			section, intro = plainLabel(b.text), ""
		case b.item && (i == 0 || !blocks[i-1].item):
			intro = introOf(blocks, i)
		case !b.item:
			intro = ""
		}
		heading := section
		if intro != "" {
			heading = intro
		}
		for j, s := range Split(b.text, language) {
			out = append(out, b.sentence(s, heading, i, j == 0))
		}
	}
	markClosing(out)
	return out
}

// introOf is the line above a list where it says what the list is: "What is left:".
func introOf(blocks []block, i int) string {
	if i == 0 || blocks[i-1].heading {
		return ""
	}
	if line := plainLabel(blocks[i-1].text); RoleOf(line) != "" {
		return line
	}
	return ""
}

// sentence is one of a block, with its structure.
func (b block) sentence(text, heading string, n int, first bool) Sentence {
	s := Sentence{Text: text, Heading: heading, Block: n, First: first, Asks: Asks(text)}
	switch {
	case b.heading:
		s.Part, s.Heading = Heading, ""
	case b.item:
		s.Part = Item
	}
	s.Label, s.Said = cutLabel(text, first)
	return s
}

// markClosing marks the last paragraph, or the last items in a row.
func markClosing(list []Sentence) {
	for i := len(list) - 1; i >= 0; i-- {
		last := list[len(list)-1]
		if list[i].Block != last.Block && (last.Part != Item || list[i].Part != Item) {
			return
		}
		list[i].Closing = true
	}
}

// Asks reports whether a sentence is a question.
func Asks(s string) bool {
	s = strings.TrimRight(s, " \u00a0\u202f\"'”’»」』*_)）")
	if strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") {
		return true
	}
	s = strings.TrimRight(s, "。")
	for _, end := range []string{"ですか", "ますか", "ましたか", "でしょうか", "吗"} {
		if strings.HasSuffix(s, end) {
			return true
		}
	}
	return false
}

package record

import (
	"iter"
	"strings"

	"github.com/git-sage/git-sage/hooks/transcript/internal/scan"
)

// A Block is a part of what a record says.
type Block struct {
	Type   string // text, thinking, tool_use, tool_result, image, ...
	ID     string // of the call of a tool
	Name   string // of the tool that is called
	Failed bool   // the call came to nothing: an error, or nobody allowed it

	Given []byte // what a tool is given, as JSON

	text, content, source []byte
}

// Input is Given as a text.
func (b Block) Input() string { return string(b.Given) }

// Size is how much data a block holds that is no text, a picture say, in bytes as they
// stand in the file.
func (b Block) Size() int { return len(b.source) }

// Parts are those of what a tool answered.
func (b Block) Parts() iter.Seq[Block] {
	inner := Record{content: b.content}
	return inner.Blocks()
}

// Blocks are the parts of a record, from the first to the last.
func (r *Record) Blocks() iter.Seq[Block] {
	return func(yield func(Block) bool) {
		if len(r.content) > 0 && r.content[0] == '"' {
			yield(Block{Type: "text", text: r.content})
			return
		}
		for b := range scan.Elements(r.content) {
			if !yield(block(b)) {
				return
			}
		}
	}
}

func block(b []byte) (x Block) {
	for key, v := range scan.Fields(b) {
		switch string(key) {
		case "type":
			x.Type = scan.Text(v)
		case "id", "tool_use_id":
			x.ID = scan.Text(v)
		case "name":
			x.Name = scan.Text(v)
		case "is_error":
			x.Failed = scan.Truth(v)
		case "text":
			x.text = v
		case "content":
			x.content = v
		case "input":
			x.Given = v
		case "source":
			x.source = v
		}
	}
	return x
}

// Text is what a block of type text says, or what a tool answered.
func (b Block) Text() string {
	if b.Type != "tool_result" || len(b.content) > 0 && b.content[0] == '"' {
		return strings.TrimSpace(scan.Text(b.text) + scan.Text(b.content))
	}
	inner := Record{content: b.content}
	return inner.Text()
}

// Text is what a record says, without what tools are asked and answer.
func (r *Record) Text() string {
	var parts []string
	for b := range r.Blocks() {
		if b.Type != "text" {
			continue
		}
		if s := b.Text(); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "\n\n")
}

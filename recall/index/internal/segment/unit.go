package segment

import "strings"

const (
	// oneUnit is the length in bytes, about 256 tokens, up to which a body is one unit.
	oneUnit = 1024
	// unitLines is how many lines a unit of a longer one has: with pairs of lines that
	// overlap the newest of several rules is found in 86% of the questions of
	// MemoryCode, with whole sessions in 26%.
	unitLines = 2
)

// Units cuts a body for the words. It knows no model, since the words are the same
// for all.
func (d *Doc) Units() []string {
	text := d.Searched()
	if len(text) <= oneUnit {
		return []string{text}
	}
	lines := linesOf(text)
	if len(lines) <= unitLines {
		return []string{text}
	}
	out := make([]string, 0, len(lines))
	for i := 0; i+unitLines <= len(lines); i++ {
		out = append(out, text[lines[i].From:lines[i+unitLines-1].To])
	}
	return out
}

// linesOf are the lines that are not blank; a very long one is cut like a chunk.
func linesOf(body string) []span {
	var out []span
	at := 0
	for l := range strings.Lines(body) {
		from := at
		at += len(l)
		if strings.TrimSpace(l) == "" {
			continue
		}
		for _, s := range packed(l, maxChunk, Cutter{}.count) {
			out = append(out, span{from + s.From, from + s.To})
		}
	}
	return out
}

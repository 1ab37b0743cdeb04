package markdown

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A block is what stands by itself below a heading: an item of a list with all below it, or a
// paragraph with the code and the list that it announces.
type block struct {
	headings []string // above it, the outermost first
	text     string
	line     int // the first is 1
	item     bool
	open     bool // an item with an empty box
	done     bool // an item with a ticked box
}

var (
	headingLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$`) })
	itemLine    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^ {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+`) })
	fenceLine   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^ {0,3}(```+|~~~+)") })
	box         = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\[([ xX])\][ \t]+`) })
	comment     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)<!--.*?(?:-->|\z)`) })
)

// isText tells for each line whether it is text: not in a fence of code.
func isText(lines []string) []bool {
	out := make([]bool, len(lines))
	fence := ""
	for i, line := range lines {
		m := fenceLine().FindStringSubmatch(line)
		switch {
		case fence == "" && m != nil:
			fence = m[1]
		case fence != "":
			if m != nil && m[1][0] == fence[0] && len(m[1]) >= len(fence) && strings.TrimSpace(strings.TrimLeft(line, " ")) == m[1] {
				fence = ""
			}
		default:
			out[i] = true
		}
	}
	return out
}

// blocksOf takes a text apart.
func blocksOf(text string) (out []block) {
	lines := strings.Split(text, "\n")
	plain := isText(lines)
	var headings []string
	var levels []int
	for i := 0; i < len(lines); {
		line := lines[i]
		if m := headingLine().FindStringSubmatch(line); m != nil && plain[i] {
			for len(levels) > 0 && levels[len(levels)-1] >= len(m[1]) {
				levels, headings = levels[:len(levels)-1], headings[:len(headings)-1]
			}
			levels, headings = append(levels, len(m[1])), append(slices.Clip(headings), m[2])
			i++
			continue
		}
		if strings.TrimSpace(line) == "" {
			i++
			continue
		}
		b := block{headings: headings, line: i + 1}
		first := i
		if m := itemLine().FindString(line); m != "" && plain[i] {
			i = endOfItem(lines, plain, i)
			b.item, b.text = true, outdented(lines[first:i], len(m))
		} else {
			i = endOfParagraph(lines, plain, i)
			b.text = strings.TrimSpace(strings.Join(lines[first:i], "\n"))
		}
		if m := box().FindStringSubmatch(b.text); b.item && m != nil {
			b.text, b.open, b.done = b.text[len(m[0]):], m[1] == " ", m[1] != " "
		}
		out = append(out, b)
	}
	return out
}

// endOfItem is the line behind an item of a list: the next item beside it, a heading, or text
// that is not indented behind a blank line.
func endOfItem(lines []string, plain []bool, i int) int {
	blank := false
	for i++; i < len(lines); i++ {
		line := lines[i]
		switch {
		case strings.TrimSpace(line) == "":
			blank = true
			continue
		case strings.HasPrefix(line, "  ") || strings.HasPrefix(line, "\t") || !plain[i] && !fenceLine().MatchString(line):
		case itemLine().MatchString(line), headingLine().MatchString(line), blank, !plain[i]:
			return i
		}
		blank = false
	}
	return i
}

// endOfParagraph is the line behind a paragraph, and behind the code or the list that it
// announces with a colon, or that follows it at once.
func endOfParagraph(lines []string, plain []bool, i int) int {
	blank, announces := false, false
	for ; i < len(lines); i++ {
		line := lines[i]
		if !plain[i] {
			announces, blank = false, false
			continue
		}
		if strings.TrimSpace(line) == "" {
			blank = true
			continue
		}
		isItem := itemLine().MatchString(line)
		switch {
		case headingLine().MatchString(line):
			return i
		case isItem && announces:
			return endOfList(lines, plain, i)
		case isItem, blank && !strings.HasPrefix(line, "    "):
			return i
		}
		blank, announces = false, strings.HasSuffix(strings.TrimRight(line, " *_"), ":")
		if blank = false; i+1 < len(lines) && strings.TrimSpace(lines[i+1]) == "" && !announces && !codeFollows(lines, plain, i+1) {
			return i + 1
		}
	}
	return i
}

// codeFollows reports whether the next line that is not blank is code in a fence.
func codeFollows(lines []string, plain []bool, i int) bool {
	for ; i < len(lines); i++ {
		if strings.TrimSpace(lines[i]) != "" {
			return !plain[i]
		}
	}
	return false
}

func endOfList(lines []string, plain []bool, i int) int {
	for i < len(lines) && itemLine().MatchString(lines[i]) && plain[i] {
		i = endOfItem(lines, plain, i)
	}
	return i
}

// outdented is an item without its mark, and what stands below it without the indent.
func outdented(lines []string, mark int) string {
	out := slices.Clone(lines)
	out[0] = out[0][mark:]
	for i := 1; i < len(out); i++ {
		n := 0
		for n < len(out[i]) && n < mark && out[i][n] == ' ' {
			n++
		}
		out[i] = strings.TrimPrefix(out[i][n:], "\t")
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}

// indented is a text as an item of a list.
func indented(mark, text string) string {
	lines := strings.Split(text, "\n")
	for i := 1; i < len(lines); i++ {
		if lines[i] != "" {
			lines[i] = strings.Repeat(" ", len(mark)) + lines[i]
		}
	}
	return mark + strings.Join(lines, "\n") + "\n"
}

package codec

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// marks are the signs that stand for the usual words of relevance.
var marks = []struct{ word, sign string }{
	{"supports", "+"}, {"contradicts", "-"}, {"context", "~"}, {"stale", "!"},
}

func printCodeRef(r sage.CodeRef) string {
	item := "`" + escapeFile(r.File) + printLines(r.Lines) + "`"
	if r.Relevance != "" {
		item = "[" + printRelevance(r.Relevance) + "] " + item
	}
	item += subLine("symbol", r.Symbol) + subLine("blob", r.Blob)
	if r.Snippet == "" {
		return item
	}
	fence := longerFence(r.Snippet)
	return item + "\n" + fence + "\n" + escapeCode(r.Snippet) + "\n" + fence
}

func printRelevance(word string) string {
	for _, m := range marks {
		switch word {
		case m.word:
			return m.sign
		case m.sign:
			return numeric(rune(word[0]))
		}
	}
	return escapeLine(word, "[]")
}

func parseRelevance(s string) string {
	for _, m := range marks {
		if s == m.sign {
			return m.word
		}
	}
	return unescape(s)
}

var fileLines = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^((?s).*):(-?\d{1,19})(?:-(-?\d{1,19}))?$`) })

// escapeFile hides the colon of a file name that ends as if lines followed.
func escapeFile(s string) string {
	s = escapeLine(s, "`")
	if m := fileLines().FindStringSubmatch(s); m != nil {
		return m[1] + numeric(':') + s[len(m[1])+1:]
	}
	return s
}

func printLines(lines [2]int) string {
	switch {
	case lines == [2]int{}:
		return ""
	case lines[0] == lines[1]:
		return ":" + strconv.Itoa(lines[0])
	}
	return ":" + strconv.Itoa(lines[0]) + "-" + strconv.Itoa(lines[1])
}

// parseLines reads "10-20" or "10".
func parseLines(s string) ([2]int, bool) {
	m := fileLines().FindStringSubmatch(":" + s)
	if m == nil || m[1] != "" {
		return [2]int{}, false
	}
	if m[3] == "" {
		m[3] = m[2]
	}
	from, err1 := strconv.Atoi(m[2])
	to, err2 := strconv.Atoi(m[3])
	return [2]int{from, to}, err1 == nil && err2 == nil
}

var codeRefHead = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^(?:\\[([^\\]]*)\\] ?)?`([^`]*)`$") })

func parseCodeRef(item string) sage.CodeRef {
	var r sage.CodeRef
	item, r.Snippet = cutFence(item)
	item, sub := cutSubLines(item, "symbol", "blob")
	r.Symbol, r.Blob = sub["symbol"], sub["blob"]
	m := codeRefHead().FindStringSubmatch(item)
	if m == nil {
		r.File = unescape(item)
		return r
	}
	r.Relevance = parseRelevance(m[1])
	r.File = unescape(m[2])
	if f := fileLines().FindStringSubmatch(m[2]); f != nil {
		if lines, ok := parseLines(m[2][len(f[1])+1:]); ok && lines != [2]int{} {
			r.File, r.Lines = unescape(f[1]), lines
		}
	}
	return r
}

// longerFence returns a fence of back quotes longer than any in s.
func longerFence(s string) string {
	longest, run := 2, 0
	for _, r := range s {
		if run++; r != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	return strings.Repeat("`", longest+1)
}

// escapeCode escapes what stands between fences, where blanks are safe.
func escapeCode(s string) string {
	inner := escapeText("x"+s+"x", "")
	return inner[1 : len(inner)-1]
}

// cutFence takes a fenced snippet off the end of an item.
func cutFence(item string) (rest, snippet string) {
	head, block, ok := strings.Cut(item, "\n```")
	if !ok {
		return item, ""
	}
	open, code, ok := strings.Cut("```"+block, "\n")
	fence := open[:len(open)-len(strings.TrimLeft(open, "`"))]
	if !ok || !strings.HasSuffix("\n"+code, "\n"+fence) {
		return item, ""
	}
	return head, unescape(strings.TrimSuffix(strings.TrimSuffix(code, fence), "\n"))
}

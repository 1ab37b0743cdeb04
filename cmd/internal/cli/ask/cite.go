package ask

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/git-sage/git-sage/cmd/internal/term"
)

// A citation is a source that an answer names.
type citation struct {
	Name  string `json:"name"`
	Title string `json:"title,omitempty"`
	Known bool   `json:"known"` // it was sent with the question
}

// cited matches what stands in the brackets of a citation.
var cited = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:item|checkpoint|code):[^\]\s,;]+(?:[,;] ?(?:item|checkpoint|code):[^\]\s,;]+)*$`)
})

// mostBracket is how long a bracket is waited for that may be a citation, in bytes.
const mostBracket = 300

// A citer passes an answer on as it comes, visible, and marks citations of what nobody sent, and
// headings that look like the one below the answer.
type citer struct {
	sources []source
	write   func(string)
	held    string // what may be a citation
	opening string // what begins a line, and may be a heading
	within  bool   // a line that is none
	list    []citation
	seen    map[string]bool
}

func (c *citer) add(text string) {
	for text = c.held + text; ; {
		at := strings.IndexByte(text, '[')
		if at < 0 {
			c.say(text)
			c.held = ""
			return
		}
		c.say(text[:at])
		text = text[at:]
		end := strings.IndexAny(text[1:], "[]\n") + 1
		switch {
		case end == 0 && len(text) < mostBracket:
			c.held = text
			return
		case end == 0 || text[end] != ']':
			end = max(end, 1)
			c.say(text[:end])
			text = text[end:]
		default:
			c.bracket(text[1:end])
			text = text[end+1:]
		}
	}
}

// end passes on what was held back.
func (c *citer) end() {
	c.say(c.held)
	c.write(marked(c.opening))
	c.held, c.opening = "", ""
}

// say passes a text on, but for the beginning of a line that may be a heading.
func (c *citer) say(text string) {
	text = term.VisibleLines(strings.ReplaceAll(text, "\r\n", "\n"))
	for text != "" {
		line, rest, ends := strings.Cut(text, "\n")
		text = rest
		if ends {
			line += "\n"
		}
		if !c.within {
			line = c.opening + line
			c.opening = ""
			if !ends && mayHead(line) {
				c.opening = line
				return
			}
			line = marked(line)
		}
		c.within = !ends
		c.write(line)
	}
}

// mostHeading is how long a heading is, in bytes, without what stands around its words.
const mostHeading = 80

// headings are the words that a list of sources begins with.
var headings = []string{"source", "reference", "citation"}

// headed is a line without what stands before its first letter and behind its last word, in
// small letters and with single blanks.
func headed(line string) string {
	line = strings.TrimLeftFunc(line, func(r rune) bool { return !unicode.IsLetter(r) })
	return strings.TrimRight(strings.ToLower(strings.Join(strings.Fields(line), " ")), " *_#")
}

// mayHead reports whether a line that goes on may become a heading of sources.
func mayHead(line string) bool {
	s := headed(line)
	return len(s) < mostHeading && slices.ContainsFunc(headings, func(h string) bool { return strings.HasPrefix(s, h) || strings.HasPrefix(h, s) })
}

// marked is a line of an answer, with a mark if it heads a list of sources: only that below the
// answer was checked.
func marked(line string) string {
	s := headed(line)
	for _, h := range headings {
		if rest, ok := strings.CutPrefix(s, h); ok && len(s) < mostHeading && (rest == "" || rest == "s" || strings.HasSuffix(rest, ":")) {
			return "[by the model] " + line
		}
	}
	return line
}

// bracket passes on what stands in brackets: one citation or several, or something else.
func (c *citer) bracket(inside string) {
	var names []string
	if cited().MatchString(inside) {
		names = strings.FieldsFunc(inside, func(r rune) bool { return r == ',' || r == ';' || r == ' ' })
	} else if _, known := c.find(inside); known { // a path may have spaces
		names = []string{inside}
	} else {
		c.say("[" + inside + "]")
		return
	}
	var out []string
	for _, name := range names {
		s, known := c.find(name)
		if !known {
			out = append(out, "unknown "+name)
		} else {
			out = append(out, name)
			name = s.name()
		}
		if !c.seen[name] {
			c.seen[name] = true
			c.list = append(c.list, citation{name, s.Title, known})
		}
	}
	c.say("[" + strings.Join(out, ", ") + "]")
}

// find is the source that a citation names: of a checkpoint by more or less of its id, of code
// by lines within those that were sent, or by the path alone.
func (c *citer) find(name string) (source, bool) {
	kind, id, _ := strings.Cut(name, ":")
	for _, s := range c.sources {
		if s.Kind != kind {
			continue
		}
		switch {
		case s.ID == id,
			kind == aCheckpoint && len(id) >= 7 && (strings.HasPrefix(s.ID, id) || strings.HasPrefix(id, s.ID)),
			kind == someCode && within(id, s.ID):
			return s, true
		}
	}
	return source{}, false
}

// within reports whether lines of code lie in those of a source.
func within(id, of string) bool {
	path, first, last := place(id)
	ofPath, ofFirst, ofLast := place(of)
	return path == ofPath && (first == 0 || first >= ofFirst && last <= ofLast)
}

func place(id string) (path string, first, last int) {
	path = id
	at := strings.LastIndexByte(id, ':')
	if at < 0 {
		return path, 0, 0
	}
	from, to, ranged := strings.Cut(id[at+1:], "-")
	first, err := strconv.Atoi(from)
	if err != nil {
		return path, 0, 0
	}
	if last = first; ranged {
		if last, err = strconv.Atoi(to); err != nil {
			return path, 0, 0
		}
	}
	return id[:at], first, last
}

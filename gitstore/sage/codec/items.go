package codec

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// The lists of the body, one item each:
//
//	- **id** (type): take — _relation_
//	  - identifier: ...
//	  - credibility: ...
//	- **a** vs **b**: nature — _resolution_
//	- **type**: content
//	- [+] `file:10-20`
//	  - symbol: ...
//	  - blob: ...
//	  ```
//	  snippet
//	  ```
//
// A part that is empty is left out with its punctuation. Within a part, what
// would end it is written as a character reference.

// escapePart escapes one line of a part. special are the characters that end it.
func escapePart(s, special string) string { return noDash(escapeLine(s, special)) }

// noDash keeps a text from looking as if a word followed it.
func noDash(s string) string { return strings.ReplaceAll(s, "— _", numeric('—')+" _") }

// compose joins the head of an item, its text and the word at its end.
func compose(head, text, word string) string {
	text = noDash(escapeText(text, ""))
	switch {
	case head == "" && (strings.HasPrefix(text, "**") || strings.HasPrefix(text, "(")):
		text = numeric(rune(text[0])) + text[1:]
	case head != "" && text != "":
		head += ": "
	}
	if word != "" {
		word = " — _" + escapePart(word, "") + "_"
	}
	return head + text + word
}

// cutWord is the end of compose undone.
func cutWord(s string) (text, word string) {
	i := strings.LastIndex(s, " — _")
	if i < 0 || !strings.HasSuffix(s, "_") || i+len(" — _") > len(s)-1 {
		return s, ""
	}
	return s[:i], unescape(s[i+len(" — _") : len(s)-1])
}

var sourceMarks = []string{"- identifier: ", "- credibility: "}

func printSource(s sage.Source) string {
	var head string
	if s.ID != "" {
		head = "**" + escapePart(s.ID, "*") + "**"
	}
	if s.Type != "" {
		head = strings.TrimLeft(head+" ("+escapePart(s.Type, "()")+")", " ")
	}
	item := shield(compose(head, s.Take, s.Relation), 1, sourceMarks...)
	return item + subLine("identifier", s.Identifier) + subLine("credibility", s.Credibility)
}

func subLine(key, value string) string {
	if value == "" {
		return ""
	}
	return "\n- " + key + ": " + escapeLine(value, "")
}

var (
	sourceHead = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:\*\*([^*]+)\*\*)?(?: ?\(([^()]+)\))?(?:: |$)`) })
	oldSource  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)^\*\*(.*?)\*\* \((.*?)\): ?(.*)$`) })
)

func parseSource(item string) sage.Source {
	var s sage.Source
	item, sub := cutSubLines(item, "identifier", "credibility")
	s.Identifier, s.Credibility = sub["identifier"], sub["credibility"]
	text, word := cutWord(unshield(item, 1, sourceMarks...))
	s.Relation = word
	if m := sourceHead().FindStringSubmatch(text); m != nil && m[1]+m[2] != "" {
		s.ID, s.Type, text = unescape(m[1]), unescape(m[2]), text[len(m[0]):]
	} else if m := oldSource().FindStringSubmatch(text); m != nil {
		s.ID, s.Type, text = unescape(m[1]), unescape(m[2]), m[3]
	}
	s.Take = unescape(text)
	return s
}

// cutSubLines takes lines "- key: value" off the end of an item.
func cutSubLines(item string, keys ...string) (string, map[string]string) {
	sub := map[string]string{}
	for {
		i := strings.LastIndexByte(item, '\n')
		key, value, ok := strings.Cut(strings.TrimPrefix(item[i+1:], "- "), ": ")
		_, twice := sub[key]
		if i < 0 || !ok || twice || !slices.Contains(keys, key) || !strings.HasPrefix(item[i+1:], "- ") {
			return item, sub
		}
		sub[key] = unescape(value)
		item = item[:i]
	}
}

func printTension(t sage.Tension) string {
	names := make([]string, 0, len(t.Between))
	for _, name := range t.Between {
		names = append(names, "**"+escapePart(name, "*")+"**")
	}
	return compose(strings.Join(names, " vs "), t.Nature, t.Resolution)
}

var oldTension = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)^\*\*(.*?)\*\* vs \*\*(.*?)\*\*: ?(.*)$`) })

func parseTension(item string) sage.Tension {
	text, word := cutWord(item)
	t := sage.Tension{Resolution: word}
	if names, rest, ok := cutNames(text); ok {
		t.Between, text = names, rest
	} else if m := oldTension().FindStringSubmatch(text); m != nil {
		t.Between, text = []string{unescape(m[1]), unescape(m[2])}, m[3]
	}
	t.Nature = unescape(text)
	return t
}

// cutNames reads "**a** vs **b**: " and returns what follows.
func cutNames(s string) (names []string, rest string, ok bool) {
	for strings.HasPrefix(s, "**") {
		name, after, closed := strings.Cut(s[2:], "**")
		if !closed || strings.Contains(name, "*") {
			break
		}
		names = append(names, unescape(name))
		switch {
		case after == "":
			return names, "", true
		case strings.HasPrefix(after, ": "):
			return names, after[2:], true
		case !strings.HasPrefix(after, " vs "):
			return nil, "", false
		}
		s = after[4:]
	}
	return nil, "", false
}

func printContribution(c sage.Contribution) string {
	var head string
	if c.Type != "" {
		head = "**" + escapePart(c.Type, "*") + "**"
	}
	return compose(head, c.Content, "")
}

var oldContribution = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)^\*\*(.*?)\*\*: ?(.*)$`) })

func parseContribution(item string) sage.Contribution {
	if names, rest, ok := cutNames(item); ok && len(names) == 1 && names[0] != "" {
		return sage.Contribution{Type: names[0], Content: unescape(rest)}
	}
	if m := oldContribution().FindStringSubmatch(item); m != nil {
		return sage.Contribution{Type: unescape(m[1]), Content: unescape(m[2])}
	}
	return sage.Contribution{Content: unescape(item)}
}

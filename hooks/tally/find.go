package tally

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/git-sage/git-sage/hooks/transcript"
)

// A Kind says what was given.
type Kind string

// What a session is given: an item, what a checkpoint concludes, or its whole brief.
const (
	Item       Kind = "item"
	Conclusion Kind = "conclusion"
	Brief      Kind = "brief"
)

// A Use is how a session used what it was given.
type Use string

// The uses, the surest first: of several the first counts.
const (
	Loaded Use = "loaded"
	Quoted Use = "quoted"
	Opened Use = "opened"
)

// isOurs reports whether git-sage made what a hook put in front of the agent.
func isOurs(text string) bool {
	return strings.Contains(text, "<sage-memory ") || strings.Contains(text, "sage_") || strings.Contains(text, "git sage ")
}

// toolOf is the name of a tool of git-sage's, as the client has it with the server's in front.
func toolOf(name string) (string, bool) {
	if !strings.HasPrefix(name, "mcp__") {
		return "", false
	}
	at := strings.LastIndex(name, "__")
	tool := name[at+2:]
	return tool, strings.HasPrefix(tool, "sage_")
}

var (
	fence   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<sage-memory mark="([0-9a-f]+)" origin="([^"]*)">`) })
	heading = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^## (?:(checkpoint) ([0-9a-f]{4,64})|([a-z0-9][a-z0-9._-]{0,99})) \(.*\)$`)
	})
	briefOf = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^git-sage checkpoint ([0-9a-f]{4,64})\b`) })
)

// A found is an item or a checkpoint in a text of git-sage's.
type found struct {
	kind Kind
	id   string
	text string
}

// givenIn are the items and checkpoints whose texts stand in a text of git-sage's: its fences
// name the checkpoint of a brief, and head each of several items and conclusions.
func givenIn(text string) (out []found) {
	for _, m := range fence().FindAllStringSubmatchIndex(text, -1) {
		body := text[m[1]:]
		if i := strings.Index(body, `</sage-memory mark="`+text[m[2]:m[3]]); i >= 0 {
			body = body[:i]
		}
		origin := text[m[4]:m[5]]
		if b := briefOf().FindStringSubmatch(origin); b != nil {
			out = append(out, found{Brief, b[1], body})
			continue
		}
		list := heading().FindAllStringSubmatchIndex(body, -1)
		for i, h := range list {
			end := len(body)
			if i+1 < len(list) {
				end = list[i+1][0]
			}
			f := found{kind: Conclusion, text: strings.TrimSpace(body[h[1]:end])}
			if h[2] >= 0 {
				f.id = body[h[4]:h[5]]
			} else {
				f.kind, f.id = Item, body[h[6]:h[7]]
			}
			out = append(out, f)
		}
	}
	return out
}

// pathLike is a path with a folder, or a file with an ending.
var pathLike = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[A-Za-z0-9_.@-]+(?:/[A-Za-z0-9_.@-]+)+|[A-Za-z0-9_-]+\.[A-Za-z][A-Za-z0-9]{0,5}\b`)
})

// pathsIn are the paths that a text names.
func pathsIn(text string) (out []string) {
	for _, p := range pathLike().FindAllString(text, -1) {
		if p = strings.Trim(p, "./"); p != "" && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// ends reports whether a file has a path, or lies in it where it is a folder's.
func ends(file, path string) bool {
	file, path = "/"+strings.TrimPrefix(filepath.ToSlash(file), "/"), "/"+strings.Trim(filepath.ToSlash(path), "/")
	return strings.HasSuffix(file, path) || strings.Contains(path[1:], "/") && strings.Contains(file, path+"/")
}

// A call is what a tool is given, as far as it counts.
type call struct {
	File     string `json:"file_path"`
	Notebook string `json:"notebook_path"`
	Command  string `json:"command"`
	words    []string
}

func parseCall(in []byte) (c call) {
	_ = json.Unmarshal(in, &c) // what cannot be read names nothing
	var all map[string]any
	if json.Unmarshal(in, &all) == nil {
		for _, v := range all {
			if s, ok := v.(string); ok {
				c.words = append(c.words, strings.Fields(s)...)
			}
		}
	}
	return c
}

// files are the files that a call opens from the folder dir: the one that its tool is given, or
// those of a shell line.
func (c call) files(dir string) []string {
	switch {
	case c.File+c.Notebook != "":
		return []string{cmp.Or(c.File, c.Notebook)}
	case c.Command != "":
		return transcript.Files(dir, c.Command)
	}
	return nil
}

// names reports whether a call has an id among its words; one of a checkpoint may be longer.
func (c call) names(kind Kind, id string) bool {
	return slices.ContainsFunc(c.words, func(w string) bool {
		w = strings.Trim(w, `"'`)
		return w == id || kind != Item && len(w) >= 8 && (strings.HasPrefix(w, id) || strings.HasPrefix(id, w))
	})
}

// How many words in a row are a quotation, and how many a text must have.
const quoted, leastQuoted = 7, 4

// quotes are the runs of words of what was given, and what has them.
type quotes map[string][]int

func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func (q quotes) add(at int, text string) {
	w := words(text)
	if n := len(w); n >= leastQuoted && n < quoted {
		q[strings.Join(w, " ")] = append(q[strings.Join(w, " ")], at)
	}
	for i := 0; i+quoted <= len(w); i++ {
		key := strings.Join(w[i:i+quoted], " ")
		q[key] = append(q[key], at)
	}
}

// in are those that a text quotes.
func (q quotes) in(text string) (out []int) {
	if len(q) == 0 {
		return nil
	}
	w := words(text)
	for i := range w {
		for n := leastQuoted; n <= quoted && i+n <= len(w); n++ {
			for _, at := range q[strings.Join(w[i:i+n], " ")] {
				if !slices.Contains(out, at) {
					out = append(out, at)
				}
			}
		}
	}
	return out
}

// Tokens are those of answers, as the client counts them.
type Tokens struct {
	Input         int `json:"input"`
	CacheCreation int `json:"cache_creation"`
	CacheRead     int `json:"cache_read"`
	Output        int `json:"output"`
}

// Plus adds two.
func (t Tokens) Plus(o Tokens) Tokens {
	return Tokens{t.Input + o.Input, t.CacheCreation + o.CacheCreation, t.CacheRead + o.CacheRead, t.Output + o.Output}
}

// Total is all of them.
func (t Tokens) Total() int { return t.Input + t.CacheCreation + t.CacheRead + t.Output }

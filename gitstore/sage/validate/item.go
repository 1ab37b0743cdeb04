package validate

import (
	"errors"
	"fmt"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/naming"
	"github.com/git-sage/git-sage/gitstore/sage/versions"
	"github.com/git-sage/git-sage/prose/cut"
)

// What an item may have of each. A prompt is held against every keyword and pattern
// of all items, so they are few and short.
const (
	maxKeywords   = 100
	maxKeyword    = 200 // bytes
	maxPatterns   = 20
	maxPattern    = 500 // bytes
	maxWhens      = 10
	maxWhen       = 200 // bytes
	maxAliases    = 20
	maxAlias      = 200 // bytes
	maxSkills     = 50
	maxPaths      = 100
	maxPath       = 500 // bytes
	maxLinks      = 200
	maxCodeRefs   = 200
	maxItemText   = 64 << 10 // bytes of a text beside the content
	maxItemExtras = 1 << 20  // bytes of all front matter
)

// Item reports everything that is wrong with an item as a person or agent gives
// it, one line each, with the name of the field. A stored one may fail and be read
// all the same.
func Item(it *sage.Item) error {
	v := &validator{}
	v.name("id", it.ID)
	if !slices.Contains(sage.ItemEnums()["type"], string(it.Type)) {
		v.word("type", string(it.Type), sage.Kinds())
	}
	v.word("status", string(it.Status), sage.ItemEnums()["status"])
	if it.Type != sage.Todo && (it.Status == sage.Done || it.Status == sage.Pending) {
		v.fail("status", "only a todo is pending or done; of a %s, want active or archived", legible.Visible(cut.Runes(it.Type.Kind(), 20)))
	}
	if why := oneLine(it.Description); why != "" {
		v.fail("description", "%s", why)
	}
	v.list("keywords", it.Keywords, maxKeywords, maxKeyword, oneLine)
	v.list("patterns", it.Patterns, maxPatterns, maxPattern, patternProblem)
	v.list("when", it.When, maxWhens, maxWhen, oneLine)
	v.list("aliases", it.Aliases, maxAliases, maxAlias, oneLine)
	v.list("scope.skills", it.Scope.Skills, maxSkills, naming.MaxName, naming.NameProblem)
	v.list("scope.paths", it.Scope.Paths, maxPaths, maxPath, pathProblem)
	v.replaced(it)
	v.links(it)
	v.refs(it.CodeRefs, maxCodeRefs)
	v.failure(it)
	v.itemText(it)
	return errors.Join(v.errs...)
}

func (v *validator) name(at, name string) {
	if why := naming.NameProblem(name); why != "" {
		example := ""
		if s := naming.SuggestName(name); s != "" {
			example = fmt.Sprintf("; '%s' would do", s)
		}
		v.fail(at, "'%s' is not a valid item name: %s%s", legible.Visible(cut.Runes(name, 40)), why, example)
	}
}

func (v *validator) list(at string, list []string, most, longest int, problem func(string) string) {
	if len(list) > most {
		v.fail(at, "%d exceed the limit of %d", len(list), most)
	}
	for _, s := range list[:min(len(list), most)] {
		why := problem(s)
		switch {
		case len(s) > longest:
			why = fmt.Sprintf("it is longer than %d bytes", longest)
		case s == "":
			why = "it is empty"
		}
		if why != "" {
			v.fail(at, "'%s': %s", legible.Visible(cut.Runes(s, 40)), why)
		}
	}
}

func oneLine(s string) string {
	if strings.ContainsAny(s, "\n\r\x00") {
		return "it has more than one line"
	}
	return ""
}

func pathProblem(s string) string {
	clean := path.Clean(s)
	if strings.HasPrefix(s, "/") || strings.Contains(s, `\`) || len(s) > 1 && s[1] == ':' || clean == ".." || strings.HasPrefix(clean, "../") {
		return "want a path below the repository's root, with slashes"
	}
	return oneLine(s)
}

// CompilePattern reads a pattern of an item: RE2, upper and lower case alike, of
// bounded length. One that matches an empty text matches everything and is refused.
func CompilePattern(s string) (*regexp.Regexp, error) {
	if len(s) > maxPattern {
		return nil, fmt.Errorf("it is longer than %d bytes", maxPattern)
	}
	re, err := regexp.Compile("(?i:" + s + ")")
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	if re.MatchString("") {
		return nil, errors.New("it matches everything")
	}
	return re, nil
}

func patternProblem(s string) string {
	if _, err := CompilePattern(s); err != nil {
		return err.Error()
	}
	return oneLine(s)
}

func (v *validator) replaced(it *sage.Item) {
	if it.Replacement != "" {
		v.name("replacement", it.Replacement)
	}
	if it.Replacement != "" && it.Replacement == it.ID {
		v.fail("replacement", "an item cannot replace itself")
	}
}

func (v *validator) links(it *sage.Item) {
	if len(it.Links) > maxLinks {
		v.fail("links", "%d exceed the limit of %d", len(it.Links), maxLinks)
		return
	}
	for _, l := range it.Links {
		if at := "links." + string(l.Kind); !slices.Contains(sage.LinkKinds, l.Kind) {
			v.fail("links", "want one of %s, have '%s'", strings.Join(sage.ItemWords("links"), ", "), legible.Visible(cut.Runes(string(l.Kind), 40)))
		} else if v.name(at, l.To); l.To != "" && l.To == it.ID {
			v.fail(at, "an item cannot be linked to itself")
		}
	}
}

func (v *validator) failure(it *sage.Item) {
	if it.Type == sage.Failure {
		if strings.TrimSpace(it.Approach+it.Content) == "" {
			v.fail("approach", "want what was tried, have nothing")
		}
		return
	}
	for _, f := range []struct{ key, text string }{{"approach", it.Approach}, {"why_failed", it.WhyFailed}, {"learned", it.Learned}} {
		if f.text != "" {
			v.fail(f.key, "only an item of type failure has this")
		}
	}
	if strings.TrimSpace(it.Content+it.Description) == "" {
		v.fail("content", "want text, have nothing")
	}
}

// itemText checks that all text is UTF-8 and how much there is of it.
func (v *validator) itemText(it *sage.Item) {
	for _, version := range versions.Split(it.Content) {
		v.content(version)
	}
	for _, x := range slices.Concat(it.Extra, it.Scope.Extra) {
		v.values(x.Key, x.Value, 0)
	}
	for at, t := range map[string]interface{ Year() int }{"added": it.Added, "updated": it.Updated} {
		if t.Year() < 1 || t.Year() > 9999 {
			v.fail(at, "want a year from 1 to 9999, have %d", t.Year())
		}
	}
	if len(v.errs) > 0 {
		return // values must be sound
	}
	size := 0
	_ = it.Clone().MapText(func(s string) (string, error) {
		if size += len(s); !utf8.ValidString(s) || strings.IndexByte(s, 0) >= 0 {
			v.fail("text", "'%s' is not UTF-8, or has a NUL byte", legible.Visible(cut.Runes(strings.ToValidUTF8(s, "?"), 40)))
		}
		return s, nil
	})
	if size -= len(it.Content); size > maxItemExtras {
		v.fail("front matter", "%d bytes exceed the limit of %d (without the content)", size, maxItemExtras)
	}
	for _, f := range []struct{ key, text string }{{"description", it.Description}, {"source", it.Source}, {"reason", it.Reason}, {"approach", it.Approach}, {"why_failed", it.WhyFailed}, {"learned", it.Learned}} {
		if len(f.text) > maxItemText {
			v.fail(f.key, "%d bytes exceed the limit of %d; move the rest into the content", len(f.text), maxItemText)
		}
	}
}

func (v *validator) content(s string) {
	switch {
	case len(s) > sage.MaxContent:
		v.fail("content", "%d bytes exceed the limit of %d; split it into several items, or keep it as a file and save the parts that matter", len(s), sage.MaxContent)
	case !utf8.ValidString(s):
		v.fail("content", "text is not UTF-8")
	case strings.IndexByte(s, 0) >= 0:
		v.fail("content", "NUL byte in the text")
	}
}

func (v *validator) refs(list []sage.CodeRef, most int) {
	if len(list) > most {
		v.fail("code_refs", "%d exceed the limit of %d", len(list), most)
	}
	v.codeRefs(&sage.Checkpoint{CodeRefs: list[:min(len(list), most)]})
	for i, r := range list[:min(len(list), most)] {
		if r.Lines[0] > math.MaxInt32 || r.Lines[1] > math.MaxInt32 {
			v.fail(fmt.Sprintf("code_refs[%d].lines", i), "want lines of a file")
		}
		v.word(fmt.Sprintf("code_refs[%d].relevance", i), r.Relevance, sage.WordSets()["code_refs.relevance"])
	}
}

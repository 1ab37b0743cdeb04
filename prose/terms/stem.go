package terms

import (
	"strings"
	"unicode"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
)

// A Lang is a language in which words are written, by its two letters; "" is English, and
// any that has no stemmer here.
type Lang string

// Languages are those in Latin letters, beside English, whose inflections are known. What
// is written in Cyrillic tells by itself, and loses that of Russian.
var Languages = []Lang{"de", "es", "fr", "pt"}

// Stem takes the inflection off a word in lower case: "parsing" and "parse" become "pars".
func Stem(w string) string { return stem(w, "") }

// stem takes the inflection off a folded word. What has a digit, or letters of a script
// whose inflections nobody knows here, has none. Stemmers see words without accents, as
// people type them: of documents and questions they make the same.
func stem(w string, in Lang) string {
	if len(w) < 3 || len(w) > maxTerm {
		return w
	}
	if in == "de" {
		w = strings.ReplaceAll(w, "ß", "ss")
	}
	latin, cyrillic := true, true
	for _, r := range w {
		latin = latin && ('a' <= r && r <= 'z' || r == '\'')
		cyrillic = cyrillic && unicode.Is(unicode.Cyrillic, r)
	}
	var take func(*snowballstem.Env) bool
	switch {
	case cyrillic:
		take = russian.Stem
	case !latin:
		return w
	default:
		take = stemmerOf(in)
	}
	env := snowballstem.NewEnv(w)
	take(env)
	return env.Current()
}

func stemmerOf(in Lang) func(*snowballstem.Env) bool {
	switch in {
	case "de":
		return german.Stem
	case "es":
		return spanish.Stem
	case "fr":
		return french.Stem
	case "pt":
		return portuguese.Stem
	}
	return english.Stem
}

// KeyWord is a word of [Words] without what inflects it, by which a keyword is found in a
// prompt: of English the plural alone, since staging is no stage.
func KeyWord(w string, in Lang) string {
	if in != "" || strings.IndexFunc(w, func(r rune) bool { return r > unicode.MaxASCII }) >= 0 {
		return stem(w, in)
	}
	switch {
	case len(w) < 4 || strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "us") || strings.HasSuffix(w, "is"):
	case len(w) > 4 && strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "shes"), strings.HasSuffix(w, "sses"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "s"):
		return w[:len(w)-1]
	}
	return w
}

// KeyPhrase is a phrase of [Words] word by word as [KeyWord] has it.
func KeyPhrase(words []string, in Lang) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = KeyWord(w, in)
	}
	return strings.Join(out, " ")
}

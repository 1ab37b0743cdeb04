package words_test

import (
	"slices"
	"testing"

	"github.com/git-sage/git-sage/codeindex/internal/words"
)

func TestParts(t *testing.T) {
	for id, want := range map[string][]string{
		"parseHTTPHeader": {"parse", "http", "header"},
		"parse_header":    {"parse", "header"},
		"HTTPServer":      {"http", "server"},
		"utf8Valid":       {"utf8", "valid"},
		"__init__":        {"init"},
		"MAX_SIZE":        {"max", "size"},
		"x":               {"x"},
		"größeÄndern":     {"größe", "ändern"},
		"___":             nil,
		"ID":              {"id"},
		"userIDs":         {"user", "ids"},
		"URLs":            {"urls"},
		"IsValid":         {"is", "valid"},
	} {
		if got := words.Parts(id); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
}

func TestSpans(t *testing.T) {
	wanted := map[words.Term]bool{}
	for _, term := range words.Of("expired tokens, parse_header") {
		wanted[term] = true
	}
	for text, want := range map[string]string{
		"Tokens expire; all_tokens_expired": "[Tokens] [expire]; all_[tokens]_[expired]",
		"func parseHeader(tokenExpiry)":     "func [parseHeader]([token]Expiry)",
		"ParsedHeaders":                     "[ParsedHeaders]",
		"größe, x":                          "größe, x",
	} {
		got, at := "", 0
		for _, s := range words.Spans(text, wanted) {
			got, at = got+text[at:s[0]]+"["+text[s[0]:s[1]]+"]", s[1]
		}
		if got += text[at:]; got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// What is written in another way, or inflected, is found.
func TestSpellingsMeet(t *testing.T) {
	for _, c := range []struct{ asked, written string }{
		{"parse header", "parseHeader"},
		{"parseheader", "parse_header"},
		{"ParseHeader", "parse_header"},
		{"parsing headers", "ParseHeader"},
		{"http server", "HTTPServer"},
	} {
		written := words.Of(c.written)
		for _, term := range words.Of(c.asked) {
			if !slices.Contains(written, term) {
				t.Errorf("%q does not find %q", c.asked, c.written)
			}
		}
	}
	if slices.ContainsFunc(words.Of("writer"), func(t words.Term) bool { return slices.Contains(words.Of("reader"), t) }) {
		t.Error("writer finds reader")
	}
}

func TestReaderAgrees(t *testing.T) {
	const text = "func (r *Reader) parseHeader(in io.Reader) error { return parseHeader }"
	r := words.NewReader()
	for range 2 {
		seen := map[words.Term]bool{}
		var got []words.Term
		r.Each(text, func(list []words.Term) {
			for _, term := range list {
				if !seen[term] {
					seen[term] = true
					got = append(got, term)
				}
			}
		})
		if want := words.Of(text); !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}

func FuzzParts(f *testing.F) {
	for _, s := range []string{"parseHTTPHeader", "a_b", "ÄÖ", "\xff\xfeA", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, id string) {
		for _, p := range words.Parts(id) {
			if p == "" {
				t.Errorf("%q has an empty part", id)
			}
		}
		words.Of(id)
	})
}

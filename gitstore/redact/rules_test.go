package redact

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore/redact/internal/spans"
	"github.com/git-sage/git-sage/gitstore/redact/internal/tokens"
)

func TestOwnRulesAddToTheBuiltInOnes(t *testing.T) {
	r, err := New([]Rule{{Name: "ticket", Pattern: `ACME-\d{4}`}, {Name: "half", Pattern: `code:(\d+)`}})
	if err != nil {
		t.Fatal(err)
	}
	got, found, err := r.Text("ACME-1234, ACME-9, code:77 and password=hunter2 of ACME-0000")
	if err != nil {
		t.Fatal(err)
	}
	if want := "[redacted:ticket], ACME-9, code:[redacted:half] and password=[redacted:password] of [redacted:ticket]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	want := []Finding{{"ticket", 2}, {"half", 1}, {"password", 1}}
	if d := cmp.Diff(want, found); d != "" {
		t.Error(d)
	}
}

// TestGreedyRules holds that rules which match placeholders neither change them
// nor run for ever.
func TestGreedyRules(t *testing.T) {
	for _, pattern := range []string{".+", `(?s).+`, "redacted", `\[`, "[a-z]", `d:all\]`, `\w+`, `.`, `\]x?`} {
		r, err := New([]Rule{{Name: "all", Pattern: pattern}})
		if err != nil {
			t.Fatal(err)
		}
		once, _, err := r.Text("a b\nc [redacted:all]x d [redacted:")
		if err != nil {
			t.Fatalf("%s: %v", pattern, err)
		}
		if twice, _, err := r.Text(once); twice != once || err != nil {
			t.Errorf("%s: %q becomes %q, %v", pattern, once, twice, err)
		}
	}
}

func TestBadRulesAreNamed(t *testing.T) {
	for name, rule := range map[string]Rule{
		"missing closing )":    {"open", "(a"},
		"at most 1,000":        {"long", strings.Repeat("a", 1001)},
		"the pattern is empty": {"none", ""},
		"and so everywhere":    {"star", "a*"},
		"lower-case letters":   {"Bad Name", "a"},
		"invalid or unsupport": {"look", "(?=a)b"},
		"invalid repeat count": {"bomb", "(a{1000}){1000}"},
	} {
		_, err := New([]Rule{{"good", "a"}, rule})
		if err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), "1000 ", "1,000 "), name) || !strings.Contains(err.Error(), "'"+rule.Name+"'") {
			t.Errorf("%s: %v", rule.Name, err)
		}
	}
	if _, err := New(make([]Rule, 101)); err == nil {
		t.Error("101 rules are accepted")
	}
}

// TestPanicsFailClosed puts a finder that panics into the path.
func TestPanicsFailClosed(t *testing.T) {
	r := &Redactor{finders: []spans.Finder{tokens.Find, func(s string, _ *spans.Set) { panic(s) }}}
	got, found, err := r.Text("secret text")
	if err == nil || got != "" || found != nil {
		t.Errorf("got %q, %v, %v", got, found, err)
	}
	if err != nil && strings.Contains(err.Error(), "secret text") {
		t.Errorf("the error quotes the text: %v", err)
	}
}

// TestUnsettledTextFailsClosed uses a finder that always finds something new.
func TestUnsettledTextFailsClosed(t *testing.T) {
	r := &Redactor{finders: []spans.Finder{func(s string, f *spans.Set) { i := strings.LastIndex(s, "z"); f.Add("x", i, i+1) }}}
	if got, _, err := r.Text(strings.Repeat("z", 100)); err == nil || got != "" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestMerge(t *testing.T) {
	got := Merge([]Finding{{"a", 1}, {"b", 2}}, nil, []Finding{{"b", 3}, {"c", 1}})
	if d := cmp.Diff([]Finding{{"a", 1}, {"b", 5}, {"c", 1}}, got); d != "" {
		t.Error(d)
	}
}

func TestZeroValueRedacts(t *testing.T) {
	for name, r := range map[string]*Redactor{"nil": nil, "zero": {}} {
		if got, _, err := r.Text("password=hunter2"); err != nil || got != "password=[redacted:password]" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestFindingsNeverQuote(t *testing.T) {
	_, found, _ := Default().Text("password=hunter2hunter2")
	if len(found) != 1 || strings.Contains(found[0].Rule, "hunter") {
		t.Errorf("found %v", found)
	}
}

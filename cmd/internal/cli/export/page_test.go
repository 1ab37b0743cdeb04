package export

import (
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
)

func TestSlug(t *testing.T) {
	for in, want := range map[string]string{
		"Tokens rotate hourly.":   "tokens-rotate-hourly",
		"Über Größe: ça va?":      "uber-grosse-ca-va",
		"it's the user's":         "its-the-users",
		"../../etc/passwd":        "etc-passwd",
		"日本語":                     "",
		"🚀":                       "",
		"  -- a --  b":            "a-b",
		"C:\\x|y<z>":              "c-x-y-z",
		strings.Repeat("ab ", 40): strings.TrimSuffix(strings.Repeat("ab-", 20), "-"),
		strings.Repeat("x", 200):  strings.Repeat("x", maxSlug),
	} {
		if got := slug(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// id makes a commit id of a digit.
func id(digit string) string { return strings.Repeat(digit, 40) }

func chain() []*sage.Checkpoint {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return []*sage.Checkpoint{
		{ID: id("1"), Parents: []string{id("0")}, Time: at, CoreQuestion: "q", Thesis: "same", Author: "Ada <a@b>"},
		{ID: id("2"), Parents: []string{id("1")}, Time: at, Thesis: "same"},
		{ID: id("3"), Parents: []string{id("1"), id("2")}, Time: at.Add(time.Hour), Thesis: "## Lineage\n- [[no|link]]\n\n## Lineage"},
		{ID: id("4"), Time: at, KeyEvidence: []string{"a]]\n## Lineage\nb"}},
	}
}

func TestPagesHaveNamesOfTheirOwn(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range pages(chain(), nil) {
		if seen[p.name] || !regexp.MustCompile(`^2026-01-02T0[34]-04-05_[a-z0-9-]+$`).MatchString(p.name) {
			t.Errorf("name %q", p.name)
		}
		seen[p.name] = true
	}
}

func TestExportedMarkdownParsesBack(t *testing.T) {
	for _, p := range pages(chain(), nil) {
		data, err := p.render("md", true)
		if err != nil {
			t.Fatal(err)
		}
		got, err := codec.Parse(data)
		if err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
		if d := cmp.Diff(p.c, got, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(sage.Checkpoint{}, "Author")); d != "" {
			t.Errorf("-want +got\n%s\n%s", d, data)
		}
	}
}

var wikiTarget = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^- continue.*\[\[([^]|]*)\|[^]]*\]\]$`) })

func TestLineageLinksResolve(t *testing.T) {
	list := pages(chain(), nil)
	names := map[string]bool{}
	for _, p := range list {
		names[p.name] = true
	}
	links := 0
	for _, p := range list {
		for _, m := range wikiTarget().FindAllStringSubmatch(p.lineage(), -1) {
			links++
			if !names[m[1]] {
				t.Errorf("%s links to %s", p.name, m[1])
			}
		}
	}
	if links != 6 {
		t.Errorf("%d links, want 3 each way", links)
	}
	if !strings.Contains(list[0].lineage(), "- continues `"+id("0")+"`\n") {
		t.Errorf("an ancestor outside is not named: %q", list[0].lineage())
	}
}

func TestLineageGoesOverTombstones(t *testing.T) {
	cs := []*sage.Checkpoint{{ID: id("1")}, {ID: id("2"), Parents: []string{id("a")}}}
	list := pages(cs, map[string][]string{id("a"): {id("b")}, id("b"): {id("1")}})
	if len(list[0].children) != 1 || list[1].parents[0].Page != list[0] {
		t.Errorf("not tied: %+v", list[1].parents)
	}
}

func TestHTMLEscapesEveryField(t *testing.T) {
	const evil = `<script>x</script>"'&`
	half := 0.5
	c := &sage.Checkpoint{
		ID: id("1"), Author: evil, CoreQuestion: evil, Thesis: evil, Confidence: &half, KeyEvidence: []string{evil},
		ReasoningTrace: evil, OpenQuestions: []string{evil}, Description: evil, Skill: evil, Project: evil, Template: evil,
		Sources:             []sage.Source{{ID: evil, Type: evil, Identifier: evil, Credibility: evil, Take: evil, Relation: evil}},
		Tensions:            []sage.Tension{{Between: []string{evil, evil}, Nature: evil, Resolution: evil}},
		UniqueContributions: []sage.Contribution{{Type: evil, Content: evil}},
		Action:              sage.Action{Goal: evil, Type: evil, Deadline: evil, Stakeholders: []string{evil}},
		Domain:              evil, DomainData: map[string]any{evil: []any{evil}}, Fields: map[string]any{evil: evil},
		CodeRefs:      []sage.CodeRef{{File: evil, Lines: [2]int{1, 2}, Symbol: evil, Snippet: evil, Relevance: evil}},
		FilesExplored: []string{evil}, FilesChanged: []string{evil}, Trigger: evil,
		ComponentTheses: []sage.ComponentThesis{{From: evil, Thesis: evil}}, Parents: []string{evil},
	}
	list := pages([]*sage.Checkpoint{c}, nil)
	page, err := list[0].render("html", true)
	if err != nil {
		t.Fatal(err)
	}
	index, err := indexHTML(list)
	if err != nil {
		t.Fatal(err)
	}
	for _, data := range [][]byte{page, index} {
		if strings.Contains(string(data), "<script") {
			t.Errorf("not escaped:\n%s", data)
		}
	}
	if n := strings.Count(string(page), "&lt;script&gt;"); n < 30 {
		t.Errorf("only %d values are shown:\n%s", n, page)
	}
	for _, want := range []string{"50%", "default-src 'none'", ":1-2"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("%q is missing in:\n%s", want, page)
		}
	}
}

func TestRenderedPageKeepsItsHead(t *testing.T) {
	c := &sage.Checkpoint{ID: id("1"), Skill: "a\n---\nb", Thesis: "stored"}
	p := pages([]*sage.Checkpoint{c}, nil)[0]
	p.text = "# Shown\n---\n<script>\n"
	data, err := p.render("md", false)
	if err != nil {
		t.Fatal(err)
	}
	head, body := string(frontMatter(data)), "\n# Shown\n---\n<script>\n"
	if string(data) != head+body {
		t.Errorf("page\n%s", data)
	}
	if got, err := codec.Parse([]byte(head)); err != nil || got.ID != c.ID || got.Skill != c.Skill {
		t.Errorf("head reads as %+v, %v", got, err)
	}
	page, err := p.render("html", false)
	if err != nil || !strings.Contains(string(page), "# Shown\n---\n&lt;script&gt;") || strings.Contains(string(page), "stored</p>") {
		t.Errorf("%v\n%s", err, page)
	}
}

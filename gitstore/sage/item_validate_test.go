package sage

import (
	"strings"
	"testing"
	"time"
)

func TestValidateItem(t *testing.T) {
	long := strings.Repeat("a", 600)
	many := func(n int) []string { return strings.Split(strings.Repeat("k,", n-1)+"k", ",") }
	base := func(change func(*Item)) Item {
		it := Item{ID: "x", Type: Knowledge, Status: Active, Content: "text"}
		change(&it)
		return it
	}
	for name, tt := range map[string]struct {
		change func(*Item)
		want   string // "" is valid
	}{
		"good":         {func(it *Item) { it.Keywords, it.Patterns = []string{"two words"}, []string{`v\d+`} }, ""},
		"id":           {func(it *Item) { it.ID = "Bad Id" }, "id: 'Bad Id' is not a valid item name: it must begin with a-z or 0-9; 'bad-id' would do"},
		"no id":        {func(it *Item) { it.ID = "" }, "id: '' is not a valid item name: it is empty"},
		"type":         {func(it *Item) { it.Type = "idea" }, "type: want one of fact, preference, todo, reference, failure, have 'idea'"},
		"status":       {func(it *Item) { it.Status = "open" }, "status: want one of active, pending, done, archived, deprecated, superseded, have 'open'"},
		"description":  {func(it *Item) { it.Description = "a\nb" }, "description: it has more than one line"},
		"keywords":     {func(it *Item) { it.Keywords = many(101) }, "keywords: 101 exceed the limit of 100"},
		"keyword":      {func(it *Item) { it.Keywords = []string{"a", "b\nc"} }, "keywords: 'b\nc': it has more than one line"},
		"long":         {func(it *Item) { it.Keywords = []string{long} }, "it is longer than 200 bytes"},
		"empty":        {func(it *Item) { it.Keywords = []string{""} }, "keywords: '': it is empty"},
		"patterns":     {func(it *Item) { it.Patterns = many(21) }, "patterns: 21 exceed the limit of 20"},
		"long pattern": {func(it *Item) { it.Patterns = []string{long} }, "it is longer than 500 bytes"},
		"all":          {func(it *Item) { it.Patterns = []string{".*"} }, "patterns: '.*': it matches everything"},
		"look ahead":   {func(it *Item) { it.Patterns = []string{"(?=a)"} }, "patterns: '(?=a)': invalid or unsupported Perl syntax"},
		"skill":        {func(it *Item) { it.Scope.Skills = []string{"My Skill"} }, "scope.skills: 'My Skill': it must begin with a-z or 0-9"},
		"absolute":     {func(it *Item) { it.Scope.Paths = []string{"/etc"} }, "scope.paths: '/etc': want a path below the repository's root"},
		"above":        {func(it *Item) { it.Scope.Paths = []string{"a/../../b"} }, "want a path below the repository's root"},
		"windows":      {func(it *Item) { it.Scope.Paths = []string{`C:\x`} }, "want a path below the repository's root"},
		"replacement":  {func(it *Item) { it.Replacement = "x" }, "replacement: an item cannot replace itself"},
		"no name":      {func(it *Item) { it.Replacement = "A B" }, "replacement: 'A B' is not a valid item name"},
		"link":         {func(it *Item) { it.Links = []Link{{Related, "x"}} }, "links.related: an item cannot be linked to itself"},
		"kind":         {func(it *Item) { it.Links = []Link{{"likes", "y"}} }, "links: want one of related, supersedes, contradicts, extends, have 'likes'"},
		"links":        {func(it *Item) { it.Links = make([]Link, 201) }, "links: 201 exceed the limit of"},
		"refs":         {func(it *Item) { it.CodeRefs = make([]CodeRef, 201) }, "code_refs: 201 exceed the limit of"},
		"ref":          {func(it *Item) { it.CodeRefs = []CodeRef{{File: "a", Lines: [2]int{1, 1 << 40}}} }, "code_refs[0].lines: want lines of a file"},
		"relevance":    {func(it *Item) { it.CodeRefs = []CodeRef{{File: "a", Relevance: "nice"}} }, "code_refs[0].relevance: want one of"},
		"approach":     {func(it *Item) { it.Approach = "a" }, "approach: only an item of type failure has this"},
		"failure":      {func(it *Item) { it.Type, it.Content = Failure, "" }, "approach: want what was tried, have nothing"},
		"failed":       {func(it *Item) { it.Type, it.Content, it.Approach = Failure, "", "a cache" }, ""},
		"content":      {func(it *Item) { it.Content = "\n" }, "content: want text, have nothing"},
		"large":        {func(it *Item) { it.Content = strings.Repeat("a", MaxContent+1) }, "content: 1048577 bytes exceed the limit of"},
		"just so":      {func(it *Item) { it.Content = strings.Repeat("a", MaxContent) }, ""},
		"bytes":        {func(it *Item) { it.Content = "\xff" }, "content: text is not UTF-8"},
		"NUL":          {func(it *Item) { it.Content = "\x00" }, "content: NUL byte in the text"},
		"bytes of all": {func(it *Item) { it.Source = "\xff" }, "text: '?' is not UTF-8"},
		"source":       {func(it *Item) { it.Source = strings.Repeat("a", 1<<17) }, "source: 131072 bytes exceed the limit of 65536; move the rest into the content"},
		"front matter": {func(it *Item) { it.Extra = []Entry{{"x", strings.Repeat("a", 2<<20)}} }, "front matter: 2097153 bytes exceed the limit of"},
		"value":        {func(it *Item) { it.Extra = []Entry{{"x", struct{}{}}} }, "x: values of type struct {} cannot be stored"},
		"year":         {func(it *Item) { it.Added = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC) }, "added: want a year from 1 to 9999, have 10000"},
	} {
		t.Run(name, func(t *testing.T) {
			it := base(tt.change)
			switch err := it.Validate(); {
			case tt.want == "" && err != nil:
				t.Error(err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

// Everything that is wrong is said at once.
func TestValidateItemSaysAll(t *testing.T) {
	it := Item{ID: "?", Type: "a", Status: "b", Patterns: []string{"("}}
	if got := strings.Count(it.Validate().Error(), "\n"); got != 4 {
		t.Errorf("%d lines more: %v", got, it.Validate())
	}
}

func TestTidyItem(t *testing.T) {
	it := Item{ID: "x", Type: " TODO ", Keywords: []string{" a ", "", "a", "b"}, Links: []Link{{"Extends", "y"}, {Related, "z"}, {Extends, "y"}},
		Content: "\r\none\r\ntwo\r\n\r\n", Source: " a\r\nb ", Added: time.Date(2026, 1, 2, 3, 4, 5, 6, time.FixedZone("", 3600))}
	it.Tidy()
	if it.Type != Todo || it.Status != Pending || strings.Join(it.Keywords, ",") != "a,b" || it.Content != "one\ntwo" || it.Source != "a\nb" || it.Added.Format(time.RFC3339Nano) != "2026-01-02T02:04:05Z" {
		t.Errorf("%+v", it)
	}
	if len(it.Links) != 2 || it.Links[0].Kind != Related {
		t.Errorf("%+v", it.Links)
	}
}

func TestSuggestName(t *testing.T) {
	for name, want := range map[string]string{
		"My Notes": "my-notes", "a..b": "a.b", "..a.lock": "a", "con": "", "ÄÖ": "", "Grüße aus Köln": "gr-e-aus-k-ln", "a/b\\c": "a-b-c", "-x-": "x",
		strings.Repeat("ab ", 80): strings.Repeat("ab-", 33) + "a", "": "",
	} {
		if got := SuggestName(name); got != want || got != "" && NameProblem(got) != "" {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

func TestWhatAnItemSays(t *testing.T) {
	for _, tt := range []struct {
		it          Item
		title, text string
	}{
		{Item{ID: "x"}, "x", ""},
		{Item{ID: "x", Content: "\n## Rotate *keys*\n\nYearly."}, "Rotate *keys*", "\n## Rotate *keys*\n\nYearly."},
		{Item{ID: "x", Description: "Keys", Content: "c"}, "Keys", "Keys\n\nc"},
		{Item{ID: "x", Approach: "cache it\nmore", WhyFailed: "stale", Learned: "measure"}, "cache it", "Approach: cache it\nmore\n\nWhy it failed: stale\n\nLearned: measure"},
	} {
		if got := tt.it.Title(); got != tt.title {
			t.Errorf("title %q, want %q", got, tt.title)
		}
		if got := tt.it.Text(); got != tt.text || tt.it.Tokens() != len(got)/4 {
			t.Errorf("text %q, want %q; %d tokens", got, tt.text, tt.it.Tokens())
		}
	}
}

func TestItemWords(t *testing.T) {
	for field, want := range map[string]string{
		"type": "knowledge preference todo reference failure", "status": "active pending done archived deprecated superseded",
		"links": "related supersedes contradicts extends", "source": "",
	} {
		if got := strings.Join(ItemWords(field), " "); got != want {
			t.Errorf("%s: %s", field, got)
		}
	}
}

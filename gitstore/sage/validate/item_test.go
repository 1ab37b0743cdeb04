package validate

import (
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
)

func TestValidateItem(t *testing.T) {
	long := strings.Repeat("a", 600)
	many := func(n int) []string { return strings.Split(strings.Repeat("k,", n-1)+"k", ",") }
	base := func(change func(*sage.Item)) sage.Item {
		it := sage.Item{ID: "x", Type: sage.Knowledge, Status: sage.Active, Content: "text"}
		change(&it)
		return it
	}
	for name, tt := range map[string]struct {
		change func(*sage.Item)
		want   string // "" is valid
	}{
		"good":         {func(it *sage.Item) { it.Keywords, it.Patterns = []string{"two words"}, []string{`v\d+`} }, ""},
		"id":           {func(it *sage.Item) { it.ID = "Bad Id" }, "id: 'Bad Id' is not a valid item name: it must begin with a-z or 0-9; 'bad-id' would do"},
		"no id":        {func(it *sage.Item) { it.ID = "" }, "id: '' is not a valid item name: it is empty"},
		"type":         {func(it *sage.Item) { it.Type = "idea" }, "type: want one of fact, preference, todo, reference, failure, have 'idea'"},
		"status":       {func(it *sage.Item) { it.Status = "open" }, "status: want one of active, pending, done, archived, deprecated, superseded, have 'open'"},
		"description":  {func(it *sage.Item) { it.Description = "a\nb" }, "description: it has more than one line"},
		"keywords":     {func(it *sage.Item) { it.Keywords = many(101) }, "keywords: 101 exceed the limit of 100"},
		"keyword":      {func(it *sage.Item) { it.Keywords = []string{"a", "b\nc"} }, "keywords: 'b\nc': it has more than one line"},
		"long":         {func(it *sage.Item) { it.Keywords = []string{long} }, "it is longer than 200 bytes"},
		"empty":        {func(it *sage.Item) { it.Keywords = []string{""} }, "keywords: '': it is empty"},
		"patterns":     {func(it *sage.Item) { it.Patterns = many(21) }, "patterns: 21 exceed the limit of 20"},
		"long pattern": {func(it *sage.Item) { it.Patterns = []string{long} }, "it is longer than 500 bytes"},
		"all":          {func(it *sage.Item) { it.Patterns = []string{".*"} }, "patterns: '.*': it matches everything"},
		"look ahead":   {func(it *sage.Item) { it.Patterns = []string{"(?=a)"} }, "patterns: '(?=a)': invalid or unsupported Perl syntax"},
		"skill":        {func(it *sage.Item) { it.Scope.Skills = []string{"My Skill"} }, "scope.skills: 'My Skill': it must begin with a-z or 0-9"},
		"absolute":     {func(it *sage.Item) { it.Scope.Paths = []string{"/etc"} }, "scope.paths: '/etc': want a path below the repository's root"},
		"above":        {func(it *sage.Item) { it.Scope.Paths = []string{"a/../../b"} }, "want a path below the repository's root"},
		"windows":      {func(it *sage.Item) { it.Scope.Paths = []string{`C:\x`} }, "want a path below the repository's root"},
		"replacement":  {func(it *sage.Item) { it.Replacement = "x" }, "replacement: an item cannot replace itself"},
		"no name":      {func(it *sage.Item) { it.Replacement = "A B" }, "replacement: 'A B' is not a valid item name"},
		"link":         {func(it *sage.Item) { it.Links = []sage.Link{{Kind: sage.Related, To: "x"}} }, "links.related: an item cannot be linked to itself"},
		"kind":         {func(it *sage.Item) { it.Links = []sage.Link{{Kind: "likes", To: "y"}} }, "links: want one of related, supersedes, contradicts, extends, have 'likes'"},
		"links":        {func(it *sage.Item) { it.Links = make([]sage.Link, 201) }, "links: 201 exceed the limit of"},
		"refs":         {func(it *sage.Item) { it.CodeRefs = make([]sage.CodeRef, 201) }, "code_refs: 201 exceed the limit of"},
		"ref":          {func(it *sage.Item) { it.CodeRefs = []sage.CodeRef{{File: "a", Lines: [2]int{1, 1 << 40}}} }, "code_refs[0].lines: want lines of a file"},
		"relevance":    {func(it *sage.Item) { it.CodeRefs = []sage.CodeRef{{File: "a", Relevance: "nice"}} }, "code_refs[0].relevance: want one of"},
		"approach":     {func(it *sage.Item) { it.Approach = "a" }, "approach: only an item of type failure has this"},
		"failure":      {func(it *sage.Item) { it.Type, it.Content = sage.Failure, "" }, "approach: want what was tried, have nothing"},
		"failed":       {func(it *sage.Item) { it.Type, it.Content, it.Approach = sage.Failure, "", "a cache" }, ""},
		"content":      {func(it *sage.Item) { it.Content = "\n" }, "content: want text, have nothing"},
		"large":        {func(it *sage.Item) { it.Content = strings.Repeat("a", sage.MaxContent+1) }, "content: 1048577 bytes exceed the limit of"},
		"just so":      {func(it *sage.Item) { it.Content = strings.Repeat("a", sage.MaxContent) }, ""},
		"bytes":        {func(it *sage.Item) { it.Content = "\xff" }, "content: text is not UTF-8"},
		"NUL":          {func(it *sage.Item) { it.Content = "\x00" }, "content: NUL byte in the text"},
		"bytes of all": {func(it *sage.Item) { it.Source = "\xff" }, "text: '?' is not UTF-8"},
		"source":       {func(it *sage.Item) { it.Source = strings.Repeat("a", 1<<17) }, "source: 131072 bytes exceed the limit of 65536; move the rest into the content"},
		"front matter": {func(it *sage.Item) { it.Extra = []sage.Entry{{Key: "x", Value: strings.Repeat("a", 2<<20)}} }, "front matter: 2097153 bytes exceed the limit of"},
		"value":        {func(it *sage.Item) { it.Extra = []sage.Entry{{Key: "x", Value: struct{}{}}} }, "x: values of type struct {} cannot be stored"},
		"year":         {func(it *sage.Item) { it.Added = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC) }, "added: want a year from 1 to 9999, have 10000"},
	} {
		t.Run(name, func(t *testing.T) {
			it := base(tt.change)
			switch err := Item(&it); {
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
	it := sage.Item{ID: "?", Type: "a", Status: "b", Patterns: []string{"("}}
	if got := strings.Count(Item(&it).Error(), "\n"); got != 4 {
		t.Errorf("%d lines more: %v", got, Item(&it))
	}
}

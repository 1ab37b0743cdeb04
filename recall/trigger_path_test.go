package recall_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/prompts"
	"github.com/git-sage/git-sage/recall/rank"
)

func TestAPathThatAPromptNamesRecallsWhatIsAboutIt(t *testing.T) {
	m := newMemory(t, "")
	about := func(id string, paths ...string) recall.ItemChange {
		c := item(id, sage.Knowledge, "Mind the gap between "+id+" trains.")
		c.Item.Scope.Paths = paths
		return c
	}
	write(t, m, about("auth", "internal/auth"), about("file", "cmd/main.go"), about("none"))
	for prompt, want := range map[string][]string{
		"why does internal/auth/token.go fail?":        {"auth"},
		"look at ./internal/auth":                      {"auth"},
		"/home/ada/project/internal/auth/token.go:17:": {"auth"},
		`internal\auth\token.go fails`:                 {"auth"},
		"rename a flag in main.go, please":             {"file"},
		"internal/authority/x.go":                      nil,
		"the internal auth is slow":                    nil,
		"other.go":                                     nil,
		"and/or":                                       nil,
	} {
		if got := recalled(t, m, prompt, prompts.RecallOptions{}); !slices.Equal(got, want) {
			t.Errorf("%q recalls %q instead of %q", prompt, got, want)
		}
	}
	for i := range rank.SharedBy {
		write(t, m, about(fmt.Sprint("more-", i), "internal"))
	}
	if got := recalled(t, m, "look at internal/auth/token.go", prompts.RecallOptions{}); got != nil {
		t.Errorf("a path that many share: %q", got)
	}
}

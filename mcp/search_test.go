package mcp

import (
	"strings"
	"testing"
)

func TestSearchFilters(t *testing.T) {
	_, opener := repository(t)
	k := open(t, Options{Open: opener})
	here := idOf(t, k.do("sage_save_checkpoint", thought("Sessions are kept in cookies.", "trigger", "branch_point", "confidence", 0.3, "skill", "web", "files_explored", []any{"auth/token.go"})))
	k.do("sage_branch", map[string]any{"name": "other"})
	there := idOf(t, k.do("sage_save_checkpoint", thought("Sessions are kept in tokens.", "confidence", 0.9)))
	k.do("sage_load_checkpoint", map[string]any{"checkpoint_id": "main"})
	search := func(args ...any) string {
		t.Helper()
		given := map[string]any{"query": "how are sessions kept"}
		for i := 0; i < len(args); i += 2 {
			given[args[i].(string)] = args[i+1]
		}
		return k.do("sage_search_checkpoints", given)
	}
	for _, tc := range []struct {
		args        []any
		here, there bool
	}{
		{nil, true, true},
		{[]any{"line", "main"}, true, false},
		{[]any{"line", "other"}, true, true},
		{[]any{"skill", "web"}, true, false},
		{[]any{"trigger", "branch-point"}, true, false},
		{[]any{"confidence", 0.5}, false, true},
		{[]any{"confidence", "0.5"}, false, true},
		{[]any{"file", "auth"}, true, false},
		{[]any{"file", "nowhere"}, false, false},
		{[]any{"author", "Ada"}, true, true},
		{[]any{"author", "nobody"}, false, false},
		{[]any{"since", "2000-01-01"}, true, true},
		{[]any{"since", "2090-01-01"}, false, false},
		{[]any{"line", "other", "confidence", 0.5, "author", "Ada", "all", true}, false, true},
	} {
		text := search(tc.args...)
		if strings.Contains(text, here) != tc.here || strings.Contains(text, there) != tc.there {
			t.Errorf("%v finds:\n%s", tc.args, text)
		}
		if tc.there && !strings.Contains(text, there+"  ") || strings.Contains(text, "line other") != tc.there || strings.Contains(text, "line main") {
			t.Errorf("%v names lines:\n%s", tc.args, text)
		}
	}
	if text := search(); strings.Index(text, here) > strings.Index(text, there) {
		t.Errorf("another line comes first:\n%s", text)
	}
	for args, want := range map[[2]string]string{
		{"line", "nosuch"}: "no line 'nosuch'", {"author", "("}: "author: ", {"confidence", "2"}: "confidence: must be a number from 0 to 1",
		{"trigger", "nosuch"}: "trigger: must be one of", {"lines", "main"}: `did you mean "line"`, {"limit", "-1"}: "limit: must be a whole number",
	} {
		k.fail("sage_search_checkpoints", map[string]any{"query": "sessions", args[0]: args[1]}, want)
	}
}

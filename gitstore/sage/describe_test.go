package sage

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDescribe(t *testing.T) {
	long := "The quick brown fox jumps over the lazy dog while seventeen auditors take notes on paper"
	tests := map[string]struct {
		c    Checkpoint
		want string
	}{
		"given":         {Checkpoint{Description: " my\nwords ", Thesis: "No."}, "my words"},
		"sentence":      {Checkpoint{Thesis: "Use cookies, e.g. Lax ones. Tokens leak."}, "Use cookies, e.g. Lax ones."},
		"version":       {Checkpoint{Thesis: "Go 1.26 is enough! More follows."}, "Go 1.26 is enough!"},
		"list":          {Checkpoint{Thesis: "1. First. Second."}, "1. First."},
		"line":          {Checkpoint{Thesis: "\n\nFirst line\nsecond line"}, "First line"},
		"Chinese":       {Checkpoint{Thesis: "使用令牌。不用会话。"}, "使用令牌。"},
		"question":      {Checkpoint{Thesis: " ", CoreQuestion: "Why?"}, "Why?"},
		"nothing":       {Checkpoint{}, "checkpoint at turn 7"},
		"long":          {Checkpoint{Thesis: long}, "The quick brown fox jumps over the lazy dog while seventeen auditors…"},
		"no blank":      {Checkpoint{Thesis: strings.Repeat("ü", 80)}, strings.Repeat("ü", 71) + "…"},
		"marks":         {Checkpoint{Thesis: strings.Repeat("x", 70) + "e\u0301e\u0301e\u0301"}, strings.Repeat("x", 70) + "…"},
		"direction":     {Checkpoint{Thesis: "a\u202eb"}, `a\u{202e}b`},
		"terminal":      {Checkpoint{Description: "\x1b]0;x\a"}, `\u{1b}]0;x\u{7}`},
		"broken bytes":  {Checkpoint{Thesis: "a\xff. b"}, "a\ufffd."},
		"exactly fits":  {Checkpoint{Thesis: strings.Repeat("a ", 35) + "bc"}, strings.Repeat("a ", 35) + "bc"},
		"one too many":  {Checkpoint{Thesis: strings.Repeat("a ", 36) + "b"}, strings.Repeat("a ", 35) + "a…"},
		"abbreviations": {Checkpoint{Thesis: "Ask J. Doe. Then decide."}, "Ask J. Doe."},
		"German":        {Checkpoint{Thesis: "Wir nehmen z. B. Redis bis zum 3. Mai. Danach nicht."}, "Wir nehmen z. B. Redis bis zum 3. Mai."},
		"aside":         {Checkpoint{Thesis: "The pool (5 conns. Not 6!) leaks. It grows."}, "The pool (5 conns. Not 6!) leaks."},
		"Japanese":      {Checkpoint{Thesis: "「はい。」と答えた。次へ。"}, "「はい。」と答えた。"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, Describe(&tt.c, 7)); d != "" {
				t.Error(d)
			}
		})
	}
}

package gitstore_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

func TestMergeText(t *testing.T) {
	const base = "one\ntwo\nthree\nfour\nfive\n"
	ours := strings.Replace(base, "one", "ONE", 1)
	home := t.TempDir()
	for _, tt := range []struct {
		name, base, ours, theirs, want string
		ok                             bool
	}{
		{"two places", base, ours, strings.Replace(base, "five", "FIVE", 1), "ONE\ntwo\nthree\nfour\nFIVE\n", true},
		{"the same", base, ours, ours, ours, true},
		{"one side alone", base, base, ours, ours, true},
		{"one line", base, ours, strings.Replace(base, "one", "eins", 1), "", false},
		{"no base", "", "a\n", "b\n", "", false},
		{"all gone", base, "", base, "", true},
		{"other line ends", base, strings.ReplaceAll(ours, "\n", "\r\n"), strings.Replace(base, "five", "FIVE", 1), "", false},
	} {
		got, ok, err := gitstore.MergeText(context.Background(), gitstore.Options{Home: home, Env: storetest.Env(home)}, []byte(tt.base), []byte(tt.ours), []byte(tt.theirs))
		if err != nil || ok != tt.ok || string(got) != tt.want {
			t.Errorf("%s: %q %v %v, want %q", tt.name, got, ok, err, tt.want)
		}
	}
	if left, err := os.ReadDir(home); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
	if _, _, err := gitstore.MergeText(context.Background(), gitstore.Options{Home: home}, []byte("a\x00"), []byte("b\x00"), []byte("c\x00")); err == nil {
		t.Error("binary files were merged")
	}
}

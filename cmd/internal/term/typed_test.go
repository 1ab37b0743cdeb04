package term

import "testing"

func TestTyped(t *testing.T) {
	for _, tt := range []struct{ folder, store, hint, want string }{
		{"", "", "'git sage undo' lists", "'git sage undo' lists"},
		{"-C ../x ", "", "'git sage undo' lists; run 'git sage fsck'", "'git sage -C ../x undo' lists; run 'git sage -C ../x fsck'"},
		{"-C ../x ", "", "git sage fsck --repair", "git sage -C ../x fsck --repair"},
		{"", "--global ", "'git sage undo --last' redoes it", "'git sage --global undo --last' redoes it"},
		{"-C ../x ", "--global ", "'git sage undo --last' redoes it", "'git sage --global undo --last' redoes it"},
		{"-C ../x ", "--session s ", "'git sage merge idea'", "'git sage -C ../x --session s merge idea'"},
		{"-C ../x ", "--global ", "'git sage mcp install' adds it", "'git sage -C ../x mcp install' adds it"},
		{"-C ../x ", "", "'git sage undo --global' lists, 'git sage undo 1' undoes", "'git sage undo --global' lists, 'git sage -C ../x undo 1' undoes"},
		{"-C ../x ", "", "2 clones; in each, fetch, then run 'git sage merge --fetched'", "2 clones; in each, fetch, then run 'git sage merge --fetched'"},
		{"-C ../x ", "", "run 'git sage purge --path a' there and push", "run 'git sage purge --path a' there and push"},
	} {
		term := &Terminal{TypedDir: tt.folder, TypedStore: tt.store}
		if got := term.Typed(tt.hint); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.hint, got, tt.want)
		}
	}
}

package shell

import (
	"strings"
	"testing"
)

// What is in another one without end is given up, long before the stack is.
func TestDeepShellLines(t *testing.T) {
	for _, nested := range []string{"(", "{ ", "$(", "\"$(", "`", "${a:-", "((!", "<(", "if ", "! ", "time ", "f() ", "case x in a) ", "<<A\n$(cat ", "a|", "a&&"} {
		line := "cat a.go\n" + strings.Repeat(nested, maxShell)
		if got := Commands(line); len(got) == 0 || got[0].Words[1].Text != "a.go" {
			t.Errorf("%q without end: %d commands", nested, len(got))
		}
	}
}

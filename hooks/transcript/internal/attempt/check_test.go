package attempt

import (
	"reflect"
	"testing"

	"github.com/git-sage/git-sage/hooks/transcript/internal/shell"
)

// cutShort hides nothing.
func cutShort(s string, most int) string { return s[:min(len(s), most)] }

// What a shell runs of a line is seen, and what a loop ends in is not the end of the line.
func TestWhatIsInOtherCommands(t *testing.T) {
	for line, want := range map[string]Check{
		"for i in 1 2; do go test ./a; done":       {Run: "go test", Tests: true, Targets: []string{"./a"}, Hidden: true},
		"if go test ./a; then echo x; fi":          {Run: "go test", Tests: true, Targets: []string{"./a"}, Hidden: true},
		"{ cd b && go test ./a; } 2>&1":            {Run: "go test", Tests: true, Targets: []string{"./a"}},
		"(go test ./a) > log":                      {Run: "go test", Tests: true, Targets: []string{"./a"}, Hidden: true},
		"X=1 time go test ./a | tail -5":           {Run: "X=1 go test", Tests: true, Targets: []string{"./a"}, Hidden: true},
		"while true; do make; done":                {},
		"cat > x.sh <<EOF\ngo test ./a\nEOF\nmake": {},
	} {
		if got := Find(shell.Commands(line), cutShort); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, not %+v", line, got, want)
		}
	}
}

// FuzzFind makes sure that no line ends the search, and that what it finds is bounded.
func FuzzFind(f *testing.F) {
	for _, s := range []string{
		"cat <<A <<B >c\nx\nA\ny\nB\ncat d", "a $(b \"$(c 'd')\" `e`) | f", "X=1 uv run pytest -k x", "git stash", "2>&1>|x",
		"go test ./a ./b/ -run X -count=1 | tail", "npm run test:unit -- a", "\"\\", "\xff\x00",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		cmds := shell.Commands(s)
		c, tries := Find(cmds, cutShort), Tries(cmds, cutShort)
		if len(c.Targets) > maxTargets || len(tries) > maxTries || len(cmds) == 0 && (c.Run != "" || Undoes(cmds)) {
			t.Errorf("%+v, %q", c, tries)
		}
	})
}

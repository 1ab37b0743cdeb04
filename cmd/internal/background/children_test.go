package background

import (
	"strings"
	"testing"
)

// What is asked for while it runs is begun once more when it has ended, however often.
func TestChildrenAreBegunAgain(t *testing.T) {
	var c Children
	for _, tt := range []struct {
		do   string
		want bool
	}{
		{"begin one", true}, {"begin two", true}, {"end two", false},
		{"begin one", false}, {"begin one", false}, {"end one", true}, {"begin one", true}, {"end one", false},
	} {
		do := c.Begin
		if strings.HasPrefix(tt.do, "end") {
			do = c.End
		}
		if got := do(tt.do[len(tt.do)-3:]); got != tt.want {
			t.Errorf("%s: %v", tt.do, got)
		}
	}
}

package follow

import (
	"strings"
	"testing"
)

func TestNewest(t *testing.T) {
	if got := strings.Join(newest([]string{"a", "b", "c"}, 2), ""); got != "bc" {
		t.Error(got)
	}
	if got := newest([]string{"a"}, 2); len(got) != 1 {
		t.Error(got)
	}
}

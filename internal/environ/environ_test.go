package environ_test

import (
	"testing"

	"github.com/git-sage/git-sage/internal/environ"
)

func TestGet(t *testing.T) {
	env := []string{"CI=true", "CIRCLE=x", "EMPTY=", "PATH=/a=b", "CI="}
	for name, want := range map[string]string{"CI": "", "CIRCLE": "x", "EMPTY": "", "PATH": "/a=b", "CIR": "", "NONE": ""} {
		if got := environ.Get(env, name); got != want {
			t.Errorf("%s is '%s', want '%s'", name, got, want)
		}
	}
}

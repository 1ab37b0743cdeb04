package environ_test

import (
	"testing"

	"github.com/git-sage/git-sage/internal/environ"
)

func TestHome(t *testing.T) {
	for want, env := range map[string][]string{
		"/h": {"HOME=/h", `USERPROFILE=C:\u`}, `C:\u`: {`USERPROFILE=C:\u`}, `D:\u`: {"HOME=", `USERPROFILE=D:\u`}, "": {"PATH=/bin"},
	} {
		if got := environ.Home(env); got != want {
			t.Errorf("%q: '%s', want '%s'", env, got, want)
		}
	}
}

func TestGet(t *testing.T) {
	env := []string{"CI=true", "CIRCLE=x", "EMPTY=", "PATH=/a=b", "CI="}
	for name, want := range map[string]string{"CI": "", "CIRCLE": "x", "EMPTY": "", "PATH": "/a=b", "CIR": "", "NONE": ""} {
		if got := environ.Get(env, name); got != want {
			t.Errorf("%s is '%s', want '%s'", name, got, want)
		}
	}
}

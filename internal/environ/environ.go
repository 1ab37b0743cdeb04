// Package environ reads an environment that is handed over, such as that of a client which runs hooks.
package environ

import (
	"cmp"
	"strings"
)

// Get is the value of a variable in env, in the form of os.Environ; "" if it is not set.
// The last of several counts, as in os/exec.
func Get(env []string, name string) (value string) {
	for _, kv := range env {
		if v, ok := strings.CutPrefix(kv, name+"="); ok {
			value = v
		}
	}
	return value
}

// Home is the user's home folder, "" if env has none: $HOME, or what Windows calls it where no
// shell has set that.
func Home(env []string) string { return cmp.Or(Get(env, "HOME"), Get(env, "USERPROFILE")) }

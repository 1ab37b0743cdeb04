package git

import (
	"slices"
	"strings"
)

// Remote returns a Runner that may talk to other repositories, by any protocol
// but those that run a command from a URL. config are further settings, in the
// form of -c.
func (r *Runner) Remote(config ...string) *Runner {
	b := *r
	b.env = slices.DeleteFunc(slices.Clone(r.env), func(kv string) bool { return strings.HasPrefix(kv, "GIT_ALLOW_PROTOCOL=") })
	b.more = []string{"-c", "protocol.allow=user", "-c", "protocol.ext.allow=never"}
	for _, c := range config {
		b.more = append(b.more, "-c", c)
	}
	return &b
}

// At returns a Runner for the repository in a git directory, whichever the user named for
// this command.
func (r *Runner) At(gitDir string) *Runner {
	b := *r
	b.env = slices.DeleteFunc(slices.Clone(r.env), func(kv string) bool {
		return strings.HasPrefix(kv, "GIT_DIR=") || strings.HasPrefix(kv, "GIT_WORK_TREE=")
	})
	return b.With("GIT_DIR=" + gitDir)
}

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

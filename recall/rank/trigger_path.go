package rank

import (
	"regexp"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/recall/doc"
	"github.com/git-sage/git-sage/recall/index"
)

// pathLike are words of a prompt that name a file or a folder: with a slash, or with
// what looks like the name of a file.
var pathLike = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[\w.@+~-]*(?:/[\w.@+~-]+)+|[\w-]+\.[A-Za-z][A-Za-z0-9]{0,5}\b`)
})

// PathsIn are the paths that the beginning of a prompt names, between slashes.
func PathsIn(prompt string) (out []string) {
	const most, longest = 20, 2000 // what somebody pastes, such as a log, names any number
	prompt = strings.ReplaceAll(prompt[:min(longest, len(prompt))], `\`, "/")
	for _, p := range pathLike().FindAllString(prompt, most) {
		if p = strings.Trim(strings.TrimPrefix(p, "./"), "/."); p != "" {
			out = append(out, "/"+p+"/")
		}
	}
	return out
}

// NamedPath is the path of an item's scope that one of the named is, or lies below, or is
// the last part of; "" if none.
func NamedPath(paths, named []string) string {
	for _, p := range paths {
		in := "/" + strings.Trim(p, "/") + "/"
		for _, n := range named {
			if in != "//" && (strings.Contains(n, in) || strings.HasSuffix(in, n)) {
				return p
			}
		}
	}
	return ""
}

// onPath are the keys of items whose scope.paths a prompt names. They recall by
// themselves, as keywords do, and like those not if too many share it.
func onPath(q Question, found *index.Result) map[string]string {
	out, named, ours := map[string]string{}, PathsIn(q.Text), map[string]string{}
	for i := range found.Hits {
		if m := found.Hits[i].Meta; m.Kind == doc.Item && len(m.Paths) > 0 && len(named) > 0 {
			if p := NamedPath(m.Paths, named); p != "" {
				out[m.Key] = p
				if !m.IsForeign() {
					ours[m.Key] = p
				}
			}
		}
	}
	switch {
	case len(out) <= SharedBy:
		return out
	case len(ours) <= SharedBy: // what is from elsewhere takes no path away from what is not
		return ours
	}
	return nil
}

// Package attempt says what a shell line tries out, tests above all, so that a later line can
// be told to try the same.
package attempt

import (
	"slices"
	"strings"
)

// A Check is what a shell line tries out: whether it failed or not, the same one may be
// tried again.
type Check struct {
	Run     string   `json:"run,omitempty"`     // the program, or what runs the tests, behind the variables that are set for it
	Targets []string `json:"targets,omitempty"` // what is tested and how; none is everything
	Tests   bool     `json:"tests,omitempty"`
	Hidden  bool     `json:"hidden,omitempty"` // behind a pipe or so, its exit status is not that of the line
}

// A Hide takes the secrets out of a text and cuts it to at most so many bytes.
type Hide func(s string, most int) string

// Covers reports whether success of c means that old would not fail any more: it is the
// same, in the same environment, and restricts what is tested by nothing that old did not.
func (c Check) Covers(old Check) bool {
	for _, t := range c.Targets {
		if !slices.Contains(old.Targets, t) {
			return false
		}
	}
	return c.Run != "" && c.Run == old.Run
}

// Reaches reports whether the files and folders that are tested hold all that failed.
func (c Check) Reaches(old Check) bool {
	mine, olds := paths(c.Targets), paths(old.Targets)
	if len(mine) == 0 {
		return true
	}
	return len(olds) > 0 && !slices.ContainsFunc(olds, func(o string) bool {
		return !slices.ContainsFunc(mine, func(t string) bool { return o == t || strings.HasPrefix(o, t+"/") || strings.HasPrefix(o, t+"::") })
	})
}

func paths(targets []string) (out []string) {
	for _, t := range targets {
		if t[0] != '-' {
			out = append(out, strings.TrimSuffix(strings.TrimPrefix(t, "./"), "/..."))
		}
	}
	return out
}

package config

import (
	"errors"
	"fmt"
	"strings"
)

// A layer is one step of the cascade.
type layer struct {
	get      func(Key) (raw, bool)
	warnings []string // about the layer as a whole
}

// A raw value is one that nobody has checked yet.
type raw struct {
	text    string
	problem string // why it cannot be any value, in words
	source  string
	line    int  // of the file that source names; 0 is no file
	foreign bool // came with the repository
}

// where names the source, and the line of a file.
func (r raw) where() string {
	if r.line == 0 {
		return r.source
	}
	return fmt.Sprintf("%s:%d", r.source, r.line)
}

// isProject reports whether the value is the tuning file's of the repository.
func (r raw) isProject() bool { return r.foreign && r.line > 0 }

var errUserOnly = errors.New("is for the user's own configuration only")

func (r raw) parse(k Key) (any, error) {
	if r.foreign && k.UserOnly {
		return nil, fmt.Errorf("%s %w", k.Name, errUserOnly)
	}
	if r.problem != "" {
		return nil, fmt.Errorf("%s is %s, expected %s", k.Name, r.problem, k.Range())
	}
	return k.Parse(r.text)
}

func flagLayer(flags map[string]string) layer {
	byKey := make(map[string]string, len(flags))
	for name, v := range flags {
		if k, err := Lookup(name); err == nil {
			byKey[k.Name] = v
		}
	}
	return layer{get: func(k Key) (raw, bool) {
		v, ok := byKey[k.Name]
		return raw{text: v, source: "flag"}, ok
	}}
}

// envLayer takes the last of several, as the system does. An empty variable
// counts as not set.
func envLayer(env []string) layer {
	vars := map[string]string{}
	for _, e := range env {
		if name, v, ok := strings.Cut(e, "="); ok && strings.HasPrefix(name, "SAGE_") {
			vars[name] = v
		}
	}
	return layer{get: func(k Key) (raw, bool) {
		name := "SAGE_" + strings.ToUpper(k.Name)
		return raw{text: vars[name], source: "env " + name}, vars[name] != ""
	}}
}

// gitLayer asks for both spellings that git allows, sage.recallThreshold and
// sage.recall-threshold. The narrower scope counts, then the one without a
// hyphen.
func gitLayer(git func(string) (string, string, bool)) layer {
	return layer{get: func(k Key) (best raw, found bool) {
		if git == nil {
			return raw{}, false
		}
		narrowest := -1
		for _, name := range []string{"sage." + squeeze(k.Name), "sage." + strings.ReplaceAll(k.Name, "_", "-")} {
			v, scope, ok := git(name)
			if width := scopeRank(scope); ok && width > narrowest {
				narrowest, best, found = width, gitRaw(k, name, v, scope), true
			}
		}
		return best, found
	}}
}

func gitRaw(k Key, name, v, scope string) raw {
	if _, isSwitch := k.Default.(bool); isSwitch && v == "" {
		v = "false" // as git has it
	}
	r := raw{text: v, source: fmt.Sprintf("git config %s (%s)", name, scope)}
	switch scope {
	case "system", "global", "command":
	default:
		r.foreign = true
	}
	return r
}

// scopeRank orders git's scopes, the stronger the higher.
func scopeRank(scope string) int {
	switch scope {
	case "system":
		return 1
	case "global":
		return 2
	case "local":
		return 3
	case "worktree":
		return 4
	case "command":
		return 5
	}
	return 0
}

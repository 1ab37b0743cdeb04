package term

import "strconv"

// Shorts are ids as people see them.
func (t *Terminal) Shorts(ids []string) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = t.Short(id)
	}
	return out
}

// Short is an id as people see it: at least 8 digits, more if core.abbrev
// says so.
func (t *Terminal) Short(id string) string {
	return id[:min(len(id), t.abbrev(len(id)))]
}

// abbrev is how many digits of an id of the given length are shown.
func (t *Terminal) abbrev(full int) int {
	const least = 8
	if t.Git == nil {
		return least
	}
	v, _, ok := t.Git.Config("core.abbrev")
	switch {
	case !ok || v == "auto":
		return least
	case v == "no" || v == "false" || v == "off":
		return full
	}
	n, err := strconv.Atoi(v)
	if err != nil {
		return least
	}
	return max(least, n)
}

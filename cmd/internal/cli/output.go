package cli

import (
	"encoding/json"
	"io"
	"strconv"
)

// printJSON prints v as one object on one line.
func (a *app) printJSON(v any) error {
	return plainEncoder(a.out).Encode(v)
}

// plainEncoder writes JSON with < > and & as they are: nothing of it stands in a web page.
func plainEncoder(w io.Writer) *json.Encoder {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc
}

// short is an id as people see it: at least 8 digits, more if core.abbrev
// says so.
func (a *app) short(id string) string {
	return id[:min(len(id), a.abbrev(len(id)))]
}

// abbrev is how many digits of an id of the given length are shown.
func (a *app) abbrev(full int) int {
	const least = 8
	if a.store == nil {
		return least
	}
	v, _, ok := a.store.Config("core.abbrev")
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

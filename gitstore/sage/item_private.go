package sage

import (
	"fmt"
	"slices"
	"strings"
)

// privateKey says in front matter that an item stays in the clone that it was written in. It is
// one of Extra, so that a version which does not know it keeps it, at its place.
const privateKey = "private"

// IsPrivate reports whether an item says that it stays in this clone, in any way that YAML has to
// say so.
func (it *Item) IsPrivate() bool {
	return it != nil && (slices.ContainsFunc(it.Extra, func(x Entry) bool { return isPrivateKey(x.Key) && !saysNo(fmt.Sprint(x.Value)) }) ||
		slices.ContainsFunc(it.Variants, func(x Entry) bool { return isPrivateKey(x.Key) }))
}

// SetPrivate has an item say that it stays in this clone, or say nothing of that.
func (it *Item) SetPrivate(private bool) {
	saysSo := func(x Entry) bool { return isPrivateKey(x.Key) }
	it.Extra, it.Variants = slices.DeleteFunc(it.Extra, saysSo), slices.DeleteFunc(it.Variants, saysSo)
	if private {
		it.Extra = append(it.Extra, Entry{Key: privateKey, Value: true})
	}
}

func isPrivateKey(key string) bool { return strings.EqualFold(strings.TrimSpace(key), privateKey) }

// saysNo reports whether a value is one of those that YAML 1.1 or 1.2 has for no.
func saysNo(value string) bool {
	return slices.Contains([]string{"", "~", "<nil>", "null", "false", "no", "n", "off", "0"}, strings.ToLower(strings.TrimSpace(value)))
}

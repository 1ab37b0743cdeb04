package plain

import "github.com/git-sage/git-sage/gitstore/sage"

// Extra is the value of a key that has no field here, nil if there is none.
func Extra(list []sage.Entry, key string) any {
	for _, x := range list {
		if x.Key == key {
			return x.Value
		}
	}
	return nil
}

// ExtraText is likewise a text; ok is false if it is none.
func ExtraText(list []sage.Entry, key string) (text string, ok bool) {
	text, ok = Extra(list, key).(string)
	return text, ok
}

package plain

import (
	"encoding/json"
	"io"
	"strings"
)

// EachRecord calls fn with each line of a text as JSON, by its number from 1, and bad with the
// number of each that is no whole value of that type. Blank lines are none.
func EachRecord[T any](text string, fn func(line int, v T), bad func(line int)) {
	n := 0
	for line := range strings.Lines(text) {
		n++
		if strings.TrimSpace(line) == "" {
			continue
		}
		var v T
		d := json.NewDecoder(strings.NewReader(line))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			bad(n)
		} else if _, err := d.Token(); err != io.EOF { // something stands behind it
			bad(n)
		} else {
			fn(n, v)
		}
	}
}

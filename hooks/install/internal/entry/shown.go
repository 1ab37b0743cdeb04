package entry

import "strconv"

// Shown quotes text out of a file for people: short, and with nothing in it
// that a terminal would obey.
func Shown(s string) string {
	const most = 200
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "..."
	}
	q := strconv.QuoteToGraphic(s)
	return "'" + q[1:len(q)-1] + "'"
}

package entry

import "github.com/git-sage/git-sage/gitstore/sage/legible"

// Shown quotes text out of a file for people: short, and with nothing in it
// that a terminal would obey.
func Shown(s string) string {
	const most = 200
	return legible.Quoted(s, most)
}

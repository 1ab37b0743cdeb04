package main

import (
	"fmt"
	"strings"
)

// embeds times one query of so many tokens, the prefix and the special ones counted,
// with the encoder for prose. Goals are those for AVX512-VNNI.
func (w *world) embeds(n int) []row {
	words := strings.Fields("the token rotates every hour and the cache is warm when a new session begins so that nothing waits")
	var rows []row
	for _, size := range []struct {
		tokens int
		goal   float64
	}{{16, 5}, {64, 10}, {256, 35}} {
		var text []string
		for i := range size.tokens - 4 {
			text = append(text, words[i%len(words)])
		}
		query := w.sage("embed", "--query", "-").reading(strings.Join(text, " "))
		rows = append(rows, w.alone(fmt.Sprintf("embed %d tokens", size.tokens), size.goal, n, query))
	}
	return rows
}

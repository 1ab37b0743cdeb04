package main

import (
	"fmt"
	"strings"
)

// embeds times one query of so many tokens, the prefix and the special ones counted,
// with the encoder for prose.
func (w *world) embeds(n int) []row {
	words := strings.Fields("the token rotates every hour and the cache is warm when a new session begins so that nothing waits")
	var rows []row
	for _, tokens := range []int{16, 64, 256} {
		var text []string
		for i := range tokens - 4 {
			text = append(text, words[i%len(words)])
		}
		query := strings.Join(text, " ")
		rows = append(rows, w.within(fmt.Sprintf("embed %d tokens", tokens), n,
			func(int) command { return w.sage("embed", "--query", "-").reading(query) },
			goal{{1.5, w.encoder(func(int) string { return query })}, {2, w.empty()}}))
	}
	return rows
}

package sage

import "strings"

// nearest returns the key of fields that whoever wrote key may have meant, or
// "": one that differs in a letter or two, or in its ending.
func nearest(key string, fields []field) string {
	best, least := "", 3
	word := strings.ToLower(strings.ReplaceAll(key, "-", "_"))
	for _, f := range fields {
		d := Distance(word, f.key)
		if len(f.key) < 5 {
			d++ // short words are near everything
		}
		if d < least {
			best, least = f.key, d
		}
	}
	return best
}

// Distance counts the letters to insert, drop, replace or swap with the next
// one to make b of a: the optimal string alignment. It tells what a mistyped
// word may have meant. A word of more than 40 bytes is far from every name that
// we have, and is not looked at.
func Distance(a, b string) int {
	if len(a) > 40 {
		return len(a)
	}
	prev2, prev := []int(nil), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], prev2[j-2]+1)
			}
		}
		prev2, prev = prev, row
	}
	return prev[len(b)]
}

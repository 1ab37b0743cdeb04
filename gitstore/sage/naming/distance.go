package naming

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

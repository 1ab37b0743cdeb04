package box

// Lower is the first of n rows that is not less.
func Lower(n int, less func(i int) bool) int {
	i := 0
	for i < n {
		if m := int(uint(i+n) / 2); less(m) {
			i = m + 1
		} else {
			n = m
		}
	}
	return i
}

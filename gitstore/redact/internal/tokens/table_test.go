package tokens

import "testing"

// BenchmarkTable is what a process pays once, when it looks at its first text.
func BenchmarkTable(b *testing.B) {
	for b.Loop() {
		buildTable()
	}
}

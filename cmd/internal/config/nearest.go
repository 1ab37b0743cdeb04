package config

import "fmt"

// didYouMean is a clause that names the nearest key, or nothing if none is
// near: at most a third of the letters may differ.
func didYouMean(name string) string {
	if len(name) > 100 {
		return ""
	}
	best, least := "", len(name)/3+1
	for _, k := range keys {
		if d := distance(squeeze(name), squeeze(k.Name)); d < least {
			best, least = k.Name, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(", did you mean '%s'", best)
}

// distance counts the letters to insert, delete or replace to make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0]++
		for j := range len(b) {
			cost := corner
			if a[i] != b[j] {
				cost++
			}
			corner = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

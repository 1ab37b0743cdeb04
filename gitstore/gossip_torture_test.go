//go:build torture

package gitstore_test

import (
	"fmt"
	"testing"
)

// As TestClonesMeet, with as many clones as a large team has.
func TestManyClonesMeet(t *testing.T) {
	for seed, clones := range []int{8, 12, 16, 30} {
		t.Run(fmt.Sprintf("%d clones", clones), func(t *testing.T) {
			newGossip(t, clones, 100+uint64(seed)).play(15*clones, 5)
		})
	}
}

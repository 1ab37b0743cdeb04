//go:build torture

package gitstore_test

import (
	"fmt"
	"testing"
)

// As TestClonesMeet, with as many clones as a large team has; GOSSIPSEED says which of them.
func TestManyClonesMeet(t *testing.T) {
	seed := fromEnv(t, "GOSSIPSEED", 100)
	for i, clones := range []int{8, 12, 16, 30} {
		t.Run(fmt.Sprintf("%d clones", clones), func(t *testing.T) {
			newGossip(t, clones, seed+uint64(i)).play(15*clones, 5)
		})
	}
}

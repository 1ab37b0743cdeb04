//go:build torture

package gitstore_test

import "testing"

// At 10,000 saves there are at most 15 MB and 200 files of ours.
func TestTenThousandSaves(t *testing.T) { grow(t, 10_000, 200, 15e6) }

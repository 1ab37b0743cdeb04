//go:build unix && torture

package procs

import "time"

const (
	served     = 1000
	mixed      = 20_000
	operations = 60
	stopped    = time.Minute
	crowdSize  = 64
	together   = 2 * time.Minute
)

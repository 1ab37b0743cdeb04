//go:build unix && !torture

package procs

import "time"

const (
	mixed      = 400             // calls of every sort through one server
	served     = 40              // saves through one server
	operations = 12              // of each of four clients
	stopped    = 0 * time.Second // how long a stopped save stays so
	crowdSize  = 16              // processes at once
	together   = 0 * time.Second // how long servers, commands and hooks go on beside each other
)

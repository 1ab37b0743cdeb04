//go:build unix && !torture

package procs

const (
	crowdSize = 16 // processes at once
)

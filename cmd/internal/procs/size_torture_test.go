//go:build unix && torture

package procs

const (
	crowdSize = 64
)

//go:build !(linux && amd64)

package tracer

import "errors"

// Run needs the registers of linux/amd64.
func Run(Plan, []string, []string) (Report, error) {
	return Report{}, errors.New("the tracer runs on linux/amd64 only")
}

// Exec needs them, too.
func Exec([]string) error { return errors.New("the tracer runs on linux/amd64 only") }

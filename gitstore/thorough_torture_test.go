//go:build torture

package gitstore_test

const thorough = true

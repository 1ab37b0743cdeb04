//go:build !torture

package faults_test

// thorough is whether tests of faults try every point: minutes instead of
// seconds.
const thorough = false

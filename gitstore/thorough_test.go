//go:build !torture

package gitstore_test

// thorough is whether tests that try one point after another try most of them, or
// the few that cost seconds.
const thorough = false

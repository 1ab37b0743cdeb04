//go:build !linux

package page

// isOwn would report whose process asks; here only the ticket says that.
func isOwn(string, string) bool { return true }

package gitstore

// LineOfBranch is the line of a branch of which nothing is known.
func LineOfBranch(s *Store, branch string, usable func(string) bool) string {
	return s.Follow.FreeLine(branch, usable)
}

package fsx

// A Disk is what a file system has left.
type Disk struct {
	Free, Size    uint64 // bytes, those that the user may use
	Inodes, Files uint64 // left, and in all; 0 in all where there is no limit
}

// Kind names the kind of file system that a path lies on, and says whether this
// machine alone writes to it: locks and the order of what is written do not reach
// from one machine to the next. Where nobody tells the name is "" and local true.
func Kind(path string) (name string, local bool) {
	if fault(OpStat, path) != nil {
		return "", true
	}
	return kind(path)
}

// Space says what is left on the file system that a path lies on; ok is false
// where nobody tells.
func Space(path string) (d Disk, ok bool) {
	if fault(OpStat, path) != nil {
		return d, false
	}
	return space(path)
}

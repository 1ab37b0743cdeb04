package fsx

// An Identity tells a folder or file from a copy of it: a move within its file system
// leaves it as it is, and nothing that is made anew, by a copy, an archive or a clone,
// has it, but that a file system may give an inode again. Born is when it was made, in
// nanoseconds, 0 where that is not known; with it no two are alike.
type Identity struct {
	Device, Inode uint64
	Born          int64
}

// IdentityOf is that of what a path leads to. The error says that it cannot be told.
func IdentityOf(path string) (Identity, error) {
	if err := fault(OpStat, path); err != nil {
		return Identity{}, err
	}
	return identity(path)
}

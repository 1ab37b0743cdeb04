// Package fsx is the one door to files: what differs between file systems and
// systems is behind it, and a test can make any operation fail (see [Inject]).
//
// What it promises, and what is missing where:
//
//   - A file is replaced whole or not at all (WriteFile, WriteDerived): written
//     beside, then renamed. On Windows a file that another process has open cannot
//     be replaced; it is tried again for a second.
//   - What is synced stays through a power cut. A file: fsync; on macOS F_FULLFSYNC,
//     since fsync there stops at the drive, and fsync where the file system does not
//     know that. The names in a folder: fsync of the folder; on Windows there is no
//     such thing, and a rename waits for the disk instead. git's own rename of a ref
//     does not wait there: after a power cut the ref may have its last value but one.
//     The object is there, and fsck finds it by the journal if that has kept its end.
//   - A lock (TryLock, Queue) goes with the process that has it: flock, on Windows
//     LockFileEx. On a network file system that knows neither, nobody waits, and
//     git's compare-and-swap is what keeps writers apart, as everywhere.
//   - That writers live is told by a lock that a child inherits (Hold). There is
//     none on Windows: the lock of a killed git is named there, not removed.
//   - A file that one process is to have is locked by it (Take), so that who is killed
//     gives it up. On a file system without locks it is renamed: one has it then, too,
//     and takes it along when killed.
//   - When a process began is known on Linux, macOS and Windows (Started), who started
//     it on Linux.
//   - A stranger's pipe, device or symbolic link is not waited for or followed. On
//     Windows a symbolic link is followed by those who open a file of ours; folders
//     of ours that are one are refused everywhere.
//   - Names: those of lines, tags and items differ in more than case and are no
//     device of Windows (gitstore.CheckName), and are at most 100 bytes long. Windows
//     takes paths of more than 260 characters from us, and from git if core.longpaths
//     is set.
//   - Who owns a file, and its inode: not known on Windows, where git is asked
//     instead, which costs a process.
//
// Size: 107 names, for it has those of package os.
package fsx

package fsx

import (
	"os"

	"golang.org/x/sys/windows"
)

func identity(path string) (Identity, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return Identity{}, &os.PathError{Op: "stat", Path: path, Err: err}
	}
	h, err := windows.CreateFile(name, 0, windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE, nil,
		windows.OPEN_EXISTING, windows.FILE_FLAG_BACKUP_SEMANTICS, 0) // which a folder needs
	if err != nil {
		return Identity{}, &os.PathError{Op: "stat", Path: path, Err: err}
	}
	defer windows.CloseHandle(h)
	var st windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(h, &st); err != nil {
		return Identity{}, &os.PathError{Op: "stat", Path: path, Err: err}
	}
	return Identity{
		Device: uint64(st.VolumeSerialNumber), Inode: uint64(st.FileIndexHigh)<<32 | uint64(st.FileIndexLow), Born: st.CreationTime.Nanoseconds(),
	}, nil
}

package fsx

import (
	"sync"
	"syscall"
)

// A fileSystem is a kind of them. To a remote one other machines, or a program in this
// one's user space, may write as well.
type fileSystem struct {
	name   string
	remote bool
}

// magic are the numbers of statfs(2), from linux/magic.h.
var magic = sync.OnceValue(func() map[int64]fileSystem {
	return map[int64]fileSystem{
		0x6969: {"NFS", true}, 0x517b: {"SMB", true}, 0xff534d42: {"CIFS", true}, 0xfe534d42: {"SMB2", true},
		0x65735546: {"FUSE", true}, 0x01021997: {"9p", true}, 0x5346414f: {"AFS", true}, 0x00c36400: {"Ceph", true},
		0x47504653: {"GPFS", true}, 0x0bd00bd0: {"Lustre", true}, 0x786f4256: {"VirtualBox", true},
		0xef53: {"ext4", false}, 0x58465342: {"XFS", false}, 0x9123683e: {"Btrfs", false}, 0x01021994: {"tmpfs", false},
		0x794c7630: {"overlay", false}, 0x2fc12fc1: {"ZFS", false}, 0xf2f52010: {"F2FS", false}, 0x4d44: {"FAT", false},
		0x2011bab0: {"exFAT", false}, 0x5346544e: {"NTFS", false}, 0x7366746e: {"NTFS", false}, 0x858458f6: {"ramfs", false},
		0xca451a4e: {"bcachefs", false},
	}
})

func kind(path string) (name string, local bool) {
	var st syscall.Statfs_t
	if syscall.Statfs(path, &st) != nil {
		return "", true
	}
	m := magic()[int64(uint32(st.Type))]
	return m.name, !m.remote
}

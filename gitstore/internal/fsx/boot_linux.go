package fsx

import (
	"os"
	"strings"
	"sync"
)

// Boot names this run of the kernel, the same in all of its containers, or is ""
// where that is not known.
var Boot = sync.OnceValue(func() string {
	b, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(b))
})

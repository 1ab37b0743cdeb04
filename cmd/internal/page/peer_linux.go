package page

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
)

// peerOf reports whether the process at the other end of a connection within this machine is of
// our user, or of root, who may forward it, and whether that counts. The kernel lists whose each
// socket is. Root, as in a container, has a browser that is of another user.
func peerOf(remote, local string) (own, sure bool) {
	for _, list := range []string{"/proc/net/tcp", "/proc/net/tcp6"} { // an IPv6 socket may talk IPv4
		b, err := os.ReadFile(list)
		if uid, ok := ownerOf(string(b), remote, local); err == nil && ok {
			us := os.Getuid()
			return uid == 0 || uid == us, us != 0
		}
	}
	return false, false
}

// ownerOf is the user of the socket that is bound to an address and connected to another, in a
// list as proc(5) describes /proc/net/tcp.
func ownerOf(list, bound, connected string) (uid int, ok bool) {
	from, to := portOf(bound), portOf(connected)
	for line := range strings.Lines(list) {
		f := strings.Fields(line)
		if len(f) < 8 || from == "" || to == "" || !strings.HasSuffix(f[1], from) || !strings.HasSuffix(f[2], to) {
			continue
		}
		uid, err := strconv.Atoi(f[7])
		return uid, err == nil
	}
	return 0, false
}

// portOf is how the list ends the address that has a port.
func portOf(address string) string {
	_, port, _ := net.SplitHostPort(address)
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return ""
	}
	return fmt.Sprintf(":%04X", n)
}

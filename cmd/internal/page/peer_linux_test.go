package page

import "testing"

func TestOwnerOf(t *testing.T) {
	const list = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1092 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1 0000000000000000 100 0 0 10 0
   1: 0100007F:1092 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 2 1 0000000000000000 20 4 30 10 -1
   2: 0100007F:C350 0100007F:1092 01 00000000:00000000 00:00000000 00000000 65534        0 3 1 0000000000000000 20 4 30 10 -1
   3: 0100007F:C351 0100007F:1092 01 00000000:00000000
`
	for remote, want := range map[string]int{"127.0.0.1:50000": 65534, "127.0.0.1:50001": -1, "127.0.0.1:50002": -1, "127.0.0.1:0": -1, "pipe": -1, "": -1} {
		if uid, ok := ownerOf(list, remote, "127.0.0.1:4242"); ok != (want >= 0) || ok && uid != want {
			t.Errorf("%q is of %d, %t, want %d", remote, uid, ok, want)
		}
	}
}

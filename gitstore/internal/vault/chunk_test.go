package vault

import (
	"bytes"
	"encoding/json"
	"testing"

	"filippo.io/age"
)

// What is padded is never shorter, never more than twice as long, and of few lengths.
func TestPadded(t *testing.T) {
	sizes := map[int]bool{}
	for n := 0; n < 64<<20; n += 1 + n/50 {
		p := padded(n)
		if p < n || p < leastChunk || n > leastChunk && p >= 2*n || n > 1<<20 && p > n+n/32+1 {
			t.Fatalf("%d is padded to %d", n, p)
		}
		if padded(p) != p {
			t.Fatalf("%d is padded to %d, and that to %d", n, p, padded(p))
		}
		sizes[p] = true
	}
	if len(sizes) > 210 {
		t.Errorf("%d sizes up to 64 MiB", len(sizes))
	}
}

// A chunk comes out as it went in, whoever else can read it, and its header tells of age keys
// nothing but about how many there are.
func TestSeal(t *testing.T) {
	var keys []age.Identity
	var to []age.Recipient
	headers := map[int]int{1: 4, 4: 4, 5: 8, 9: 16}
	for n := 1; n <= 9; n++ {
		key, err := age.GenerateX25519Identity()
		if err != nil {
			t.Fatal(err)
		}
		keys, to = append(keys, key), append(to, key.Recipient())
		want := manifest{Version: 1, Number: n, Refs: map[string]string{"refs/sage/heads/main": "1"}, Secrets: []string{"s"}}
		sealed, id, err := seal(want, []byte("PACK"), to)
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range keys {
			c, err := open(sealed, []age.Identity{key})
			if err != nil || c.id != id || c.Number != n || string(c.pack) != "PACK" {
				t.Errorf("%+v %v", c, err)
			}
		}
		if want := headers[n]; want > 0 && bytes.Count(sealed, []byte("\n-> X25519 ")) != want {
			t.Errorf("%d readers: %d in the header, want %d", n, bytes.Count(sealed, []byte("\n-> X25519 ")), want)
		}
	}
}

// A ref of the user's, or of another remote, is none that a vault sets.
func TestIsOurs(t *testing.T) {
	for name, want := range map[string]bool{
		"refs/sage/heads/main": true, "refs/sage/forks/main/3f2a91c0": true, "refs/sage/tags/v1": true, "refs/sage/knowledge": true, "refs/sage/notes": true,
		"refs/heads/main": false, "refs/sage/remotes/x/heads/main": false, "refs/sage/heads/../x": false, "refs/sage/heads/": false,
		"refs/sage/vault": false, "refs/sage/heads/a\x00b": false, "": false,
	} {
		if isOurs(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}

func FuzzParseChunk(f *testing.F) {
	head, _ := json.Marshal(manifest{Version: 1, Number: 1, Secrets: []string{"s"}})
	f.Add(append(append([]byte(magic+"\x00\x00\x00\x00\x00\x00\x00"+string(rune(len(head)))+"\x00\x00\x00\x00\x00\x00\x00\x04"), head...), "PACK"...))
	f.Add([]byte(magic + "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff{}"))
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, plain []byte) {
		if c, err := parseChunk(plain); err == nil && len(c.pack) > len(plain) {
			t.Errorf("a pack of %d bytes in %d", len(c.pack), len(plain))
		}
	})
}

func FuzzParseReader(f *testing.F) {
	for _, s := range []string{"age1f7xxxgqllqv4a0ft6xdz5u3zyz8ylhgjwu3rxrmrlrpgzmcqhf9smyuh4v # ann", "ssh-ed25519 AAAA bob", "ssh-rsa", "AGE-SECRET-KEY-1", "", " # "} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		r, err := parseReader(line)
		if err != nil {
			return
		}
		again, err := parseReader(r.Key + " " + r.Who)
		if err != nil || again != r {
			t.Errorf("%q is %+v, and that %+v: %v", line, r, again, err)
		}
	})
}

package vault

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/bits"

	"filippo.io/age"

	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// A manifest says what a chunk is and what it changes.
type manifest struct {
	Version int               `json:"version"`
	Number  int               `json:"number"`            // counts the pushes to a vault
	Prev    string            `json:"prev"`              // id of the manifest before it
	Base    bool              `json:"base,omitempty"`    // it holds everything, and no chunk before it is needed
	Format  string            `json:"format"`            // of the ids: sha1 or sha256
	Refs    map[string]string `json:"refs"`              // where they point now; "" is gone
	Readers []string          `json:"readers"`           // public keys that can open the chunk
	Removed []string          `json:"removed,omitempty"` // public keys that somebody took out
	Secrets []string          `json:"secrets"`           // of a base all that there were, else the newest
}

const version = 1

// A chunk is a manifest with the pack of the objects that it brings.
type chunk struct {
	manifest
	id   string // of the manifest
	pack []byte
}

// magic begins what is encrypted. Behind it stand two sizes of 8 bytes, the manifest, the
// pack, and zeros.
const magic = "sage vault\n"

// seal encrypts a chunk. Its size says little of what is in it, and its header nothing of
// who can open it but their number: no other than age keys tell whose they are.
func seal(m manifest, pack []byte, to []age.Recipient) (sealed []byte, id string, err error) {
	head, err := json.Marshal(m)
	if err != nil {
		return nil, "", err
	}
	plain := binary.BigEndian.AppendUint64([]byte(magic), uint64(len(head)))
	plain = binary.BigEndian.AppendUint64(plain, uint64(len(pack)))
	plain = append(append(plain, head...), pack...)
	plain = append(plain, make([]byte, padded(len(plain))-len(plain))...)
	for len(to) < 4 || len(to)&(len(to)-1) != 0 { // how many can open it nobody else need know
		nobody, err := age.GenerateX25519Identity()
		if err != nil {
			return nil, "", err
		}
		to = append(to[:len(to):len(to)], nobody.Recipient())
	}
	sealed, err = encrypt(plain, to)
	return sealed, manifestID(head), err
}

func encrypt(plain []byte, to []age.Recipient) ([]byte, error) {
	var out bytes.Buffer
	w, err := age.Encrypt(&out, to...)
	if err == nil {
		_, err = w.Write(plain)
	}
	if err == nil {
		err = w.Close()
	}
	return out.Bytes(), err
}

// open decrypts a chunk.
func open(sealed []byte, keys []age.Identity) (c chunk, err error) {
	r, err := age.Decrypt(bytes.NewReader(sealed), keys...)
	if err != nil {
		return c, err
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		return c, err
	}
	return parseChunk(plain)
}

// parseChunk takes apart what was encrypted.
func parseChunk(plain []byte) (c chunk, err error) {
	rest, ok := bytes.CutPrefix(plain, []byte(magic))
	if !ok || len(rest) < 16 {
		return c, errors.New("it is no chunk of a vault")
	}
	head, pack := binary.BigEndian.Uint64(rest), binary.BigEndian.Uint64(rest[8:])
	rest = rest[16:]
	if head > uint64(len(rest)) || pack > uint64(len(rest))-head {
		return c, errors.New("its sizes are wrong")
	}
	if err := json.Unmarshal(rest[:head], &c.manifest); err != nil {
		return c, fmt.Errorf("read its manifest: %w", err)
	}
	if c.Version > version {
		return c, repo.ErrNewer
	}
	c.id, c.pack = manifestID(rest[:head]), rest[head:head+pack]
	return c, nil
}

// manifestID is unknown to who cannot open the chunk, for the secret is part of it.
func manifestID(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// leastChunk is the size that the chunk of a few checkpoints has, in bytes.
const leastChunk = 8 << 10

// padded is the size to which n bytes are filled up: to a power of two as long as that costs
// little, else by Padmé, which adds 3% at most at these sizes and tells of n only its
// magnitude (Nikitin et al., "Reducing Metadata Leakage from Encrypted Files", 2019).
func padded(n int) int {
	switch {
	case n <= leastChunk:
		return leastChunk
	case n <= 1<<20:
		return 1 << bits.Len(uint(n-1))
	}
	e := bits.Len(uint(n)) - 1
	mask := 1<<(e-bits.Len(uint(e))) - 1
	return (n + mask) &^ mask
}

// objectsIn is how many objects a pack says that it has.
func objectsIn(pack []byte) int {
	if len(pack) < 12 {
		return 0
	}
	return int(binary.BigEndian.Uint32(pack[8:]))
}

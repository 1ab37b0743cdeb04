package cleanse

import (
	"bytes"
	"compress/zlib"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"maps"
	"path/filepath"
	"slices"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
)

// fewObjects is up to how many are written one by one, which takes about a
// millisecond each; more go into a pack.
const fewObjects = 100

// Write makes what the cleaner made durable.
func (c *Cleaner) Write(ctx context.Context) error {
	var objects []loose.Object
	for _, id := range slices.Sorted(maps.Keys(c.made)) {
		objects = append(objects, c.made[id])
	}
	if len(objects) == 0 {
		return nil
	}
	if len(objects) <= fewObjects {
		return c.s.backup.Put(ctx, objects...)
	}
	return c.s.putPack(ctx, objects)
}

// putPack hands objects to git as one pack.
func (cl *Cleanser) putPack(ctx context.Context, objects []loose.Object) error {
	_, err := cl.repo.Git.Feed(ctx, cl.pack(objects), "-c", "core.fsync=pack,pack-metadata", "index-pack", "--stdin")
	if err == nil && cl.backup.Durable() {
		err = fsx.SyncDir(filepath.Join(cl.repo.Where.Objects, "pack"))
	}
	if err != nil {
		return fmt.Errorf("write %d objects: %w", len(objects), err)
	}
	return nil
}

// pack is a pack of whole objects, as gitformat-pack says: git takes many objects that are
// in no store yet as a pack only, and repack knows none but those that are.
func (cl *Cleanser) pack(objects []loose.Object) []byte {
	var b bytes.Buffer
	b.WriteString("PACK")
	_ = binary.Write(&b, binary.BigEndian, []uint32{2, uint32(len(objects))})
	z, _ := zlib.NewWriterLevel(&b, zlib.BestSpeed)
	for _, o := range objects {
		b.Write(packHead(o))
		z.Reset(&b)
		_, _ = z.Write(o.Data)
		_ = z.Close()
	}
	var h hash.Hash = sha1.New()
	if cl.repo.Where.Format == "sha256" {
		h = sha256.New()
	}
	h.Write(b.Bytes())
	return h.Sum(b.Bytes())
}

func packHead(o loose.Object) []byte {
	typ := map[string]byte{"commit": 1, "tree": 2, "blob": 3}[o.Type]
	n := len(o.Data)
	head := []byte{typ<<4 | byte(n&15)}
	for n >>= 4; n > 0; n >>= 7 {
		head[len(head)-1] |= 0x80
		head = append(head, byte(n&0x7f))
	}
	return head
}

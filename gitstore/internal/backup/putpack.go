package backup

import (
	"bytes"
	"compress/zlib"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
)

// manyPut is from how many objects on [Backup.PutAll] writes a pack: an import of 10,000
// records took 6 s so, and 19 s with a file and a second name for each of their objects.
const manyPut = 100

// PutAll writes objects, few as [Backup.Put] does and many as one pack that the backup has as
// well. It returns those that are still to be read back and backed up by themselves, among
// them the last one, on which the others hang.
func (bk *Backup) PutAll(ctx context.Context, objects ...loose.Object) (rest []loose.Object, err error) {
	if len(objects) < manyPut {
		return objects, bk.Put(ctx, objects...)
	}
	name, err := bk.PutPack(ctx, objects)
	if err != nil {
		return nil, err
	}
	adoptPack(ctx, bk, name)
	return objects[len(objects)-1:], nil
}

// adoptPack puts a pack on the list of ours, and gives it a second name in the backup. Neither
// is part of what a save promises: the next upkeep makes up for it.
func adoptPack(ctx context.Context, bk *Backup, name string) {
	wait, cancel := context.WithTimeout(ctx, takeBackWait)
	defer cancel()
	l, err := bk.LockUpkeep(wait)
	if err != nil {
		return
	}
	defer l.Unlock()
	if bk.keepPacks(append(bk.OurPacks(), name)) == nil && bk.MakeBackup(bk.BackupDir()) == nil {
		_, _ = bk.share(filepath.Join(bk.BackupObjectsDir(), "pack"), name)
	}
}

// LeftBehind writes objects again that [Backup.PutAll] put into a pack, and rest is what it
// returned of them, if git has lost any since, as a prune takes what no ref reached yet.
func (bk *Backup) LeftBehind(ctx context.Context, objects, rest []loose.Object) error {
	if len(rest) >= len(objects) { // none is in a pack
		return nil
	}
	ids := make([]string, len(objects))
	for i, o := range objects {
		ids[i] = o.ID
	}
	here, err := bk.Present(ctx, bk.repo.Git, ids)
	if err != nil || len(here) == len(ids) {
		return err
	}
	_, err = bk.PutPack(ctx, objects)
	return err
}

// PutPack hands objects to git as one pack, durably, and returns its name: git takes many
// objects that are in no store yet as a pack only.
func (bk *Backup) PutPack(ctx context.Context, objects []loose.Object) (name string, err error) {
	out, err := bk.repo.Git.Feed(ctx, encodePack(objects, bk.repo.Where.Format), "-c", "core.fsync=pack,pack-metadata", "index-pack", "--stdin")
	if err == nil && bk.Durable() {
		err = fsx.SyncDir(filepath.Join(bk.repo.Where.Objects, "pack"))
	}
	if err != nil {
		return "", fmt.Errorf("write %d objects: %w", len(objects), err)
	}
	_ = bk.repo.Batch.Close() // it may not look for packs that came behind its back
	_, sum, _ := strings.Cut(git.Text(out), "\t")
	return "pack-" + sum, nil
}

// encodePack is a pack of whole objects, as gitformat-pack says.
func encodePack(objects []loose.Object, format string) []byte {
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
	if format == "sha256" {
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

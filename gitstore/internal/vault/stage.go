package vault

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// A stage is a bare repository below sage/cache with what a vault holds, so that nothing
// encrypted gets among the user's own objects. It can be made again by a fetch.
type stage struct {
	dir string
	git *git.Runner
	Remote
}

// tipRef is where the stage keeps what the vault's ref was last.
const tipRef = "refs/heads/vault"

func (v *Vault) stageDir(name string) string {
	return v.repo.Dir("cache", "vault", url.PathEscape(name)+".git")
}

func (v *Vault) stage(r Remote) stage {
	dir := v.stageDir(r.Name)
	return stage{dir, v.repo.Git.At(dir), r}
}

// format is how objects are named on the stage: as on the remote, whatever our own are.
func (s stage) format(ctx context.Context) string {
	if out, err := s.git.Run(ctx, "rev-parse", "--show-object-format"); err == nil {
		return git.Text(out)
	}
	return ""
}

// create makes the repository, whole or not at all.
func (s stage) create(ctx context.Context, format string) error {
	temp := s.dir + "." + strconv.FormatUint(rand.Uint64(), 36)
	defer func() { _ = fsx.RemoveAll(temp) }()
	err := fsx.Mkdir(filepath.Dir(s.dir))
	if err == nil {
		err = fsx.RemoveAll(s.dir)
	}
	if err != nil {
		return fmt.Errorf("make a cache: %w", err)
	}
	if _, err = s.git.At(temp).Run(ctx, "init", "-q", "--bare", "--template=", "--object-format="+format); err != nil {
		return fmt.Errorf("make a cache: %w", err)
	}
	return fsx.Rename(temp, s.dir)
}

// fetch brings the newest commit of the vault here, and what it holds. It is "" if there
// is no such ref.
func (s stage) fetch(ctx context.Context) (tip string, err error) {
	format := s.format(ctx)
	for i, f := range []string{format, "sha1", "sha256"} {
		if f == "" {
			continue
		}
		if i > 0 {
			if err := s.create(ctx, f); err != nil {
				return "", err
			}
		}
		_, err = s.Talk(ctx, s.dir, "fetch", "--progress", "--depth=1", "--no-tags", "--no-write-fetch-head", "--upload-pack=git-upload-pack", "--end-of-options", s.URL, "+"+s.Ref+":"+tipRef)
		var e *git.Error
		switch errors.As(err, &e); {
		case err == nil:
			return s.tip(ctx)
		case e.NoRemoteRef():
			return "", nil
		case !e.OtherFormat() && !e.Unreadable() && e.LockedBy() == "":
			return "", err
		}
	}
	return "", err
}

func (s stage) tip(ctx context.Context) (string, error) {
	out, err := s.git.Run(ctx, "for-each-ref", "--format=%(objectname)", tipRef)
	return git.Text(out), err
}

// A piece is a part of a chunk: as much as a host takes of one file.
type piece struct {
	gittree.Entry
	number, part int
	size         int
}

// pieceSize bounds a piece, in bytes. GitHub takes no more than 100 MB, and warns from 50.
const pieceSize = 32 << 20

// maxVault bounds what is read of one chunk, in bytes: it is held in memory.
const maxVault = 2 << 30

func (p piece) name() string { return fmt.Sprintf("%08d-%03d", p.number, p.part) }

// pieces lists what a commit of the vault holds, by number.
func (s stage) pieces(ctx context.Context, commit string) (all []piece, err error) {
	out, err := s.git.Run(ctx, "ls-tree", "-l", "--end-of-options", commit)
	if err != nil {
		return nil, fmt.Errorf("list what is encrypted: %w", err)
	}
	for l := range strings.Lines(string(out)) {
		info, name, _ := strings.Cut(strings.TrimSuffix(l, "\n"), "\t")
		f := strings.Fields(info)
		number, part, _ := strings.Cut(name, "-")
		var p piece
		if len(f) == 4 {
			p.Entry = gittree.Entry{Mode: f[0], Name: name, ID: f[2]}
			p.size, err = strconv.Atoi(f[3])
		}
		n, err1 := strconv.Atoi(number)
		i, err2 := strconv.Atoi(part)
		if p.number, p.part = n, i; len(f) != 4 || f[1] != "blob" || errors.Join(err, err1, err2) != nil || p.name() != name || n < 1 {
			return nil, fmt.Errorf("%s has other files than a vault, such as '%.40q': name another ref for it", s.Ref, name)
		}
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b piece) int { return strings.Compare(a.name(), b.name()) })
	return all, nil
}

// read puts a chunk together.
func (s stage) read(ctx context.Context, all []piece, number int) (sealed []byte, err error) {
	b := s.git.Batch()
	defer b.Close()
	part := 0
	for _, p := range all {
		if p.number != number {
			continue
		}
		if p.part != part || len(sealed)+p.size > maxVault {
			return nil, fmt.Errorf("chunk %d has no piece %d, or is too large", number, part)
		}
		o, err := b.Get(p.ID)
		if err != nil {
			return nil, fmt.Errorf("read chunk %d: %w", number, err)
		}
		sealed, part = append(sealed, o.Data...), part+1
	}
	if part == 0 {
		return nil, fmt.Errorf("chunk %d is missing", number)
	}
	return sealed, ctx.Err()
}

// nobody made the commits of a vault, and at no time.
const nobody = "vault <vault@localhost> 946684800 +0000"

// commit writes a commit with a chunk behind those that stay.
func (s stage) commit(ctx context.Context, parent string, stay []piece, number int, sealed []byte) (string, error) {
	to := loose.Store{Dir: filepath.Join(s.dir, "objects"), Format: "sha1"}
	if len(parent) == 64 || parent == "" && s.format(ctx) == "sha256" {
		to.Format = "sha256"
	}
	var objects []loose.Object
	var entries []gittree.Entry
	for _, p := range stay {
		entries = append(entries, p.Entry)
	}
	for part := 0; part*pieceSize < len(sealed); part++ {
		o := to.New("blob", sealed[part*pieceSize:min((part+1)*pieceSize, len(sealed))])
		objects = append(objects, o)
		entries = append(entries, gittree.Entry{Mode: gittree.ModeFile, Name: piece{number: number, part: part}.name(), ID: o.ID})
	}
	tree := to.New("tree", gittree.Encode(entries...))
	c := record.Commit{Tree: tree.ID, Author: nobody, Committer: nobody, Message: "vault\n"}
	if parent != "" {
		c.Parents = []string{parent}
	}
	o := to.New("commit", c.Encode())
	return o.ID, to.Write(append(objects, tree, o)...)
}

// ErrDeclined says that a remote does not take a ref of that name, or from this user.
var ErrDeclined = errors.New("the remote refused")

// push moves the ref of the remote from the value that was seen to a commit.
func (s stage) push(ctx context.Context, old, commit string) error {
	_, err := s.Talk(ctx, s.dir, "-c", "pack.window=0", "-c", "core.compression=0", "push", "--progress", // nothing is alike in what is encrypted, nor gets shorter
		"--no-verify", "--no-signed", "--receive-pack=git-receive-pack",
		"--force-with-lease="+s.Ref+":"+old, "--end-of-options", s.Push, commit+":"+s.Ref)
	var e *git.Error
	if errors.As(err, &e) && e.Declined() != "" {
		return fmt.Errorf("%w %s: %s", ErrDeclined, s.Ref, legible.OneLine(e.Declined()))
	}
	if err != nil {
		return err
	}
	_, err = s.git.Run(ctx, "update-ref", tipRef, commit)
	return err
}

// tidy removes what a new base replaced.
func (s stage) tidy(ctx context.Context) {
	_, _ = s.git.Run(ctx, "gc", "-q", "--prune=now") // it is a cache: what stays costs space only
}

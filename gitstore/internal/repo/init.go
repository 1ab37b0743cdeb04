package repo

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/discover"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// Init prepares the repository and says in words what it did: nothing, if all
// was there. Saving works without it.
func (rp *Repo) Init(ctx context.Context) ([]string, error) {
	if err := rp.Enabled(); err != nil {
		return nil, err
	}
	var did []string
	if made, err := rp.GiveID(); err != nil {
		return nil, err
	} else if made {
		did = append(did, "created "+rp.Dir())
	}
	if rp.Options.Global {
		return did, nil
	}
	exclude := rp.excludeFile(ctx)
	added, err := excludeLine(exclude, "/.sage/local/")
	if err != nil {
		return did, fmt.Errorf("keep .sage/local out of git: %w", err)
	}
	if added {
		did = append(did, "added '/.sage/local/' to "+exclude)
	}
	return did, nil
}

// GiveID gives the repository its random id, which derived data must carry to
// be believed.
func (rp *Repo) GiveID() (made bool, err error) {
	file := rp.Dir("id")
	if _, err := fsx.Stat(file); err == nil {
		return false, nil
	}
	id := make([]byte, 16)
	if _, err := rand.Read(id); err != nil {
		return false, err
	}
	if err := fsx.WriteFile(file, []byte(hex.EncodeToString(id)+"\n"), 0o644); err != nil {
		return false, fmt.Errorf("prepare %s: %w", rp.Dir(), err)
	}
	return true, nil
}

func (rp *Repo) excludeFile(ctx context.Context) string {
	return discover.RevParse(ctx, rp.Git, "--path-format=absolute", "--git-path", "info/exclude")
}

// Tracked reports whether git has a file of the work tree in its index; line is as for
// [Repo.Exclude].
func (rp *Repo) Tracked(ctx context.Context, line string) bool {
	out, err := rp.Git.Run(ctx, "ls-files", "--", rp.inTree(line))
	return err == nil && len(out) > 0
}

// inTree is the file that a line of the list of excluded ones means.
func (rp *Repo) inTree(line string) string {
	return filepath.Join(rp.Top(), filepath.FromSlash(line))
}

// Exclude keeps a file of the work tree out of what git shows, for nobody but the person
// at this clone. line is its path from the top, with slashes, and begins with one. list
// is the file in which it then stands, "" if git ignores it already. A dry one writes
// nothing.
func (rp *Repo) Exclude(ctx context.Context, line string, dry bool) (list string, err error) {
	out, _ := rp.Git.Run(ctx, "check-ignore", "--", rp.inTree(line)) // status 1 is no
	if len(out) > 0 {
		return "", nil
	}
	list = rp.excludeFile(ctx)
	if dry {
		return list, nil
	}
	if added, err := excludeLine(list, line); err != nil || !added {
		return "", err
	}
	return list, nil
}

// Include takes back what [Repo.Exclude] did: list is the file in which the line stood,
// "" if it does not.
func (rp *Repo) Include(ctx context.Context, line string, dry bool) (list string, err error) {
	list = rp.excludeFile(ctx)
	b, err := fsx.ReadFile(list)
	if err != nil {
		return "", err
	}
	before, after, found := bytes.Cut(append([]byte("\n"), b...), []byte("\n"+line+"\n"))
	if !found {
		return "", nil
	}
	if dry {
		return list, nil
	}
	kept := append(append(before, '\n'), after...)
	return list, fsx.WriteFile(list, kept[1:], 0o644)
}

// excludeLine adds a line to a file unless it is there, and touches nothing else.
func excludeLine(file, line string) (added bool, err error) {
	b, err := fsx.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	for sc := bufio.NewScanner(bytes.NewReader(b)); sc.Scan(); {
		if strings.TrimSpace(sc.Text()) == line {
			return false, nil
		}
	}
	if len(b) > 0 && b[len(b)-1] != '\n' {
		b = append(b, '\n')
	}
	if err := fsx.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return false, err
	}
	return true, fsx.WriteFile(file, append(b, line+"\n"...), 0o644)
}

package gitstore

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

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// Init prepares the repository and says in words what it did: nothing, if all
// was there. Saving works without it.
func (s *Store) Init(ctx context.Context) ([]string, error) {
	if err := s.Enabled(); err != nil {
		return nil, err
	}
	var did []string
	if made, err := s.giveID(); err != nil {
		return nil, err
	} else if made {
		did = append(did, "made "+s.dir())
	}
	if s.o.Global {
		return did, nil
	}
	exclude := ask(ctx, s.git, "--path-format=absolute", "--git-path", "info/exclude")
	added, err := excludeLine(exclude, "/.sage/local/")
	if err != nil {
		return did, fmt.Errorf("keep .sage/local out of git: %w", err)
	}
	if added {
		did = append(did, "added '/.sage/local/' to "+exclude)
	}
	return did, nil
}

// giveID gives the repository its random id, which derived data must carry to
// be believed.
func (s *Store) giveID() (made bool, err error) {
	file := s.dir("id")
	if _, err := fsx.Stat(file); err == nil {
		return false, nil
	}
	id := make([]byte, 16)
	if _, err := rand.Read(id); err != nil {
		return false, err
	}
	if err := fsx.WriteFile(file, []byte(hex.EncodeToString(id)+"\n"), 0o644); err != nil {
		return false, fmt.Errorf("prepare %s: %w", s.dir(), err)
	}
	return true, nil
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

package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

const sumsName = "SHA256SUMS"

// Sum is the SHA-256 of a file of the release.
func (r *Release) Sum(name string) (string, error) {
	f, err := os.Open(filepath.Join(r.Dir, name))
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// sums writes the checksums of all files, as sha256sum -c reads them.
func (r *Release) sums() error {
	slices.SortFunc(r.made, func(a, b Artifact) int { return cmp.Compare(a.Name, b.Name) })
	f, err := os.Create(filepath.Join(r.Dir, sumsName))
	if err != nil {
		return err
	}
	defer f.Close()
	for i, a := range r.made {
		if r.made[i].Sum, err = r.Sum(a.Name); err != nil {
			return err
		}
		if _, err := fmt.Fprintf(f, "%s  %s\n", r.made[i].Sum, a.Name); err != nil {
			return err
		}
	}
	return f.Close()
}

// signSpace is what a signature of ssh says it is for.
const signSpace = "git-sage-release"

// signFile writes a signature beside a file: .sig by the ssh key of that name, .asc by gpg's.
func signFile(file, key string) error {
	cmd := exec.Command("ssh-keygen", "-Y", "sign", "-f", key, "-n", signSpace, file)
	if _, err := os.Stat(key); errors.Is(err, os.ErrNotExist) {
		cmd = exec.Command("gpg", "--local-user", key, "--armor", "--detach-sign", file)
	}
	cmd.Stdin = os.Stdin // a key may have a passphrase
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("sign with '%s': %w: %s", key, err, said)
	}
	return nil
}

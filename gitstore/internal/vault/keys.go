package vault

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"filippo.io/age"
	"filippo.io/age/agessh"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/wording"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/internal/environ"
)

// A Reader is a public key, and whose it is.
type Reader struct {
	Key string // age1..., ssh-ed25519 ... or ssh-rsa ...
	Who string // what the project's file says of it
}

// Name is how a message calls a reader.
func (r Reader) Name() string {
	key := legible.OneLine(r.Key)
	if len(key) > 24 {
		key = key[:12] + "..." + key[len(key)-8:]
	}
	if r.Who == "" {
		return key
	}
	return legible.OneLine(r.Who) + " (" + key + ")"
}

// parseReader reads a line of the project's file: a public key, and whose it is.
func parseReader(line string) (r Reader, err error) {
	if strings.Contains(strings.ToUpper(line), "AGE-SECRET-KEY-") {
		return r, errors.New("that is a secret key: give the public one, and make a new key if others saw it")
	}
	f := strings.Fields(line)
	n := 1
	if len(f) > 1 && strings.HasPrefix(f[0], "ssh-") {
		n = 2
	}
	if len(f) == 0 {
		return r, errors.New("no public key")
	}
	r = Reader{Key: strings.Join(f[:n], " "), Who: strings.TrimLeft(strings.Join(f[n:], " "), "# ")}
	_, err = recipient(r.Key)
	return r, err
}

func recipient(key string) (r age.Recipient, err error) {
	if strings.HasPrefix(key, "ssh-") {
		r, err = agessh.ParseRecipient(key)
	} else {
		r, err = age.ParseX25519Recipient(key)
	}
	if err != nil {
		return nil, fmt.Errorf("'%.24s' is no key that memory can be encrypted to (age1..., ssh-ed25519, ssh-rsa): %w", key, err)
	}
	return r, nil
}

func recipients(keys []string) (out []age.Recipient, err error) {
	for _, key := range keys {
		r, err := recipient(key)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

func (v *Vault) keyFile() string { return filepath.Join(v.repo.Options.Home, "age", "identity") }

// keys are the private keys of this user: those of age that [Vault.MakeKey] makes, and of
// ssh those without a passphrase, for nobody can be asked for one.
func (v *Vault) keys() (keys []age.Identity, unusable []string, err error) {
	file := v.keyFile()
	b, err := fsx.ReadFile(file)
	if err == nil {
		if st, err := fsx.Stat(file); err == nil && runtime.GOOS != "windows" && st.Mode().Perm()&0o077 != 0 {
			return nil, nil, remedy.For(fmt.Errorf("others can read your key '%s'", file), remedy.Typed("chmod 600 "+wording.InShell(file)))
		}
		if keys, err = age.ParseIdentities(bytes.NewReader(b)); err != nil {
			return nil, nil, fmt.Errorf("read '%s': %w", file, err)
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("read your key: %w", err)
	}
	home := environ.Get(v.repo.Git.Env(), "HOME")
	for _, name := range []string{"id_ed25519", "id_rsa"} {
		file := filepath.Join(home, ".ssh", name)
		b, err := fsx.ReadFile(file)
		if err != nil || home == "" {
			continue
		}
		key, err := agessh.ParseIdentity(b)
		if err != nil {
			unusable = append(unusable, file+": "+strings.TrimPrefix(err.Error(), "ssh: "))
			continue
		}
		keys = append(keys, key)
	}
	return keys, unusable, nil
}

// canOpen reports whether one of some private keys opens what is encrypted to public ones.
func canOpen(keys []age.Identity, to []age.Recipient) bool {
	sealed, err := encrypt([]byte("x"), to)
	if err == nil {
		_, err = age.Decrypt(bytes.NewReader(sealed), keys...)
	}
	return err == nil
}

// MakeKey makes a private key for this user, or finds the one that there is, and returns
// the public key that goes with it.
func (v *Vault) MakeKey() (public string, made bool, err error) {
	if !filepath.IsAbs(v.repo.Options.Home) {
		return "", false, errors.New("no home folder for your key; set HOME or SAGE_HOME")
	}
	if keys, _, err := v.keys(); err != nil {
		return "", false, err
	} else if len(keys) > 0 {
		if key, ok := keys[0].(*age.X25519Identity); ok {
			return key.Recipient().String(), false, nil
		}
	}
	key, err := age.GenerateX25519Identity()
	if err != nil {
		return "", false, err
	}
	public = key.Recipient().String()
	if err := fsx.MkdirAll(filepath.Dir(v.keyFile()), 0o700); err != nil {
		return "", false, fmt.Errorf("make a folder for your key: %w", err)
	}
	f, err := fsx.OpenFile(v.keyFile(), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) // never in the place of another
	if err != nil {
		return "", false, fmt.Errorf("write your key: %w", err)
	}
	_, err = fmt.Fprintf(f, "# public key: %s\n%s\n", public, key)
	err = cmp.Or(err, f.Sync(), f.Close(), fsx.SyncDir(filepath.Dir(v.keyFile())))
	if err != nil {
		return "", false, fmt.Errorf("write your key: %w", err)
	}
	return public, true, nil
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"go.yaml.in/yaml/v3"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/redact"
)

// openStore is gitstore.Open for a person who has rules of redaction at home.
func openStore(ctx context.Context, o gitstore.Options) (*gitstore.Store, error) {
	r, err := newRedactor(o.Home)
	if err != nil {
		return nil, err
	}
	o.Redact = r
	return gitstore.Open(ctx, o)
}

// newRedactor knows the built-in secrets and those of the config.yaml in home:
//
//	redact_rules:
//	  - name: badge
//	    pattern: 'badge-([0-9]{6})'
//
// A file that cannot be read is an error: a rule that its author relies on must
// not be left out in silence.
func newRedactor(home string) (*redact.Redactor, error) {
	file := filepath.Join(home, "config.yaml")
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) { // a file in place of the home folder has none in it
		return redact.Default(), nil
	}
	if err != nil {
		return nil, fmt.Errorf("read redaction rules: %w", err)
	}
	var c struct {
		Rules []redact.Rule `yaml:"redact_rules"`
	}
	if err := yaml.Unmarshal(data, &c); err != nil {
		return nil, fmt.Errorf("read redaction rules: %s: %w", file, err)
	}
	r, err := redact.New(c.Rules)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return r, nil
}

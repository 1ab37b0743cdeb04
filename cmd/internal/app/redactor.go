package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"go.yaml.in/yaml/v3"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/redact"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// OpenStore is gitstore.Open for a person who has rules of redaction at home.
func OpenStore(ctx context.Context, o gitstore.Options) (*gitstore.Store, error) {
	r, err := NewRedactor(o.Home)
	if err != nil {
		return nil, err
	}
	o.Redact = r
	return gitstore.Open(ctx, o)
}

// NewRedactor knows the built-in secrets and those of the config.yaml in home:
//
//	redact_rules:
//	  - name: badge
//	    pattern: 'badge-([0-9]{6})'
//
// A file that cannot be read is an error: a rule that its author relies on must
// not be left out in silence.
func NewRedactor(home string) (*redact.Redactor, error) {
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

// RedactedText says what was taken out, by rule, never the value.
func RedactedText(found []redact.Finding) string {
	total, rules := 0, make([]string, 0, len(found))
	for _, f := range found {
		total += f.Count
		rules = append(rules, fmt.Sprintf("%s (%d)", f.Rule, f.Count))
	}
	return fmt.Sprintf("redacted %s before writing: %s", legible.Count(total, "secret"), strings.Join(rules, ", "))
}

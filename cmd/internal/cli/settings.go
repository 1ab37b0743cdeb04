package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"go.yaml.in/yaml/v3"

	"github.com/git-sage/git-sage/cmd/internal/config"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/redact"
	"github.com/git-sage/git-sage/recall"
)

// config reads the settings that hold for the store s.
func (a *app) config(s *gitstore.Store) (*config.Config, error) {
	return config.Load(config.Sources{
		Env: a.env, Git: s.Config, Project: projectTuning(s), User: a.userTuning(),
	})
}

func (a *app) userTuning() string { return filepath.Join(a.home(), "tuning.yaml") }

// projectTuning is the tuning file of the repository, "" where there is no work
// tree to hold one.
func projectTuning(s *gitstore.Store) string {
	if s.Top() == "" {
		return ""
	}
	return filepath.Join(s.Top(), ".sage", "tuning.yaml")
}

// settings are what the memory obeys. They are read when somebody asks, since a
// list can begin while git still reads its configuration.
func (a *app) settings(s *gitstore.Store) func() recall.Settings {
	read := sync.OnceValue(func() *config.Config {
		c, err := a.config(s)
		if err != nil { // only a flag can be wrong, and none is given
			panic(err)
		}
		return c
	})
	s.Override(func(key string) (string, bool) { // what the store itself obeys
		switch name := strings.TrimPrefix(key, "sage."); name {
		case "enabled", "durable", "sign":
			if e := read().Entry(name); e.Bad != "" {
				return e.Bad, true // the store says what it makes of it
			}
			return read().Entry(name).Text(), true
		}
		return "", false
	})
	return func() recall.Settings {
		c := read()
		return recall.Settings{
			MaintenanceOnSave: c.Bool("maintenance_on_save"),
			MaxAge:            c.Duration("checkpoint_max_age_days"),
			MaxCount:          c.Int("checkpoint_max_count"),
			DepthMessages:     c.Int("depth_min_messages"),
			DepthTokens:       c.Int("depth_min_tokens"),
		}
	}
}

// redactor knows the built-in secrets and those of the user's config.yaml:
//
//	redact_rules:
//	  - name: badge
//	    pattern: 'badge-([0-9]{6})'
//
// A file that cannot be read is an error: a rule that its author relies on must
// not be left out in silence.
func (a *app) redactor() (*redact.Redactor, error) {
	file := filepath.Join(a.home(), "config.yaml")
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

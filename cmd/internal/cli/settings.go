package cli

import (
	"context"
	"path/filepath"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/cmd/internal/config"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/hooks/autosave"
	"github.com/git-sage/git-sage/hooks/session"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/rank"
)

// config reads the settings that hold for the store s.
func (a *app) config(s *gitstore.Store) (*config.Config, error) {
	return config.Load(config.Sources{
		Env: a.Env, Git: s.Config, Project: projectTuning(s), User: a.userTuning(),
	})
}

// openConfig opens the memory and reads the settings that hold for it.
func (a *app) openConfig(ctx context.Context) (*recall.Memory, *config.Config, error) {
	m, err := a.open(ctx)
	if err != nil {
		return nil, nil, err
	}
	c, err := a.config(m.Store)
	return m, c, err
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
		case "followbranch":
			return read().Entry("follow_branch").Text(), true
		}
		return "", false
	})
	return func() recall.Settings {
		c := read()
		s := recall.Settings{
			MaintenanceOnSave: c.Bool("maintenance_on_save"),
			MaxAge:            c.Duration("checkpoint_max_age_days"),
			MaxCount:          c.Int("checkpoint_max_count"),
			MaxItemAge:        c.Duration("knowledge_max_age_days"),
			VectorIndex:       c.String("vector_index"),
			DepthMessages:     c.Int("depth_min_messages"),
			DepthTokens:       c.Int("depth_min_tokens"),
			EmbeddingWeight:   c.Float("embedding_weight"),
			KeywordWeight:     c.Float("keyword_weight"),
			Thresholds: map[string]float64{
				"knowledge":        c.Float("recall_threshold"),
				"preference":       c.Float("recall_threshold_preference"),
				"todo":             c.Float("recall_threshold_todo"),
				"reference":        c.Float("recall_threshold_reference"),
				"failure":          c.Float("recall_threshold_failure"),
				rank.ProactiveType: c.Float("proactive_threshold"),
			},
			RecallItems:  c.Int("recall_max_items"),
			RecallTokens: c.Int("recall_max_tokens"),
			Skill:        c.String("skill"),
			Dedup:        c.Float("dedup_threshold"),
			NoContinuity: !c.Bool("continuity_enabled"),
			Transcripts:  c.String("transcripts"),
		}
		if c.Entry("recall_threshold").Source == "default" { // the store's own counts
			delete(s.Thresholds, "knowledge")
		}
		return s
	}
}

// around adds to what an agent saves what it read and changed, unless the settings say not
// to.
func (a *app) around(s *gitstore.Store) func(context.Context, *recall.Memory, *sage.Checkpoint) func(string) {
	if s.Session() == "" {
		return nil
	}
	return func(ctx context.Context, m *recall.Memory, c *sage.Checkpoint) func(string) {
		if k, err := a.config(s); err != nil || !k.Bool("auto_code_context") {
			return nil
		}
		return session.Of(m.Store).AddCode(ctx, c)
	}
}

// keepConversation keeps the conversation of what an agent saved, if its user wants that.
func (a *app) keepConversation(s *gitstore.Store, settings func() recall.Settings) func(*recall.Memory, string) error {
	if s.Session() == "" {
		return nil
	}
	return func(m *recall.Memory, id string) error {
		if t := settings().Transcripts; t != "local" && t != "shared" {
			return nil
		}
		return autosave.KeepConversation(m, id, a.laterHook())
	}
}

// hookSettings are what hooks obey. Settings that cannot be read switch nothing on.
func (a *app) hookSettings(m *recall.Memory) autosave.Settings {
	c, err := a.config(m.Store)
	if err != nil {
		return autosave.Settings{}
	}
	s := autosave.Settings{
		Autosave:         c.String("autosave"),
		EveryTurns:       c.Int("autosave_every_turns"),
		EveryTokens:      c.Int("autosave_every_tokens"),
		Cooldown:         c.Duration("trigger_cooldown"),
		Trigger:          c.Float("trigger_threshold"),
		Drift:            c.Float("topic_drift_threshold"),
		QuestionDrop:     c.Float("convergence_question_drop"),
		ContextThreshold: c.Int("context_threshold"),
		ContextCooldown:  c.Duration("context_cooldown"),
		Distill:          distillSettings(c),
	}
	if c.Entry("context_window").Source != "default" {
		s.ContextWindow = c.Int("context_window")
	}
	return s
}

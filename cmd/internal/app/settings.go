package app

import (
	"context"
	"path/filepath"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/cmd/internal/config"
	"github.com/git-sage/git-sage/converse"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/hooks/autosave"
	"github.com/git-sage/git-sage/hooks/distill"
	"github.com/git-sage/git-sage/hooks/session"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/rank"
)

// Config reads the settings that hold for the store s.
func (a *App) Config(s *gitstore.Store) (*config.Config, error) {
	return config.Load(config.Sources{
		Env: a.Env, Git: s.Repo.Config, Project: ProjectTuning(s), User: a.UserTuning(),
	})
}

// OpenConfig opens the memory and reads the settings that hold for it.
func (a *App) OpenConfig(ctx context.Context) (*recall.Memory, *config.Config, error) {
	m, err := a.Open(ctx)
	if err != nil {
		return nil, nil, err
	}
	c, err := a.Config(m.Store)
	return m, c, err
}

// UserTuning is the file of the person's own settings.
func (a *App) UserTuning() string { return filepath.Join(a.Home(), "tuning.yaml") }

// ProjectTuning is the tuning file of the repository, "" where there is no work
// tree to hold one.
func ProjectTuning(s *gitstore.Store) string {
	if s.Repo.Top() == "" {
		return ""
	}
	return filepath.Join(s.Repo.Top(), ".sage", "tuning.yaml")
}

// AskSettings say who answers questions.
func AskSettings(c *config.Config) converse.Settings {
	return converse.Settings{
		Setting: "ask", Target: c.String("ask"), Model: c.String("ask_model"),
		KeyEnv: c.String("ask_key_env"), KeyCommand: c.String("ask_key_command"),
	}
}

// settings are what the memory obeys. They are read when somebody asks, since a
// list can begin while git still reads its configuration.
func (a *App) settings(s *gitstore.Store) func() recall.Settings {
	read := sync.OnceValue(func() *config.Config {
		c, err := a.Config(s)
		if err != nil { // only a flag can be wrong, and none is given
			panic(err)
		}
		return c
	})
	s.Repo.Override(func(key string) (string, bool) { // what the store itself obeys
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
			RecallItems:   c.Int("recall_max_items"),
			RecallTokens:  c.Int("recall_max_tokens"),
			WithholdStale: c.String("recall_stale") == "withhold",
			Skill:         c.String("skill"),
			Dedup:         c.Float("dedup_threshold"),
			Review:        c.String("review_required"),
			NoContinuity:  !c.Bool("continuity_enabled"),
			Transcripts:   c.String("transcripts"),
			SyncAuto:      c.String("sync_auto"),
			CodeInclude:   c.List("code_include"),
			CodeExclude:   c.List("code_exclude"),
			CodeBudget:    c.Duration("code_embed_budget"),
		}
		if c.Entry("recall_threshold").Source == "default" { // the store's own counts
			delete(s.Thresholds, "knowledge")
		}
		return s
	}
}

// around adds to what an agent saves what it read and changed, unless the settings say not
// to.
func (a *App) around(s *gitstore.Store) func(context.Context, *sage.Checkpoint) func(string) {
	if s.Repo.Session() == "" {
		return nil
	}
	return func(ctx context.Context, c *sage.Checkpoint) func(string) {
		if k, err := a.Config(s); err != nil || !k.Bool("auto_code_context") {
			return nil
		}
		return session.Of(s).AddCode(ctx, c)
	}
}

// keepConversation keeps the conversation of what an agent saved, if its user wants that.
func (a *App) keepConversation(s *gitstore.Store, settings func() recall.Settings) func(string) error {
	if s.Repo.Session() == "" {
		return nil
	}
	return func(id string) error {
		if t := settings().Transcripts; t != "local" && t != "shared" {
			return nil
		}
		return autosave.KeepConversation(s, id, a.LaterHook())
	}
}

// HookSettings are what hooks obey. Settings that cannot be read switch nothing on.
func (a *App) HookSettings(m *recall.Memory) autosave.Settings {
	c, err := a.Config(m.Store)
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
		Distill:          DistillSettings(c),
	}
	if c.Entry("context_window").Source != "default" {
		s.ContextWindow = c.Int("context_window")
	}
	return s
}

// SourceText says where a setting comes from in words.
func (a *App) SourceText(source string) string {
	kind, place, _ := strings.Cut(source, " ")
	switch kind {
	case "env":
		return place + " in the environment"
	case "project":
		return ".sage/tuning.yaml"
	case "user":
		return a.Homely(place)
	case "git": // config <key> (<scope>)
		if _, scope, ok := strings.Cut(strings.TrimSuffix(place, ")"), " ("); ok && scope == "command" {
			return "'git -c'"
		} else if ok {
			return "'git config --" + scope + "'"
		}
	}
	return source
}

// DistillSettings say who writes the records of sessions.
func DistillSettings(c *config.Config) distill.Settings {
	return distill.Settings{
		Target: c.String("distill"), Model: c.String("distill_model"), KeyEnv: c.String("distill_key_env"),
		Tokens: c.Int("distill_tokens_per_day"),
	}
}

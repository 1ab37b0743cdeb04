package config

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
)

const (
	day  = 24 * time.Hour
	many = 1e9 // bound of counts that have none by nature
	ages = 36500
)

var keys = []Key{
	{Name: "enabled", Default: true, Doc: "whether anything may be saved"},
	{Name: "durable", Default: true, Doc: "whether a save reaches the disk before it is acknowledged"},
	{Name: "sign", Default: "auto", OneOf: []string{"auto", "true", "false"}, Doc: "whether checkpoints are signed; auto signs as git signs commits"},

	{Name: "recall_threshold", Default: 0.70, Unset: "0.45 to 0.70, learned", Max: 1, Doc: "lowest score at which an item or checkpoint is recalled; unless set, the store learns it, from 0.45 to 0.70"},
	{Name: "recall_threshold_preference", Default: 0.30, Max: 1, Doc: "the same for preferences"},
	{Name: "recall_threshold_todo", Default: 0.40, Max: 1, Doc: "the same for todos"},
	{Name: "recall_threshold_reference", Default: 0.80, Max: 1, Doc: "the same for references"},
	{Name: "recall_threshold_failure", Default: 0.50, Max: 1, Doc: "the same for failures"},
	{Name: "proactive_threshold", Default: 0.40, Max: 1, Doc: "the same for what is recalled when a session starts"},
	{Name: "recall_max_items", Default: 3, Min: 1, Max: 100, Doc: "maximum number of items recalled per prompt"},
	{Name: "recall_max_tokens", Default: 2000, Min: 1, Max: 100000, Doc: "maximum number of tokens recalled per prompt"},
	{Name: "recall_stale", Default: "mark", OneOf: []string{"mark", "withhold"}, Doc: "what to do at a prompt with what was written for code that changed at its lines or is gone: mark it, and recall the rest first; or withhold it"},
	{Name: "review_required", Default: "new-authors", OneOf: []string{"none", "new-authors", "all"}, UserOnly: true, Doc: "what an agent is shown by its title alone until you review it: everything of others (all), or what is by authors of whom you confirmed nothing yet (new-authors)"},
	{Name: "embedding_weight", Default: 0.70, Max: 1, Doc: "weight of meaning in a score"},
	{Name: "keyword_weight", Default: 0.30, Max: 1, Doc: "weight of keywords in a score"},
	{Name: "dedup_threshold", Default: 0.90, Max: 1, Doc: "similarity above which an automatic save is a duplicate"},
	{Name: "skill", Default: "", form: skillName, Doc: "the active skill, unless another is named"},

	{Name: "embedding_model", Default: "e5-small-v2", form: modelName, Doc: "model for prose; e5-small-v2 is built in"},
	{Name: "code_embedding_model", Default: "all-MiniLM-L6-v2", form: modelName, Doc: "model for code; all-MiniLM-L6-v2 is built in"},
	{Name: "embedder", Default: "auto", OneOf: []string{"auto", "http"}, UserOnly: true, Doc: "what embeds prose: auto is embedding_model on this machine; http sends texts to endpoint_url"},
	{Name: "endpoint_url", Default: "", form: address, UserOnly: true, Doc: "URL of an embeddings endpoint that speaks OpenAI's protocol; see git sage model use --url"},
	{Name: "endpoint_model", Default: "", form: anyModel, UserOnly: true, Doc: "model to request from the endpoint"},
	{Name: "endpoint_key_env", Default: "", form: envName, UserOnly: true, Doc: "environment variable that holds the endpoint's key"},
	{Name: "code_include", Default: []string{}, Doc: "patterns of files to index as code although they are vendored or excluded"},
	{Name: "code_exclude", Default: []string{}, Doc: "patterns of files not to index as code, beside .sageignore"},
	{Name: "code_embed_budget", Default: 600, Min: 1, Max: 86400, Unit: time.Second, Doc: "maximum seconds for which one background process embeds code"},
	{Name: "vector_index", Default: "auto", OneOf: []string{"auto", "flat", "hnsw"}, Doc: "how vectors are searched; auto uses hnsw only for very many, in a long-lived process"},

	{Name: "trigger_threshold", Default: 0.55, Max: 1, Doc: "lowest score at which a moment is worth saving; 1 disables it"},
	{Name: "topic_drift_threshold", Default: 0.50, Max: 1, Doc: "similarity to the last messages below which the topic changed"},
	{Name: "convergence_question_drop", Default: 0.20, Max: 1, Doc: "drop in the share of questions that indicates a conclusion"},
	{Name: "trigger_cooldown", Default: 30, Max: 86400, Unit: time.Second, Doc: "minimum seconds between two reminders to save"},
	{Name: "depth_min_messages", Default: 8, Max: many, Doc: "minimum messages before an automatic save"},
	{Name: "depth_min_tokens", Default: 2000, Max: many, Doc: "minimum tokens before an automatic save"},
	{Name: "autosave", Default: "suggest", OneOf: []string{"ask", "suggest", "silent"}, Doc: "what to do at a moment worth saving: tell the agent with the next prompt (suggest); hold the agent until it saves, and a typed /compact once (ask); or save what can be found by rules (silent)"},
	{Name: "autosave_every_turns", Default: 10, Max: many, Doc: "turns since the last save that trigger one; 0 disables it"},
	{Name: "autosave_every_tokens", Default: 8000, Max: many, Doc: "tokens of answers since the last save that trigger one; 0 disables it"},
	{Name: "auto_code_context", Default: true, Doc: "whether checkpoints list the files that were read and changed"},
	{Name: "context_threshold", Default: 70, Min: 1, Max: 100, Doc: "percentage of the context window that triggers a save"},
	{Name: "context_window", Default: 200000, Unset: "the model's", Min: 1000, Max: many, Doc: "size of the context window in tokens; the model's by default"},
	{Name: "context_cooldown", Default: 60, Max: 86400, Unit: time.Second, Doc: "minimum seconds between two reminders because of a full context"},

	{Name: "checkpoint_max_age_days", Default: 90, Max: ages, Unit: day, Doc: "days after which lists hide a checkpoint; 0 disables it"},
	{Name: "checkpoint_max_count", Default: 200, Max: many, Doc: "number of checkpoints of a line beyond which lists hide the oldest; 0 disables it"},
	{Name: "knowledge_max_age_days", Default: 0, Max: ages, Unit: day, Doc: "days since its last change after which an item, unless a pending todo, is neither recalled nor listed; 0 disables it"},
	{Name: "maintenance_on_save", Default: true, Doc: "whether maintenance runs automatically"},

	{Name: "sync_auto", Default: "fetch", OneOf: []string{"off", "fetch", "both"}, UserOnly: true, Doc: "what happens with remotes in the background: fetch takes in what remotes have that you synced with before, and notices a memory that origin has; both also sends what you share; off does nothing"},
	{Name: "follow_branch", Default: true, Doc: "whether lines follow git branches; see git sage branch --help"},
	{Name: "continuity_enabled", Default: true, Doc: "whether an agent is given memory unasked: at starts, prompts, files and compactions, and to subagents; reminders to save are separate, see autosave"},
	{Name: "watcher_auto_start", Default: false, Doc: "whether the watcher starts with the server"},
	{Name: "watcher_poll", Default: false, UserOnly: true, Doc: "whether the watcher polls instead of relying on notifications; set it in ~/.sage/tuning.yaml or the environment"},
	{Name: "transcripts", Default: "off", OneOf: []string{"off", "local", "shared"}, UserOnly: true, Doc: "whether conversations are recorded, without secrets: local, or shared, which is the same for now"},
	{Name: "distill", Default: "off", form: distiller, UserOnly: true, Doc: "what writes the record of a session: off uses rules only; claude runs your own Claude Code in the background; or the URL of an endpoint that speaks Anthropic's protocol (/messages) or OpenAI's (/chat/completions). The conversation is sent there, without secrets"},
	{Name: "distill_model", Default: "", form: anyModel, UserOnly: true, Doc: "model for distill; by default haiku for claude, and the endpoint's default"},
	{Name: "distill_key_env", Default: "", form: envName, UserOnly: true, Doc: "environment variable that holds the key for distill; by default ANTHROPIC_API_KEY for api.anthropic.com, OPENAI_API_KEY for api.openai.com, and none for others"},
	{Name: "distill_tokens_per_day", Default: 400000, Max: many, UserOnly: true, Doc: "maximum tokens for distill per day, in all repositories; a long session takes 40000"},
	{Name: "ask", Default: "", form: answerer, UserOnly: true, Doc: "what 'git sage ask' and 'git sage chat' send questions to: claude is your own Claude Code; or the URL of an endpoint that speaks Anthropic's protocol (/messages) or OpenAI's (/chat/completions). By default api.anthropic.com if ANTHROPIC_API_KEY is set, else claude"},
	{Name: "ask_model", Default: "", form: anyModel, UserOnly: true, Doc: "model for ask; by default claude's own, or one that the endpoint lists"},
	{Name: "ask_key_env", Default: "", form: envName, UserOnly: true, Doc: "environment variable that holds the key for ask; by default ANTHROPIC_API_KEY for api.anthropic.com, OPENAI_API_KEY for api.openai.com, and none for others"},
	{Name: "ask_key_command", Default: "", form: command, UserOnly: true, Doc: "shell command that prints the key for ask, such as one that reads a key store"},
	{Name: "ask_tokens", Default: 6000, Min: 500, Max: 200000, UserOnly: true, Doc: "maximum tokens of memory and code that ask sends with a question"},
	{Name: "modules", Default: []string{"core", "knowledge", "code", "extras"}, OneOf: []string{"core", "knowledge", "code", "extras"}, Doc: "groups of tools that the MCP server offers"},

	{Name: "knowledge_cache_ttl_seconds", Default: 45.0, Max: many, Ignored: true, Doc: "ignored: nothing is cached by time"},
	{Name: "notify_success", Default: true, Ignored: true, Doc: "ignored: every save answers"},
	{Name: "async_enabled", Default: false, Ignored: true, Doc: "ignored: saves are fast enough to wait for"},
}

var byName = sync.OnceValue(func() map[string]int {
	m := make(map[string]int, len(keys))
	for i, k := range keys {
		m[k.Name] = i
	}
	return m
})

// Keys returns every key, in the order in which they are listed.
func Keys() []Key { return slices.Clone(keys) }

// Lookup finds a key in any of its spellings: recall_threshold,
// recall-threshold and recallThreshold are one, and so is git's sage.recallThreshold. The
// error names the nearest.
func Lookup(name string) (Key, error) {
	if rest, ok := strings.CutPrefix(name, "sage."); ok {
		name = rest
	}
	if i, ok := byName()[name]; ok {
		return keys[i], nil
	}
	if len(name) <= 100 {
		for _, k := range keys {
			if squeeze(k.Name) == squeeze(name) {
				return k, nil
			}
		}
	}
	return Key{}, fmt.Errorf("unknown key %s%s", quote(name), didYouMean(name))
}

// squeeze is how git spells a key: no underscores, no case; some write a dot. Every key is looked up
// at every start; a strings.Replacer made anew took ten times as long.
func squeeze(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == '.' {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

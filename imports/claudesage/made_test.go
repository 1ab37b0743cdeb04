package claudesage_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// The samples here were made by hand in the forms of the tool, so that a clone alone tests
// each form and each damage.

const (
	sample = "2025-05-01T08-00-00_glaze-b-cracks"

	sampleText = `---
id: 2025-05-01T08-00-00_glaze-b-cracks
type: checkpoint
ts: '2025-05-01T08:00:00.123456+00:00'
trigger: constraint
confidence: 0.6
action_goal: fire --- then glaze
git_context:
  branch: main
  commit: 6cdc5a2
  dirty: true
---

# Why does glaze B crack?

## Thesis
Glaze B cracks below 1180 degrees.

## Why
The log says so:
---
# 1160 on Monday

## Key Evidence
- 4 of 5 tiles
- two
lines

## Sources
- **kiln log** (document): 1160 on Monday — _supports_
- **Ada** (person): saw it — _nuances_

## Code References
- [+] ` + "`lib/kiln.go:3-4`" + `
  ` + "```" + `
  fire()
  ` + "```" + `
`
	sampleItem = "---\nid: firing\ntype: knowledge\nkeywords:\n- kiln\nsource: 'Log --- page 3'\nadded: '2025-05-01'\n---\n\nFire at 1200 degrees.\n\n---\n\nFor two hours."

	sampleIndex = `version: 1
items:
- id: firing
  type: knowledge
  file: global/firing.md
  triggers:
    keywords: &id001
    - kiln
    patterns:
    - 'cone[ -]?\d+'
    - '[unclosed'
  scope:
    skills:
    - Kiln-Expert
    always: true
  metadata:
    added: '2025-05-01'
    source: Log --- page 3
    status: ''
    saved_at_commit: 6cdc5a2
  code_links:
  - chunk_id: lib/kiln.go::Fire
    relation: implements
    note: sets the cone
  knowledge_links:
  - target_id: cones
    relation: supersedes
    note: newer
- id: cones
  type: reference
  file: global/cones.md
  triggers:
    keywords: *id001
    patterns: []
  scope: {skills: [], always: false}
  metadata: {added: '2025-05-01', source: '', status: ''}
  knowledge_links:
  - {target_id: firing, relation: superseded_by}
- id: old
  type: knowledge
  file: global/old.md
  triggers: {keywords: [], patterns: []}
  scope: {skills: [], always: false}
  metadata: {added: '2025-05-01', source: 'DEPRECATED: Too hot → See: firing', status: deprecated}
`
	sampleLegacy = `checkpoint:
  id: 2025-04-01T08-00-00_the-scale-drifts
  ts: '2025-04-01T08:00:00+00:00'
  trigger: transition
  core_question: Is the scale sound?
  thesis: |
    The scale drifts.

    ## When
    It is cold.
  confidence: 1
  sources:
  - {id: Bo, type: person, take: 'cold: slow', relation: supports}
  action: {goal: weigh twice, type: decision}
  metadata: {skill: null, message_count: 3}
`
	sampleFailure = "---\nid: Wet_Tiles\ntype: failure\napproach: Fire them --- wet\nkeywords:\n- tiles\nrelated_to:\n- firing\nadded: '2025-05-01T09:00:00'\n---\n\n## Why it failed\nThey burst.\n\n## Learned\n(said the book)\n\n## Learned\nDry them.\n"
)

// made are the files of a folder in every form.
func made() map[string]string {
	return map[string]string{
		"project/.sage/checkpoints/" + sample + ".md":                      sampleText,
		"project/.sage/knowledge/index.yaml":                               sampleIndex,
		"project/.sage/knowledge/global/firing.md":                         sampleItem,
		"project/.sage/knowledge/global/cones.md":                          "---\nid: cones\n---\n\nCone 6 is 1222.",
		"project/.sage/knowledge/global/old.md":                            "---\nid: old\n---\n\nFire at 1300.",
		"project/.sage/failures/2025-05-01T09-00-00_Wet_Tiles.md":          sampleFailure,
		"project/.sage/system/pinned/objective.md":                         "Open in June.\n",
		"project/.sage/system/objective.md":                                "Open the shop.\n",
		"project/.sage/templates/tile.yaml":                                "name: tile\ndescription: A tile\nfields:\n  - thesis\n",
		"project/.sage/templates/tile.md.j2":                               "# {{ thesis }}\n",
		"home/.sage/checkpoints/2025-04-01T08-00-00_the-scale-drifts.yaml": sampleLegacy,
		"home/.sage/tuning.yaml":                                           "recall_threshold: 0.6\n_version: 1\n",
		"home/.sage/config.yaml":                                           "api_key: secret\nmodel: opus\n",
		"home/.claude/skills/Kiln-Expert/SKILL.md":                         "---\nname: Kiln Expert!\ndescription: Kilns: all of them\nsage_managed: true\n---\n\nYou know kilns.\n",
		"home/.claude/skills/Kiln-Expert/docs/cones.md":                    "Cone 6.\n",
	}
}

func lay(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestEveryForm(t *testing.T) {
	w := newWorld(t)
	dir := lay(t, made())
	report := w.run(w.source(dir))
	c := w.thought(t, sample)
	if c.Trigger != sage.ConstraintDiscovered || c.Action.Goal != "fire --- then glaze" || c.Code.Commit != "6cdc5a2" || !c.Code.Dirty ||
		c.Thesis != "Glaze B cracks below 1180 degrees.\n\n## Why\nThe log says so:\n---\n# 1160 on Monday" || len(c.KeyEvidence) != 2 || c.KeyEvidence[1] != "two\nlines" ||
		len(c.Sources) != 2 || c.Sources[1] != (sage.Source{ID: "Ada", Type: "person", Take: "saw it", Relation: "nuances"}) || len(c.CodeRefs) != 1 || c.CodeRefs[0].Snippet != "fire()" {
		t.Errorf("%+v", c)
	}
	old, err := w.checkpoint("2025-04-01T08-00-00_the-scale-drifts", true)
	if err != nil || old.Thesis != "The scale drifts.\n\n## When\nIt is cold.\n" || old.Trigger != sage.TopicShift || *old.Confidence != 1 || old.Sources[0].Take != "cold: slow" || old.Action.Type != "decision" || old.MessageCount != 3 {
		t.Errorf("%+v, %v", old, err)
	}
	it := w.item(t, "firing")
	if it.Content != "Fire at 1200 degrees.\n\n---\n\nFor two hours." || it.Source != "Log --- page 3" || !it.Scope.Always || it.Scope.Skills[0] != "kiln-expert" || len(it.Patterns) != 1 ||
		it.Links[0] != (sage.Link{Kind: sage.Supersedes, To: "cones"}) || it.CodeRefs[0].Symbol != "Fire" || it.CodeRefs[0].Relevance != "supports" {
		t.Errorf("%+v", it)
	}
	if it := w.item(t, "cones"); it.Type != sage.Reference || it.Status != sage.Superseded || it.Replacement != "firing" || it.Keywords[0] != "kiln" || len(it.Links) > 0 {
		t.Errorf("%+v", it)
	}
	if it := w.item(t, "old"); it.Status != sage.Deprecated || it.Reason != "Too hot" || it.Replacement != "firing" || it.Source != "" {
		t.Errorf("%+v", it)
	}
	if it := w.item(t, "wet_tiles"); it.Approach != "Fire them --- wet" || it.WhyFailed != "They burst.\n\n## Learned\n(said the book)" || it.Learned != "Dry them." || it.Aliases[0] != "Wet_Tiles" {
		t.Errorf("%+v", it)
	}
	for _, key := range []string{"system/objective", "system/pinned-objective"} {
		w.item(t, key)
	}
	for key, text := range map[string]string{"skills/kiln-expert": "You know kilns.", "skills/kiln-expert/cones": "Cone 6."} {
		if e, err := w.store(true).Knowledge.Item(ctx, key); err != nil || e.Item.Content != text {
			t.Errorf("%s: %+v, %v", key, e.Item, err)
		}
	}
	if !w.templates["name: tile\ndescription: A tile\nfields:\n  - thesis\nformat: \"# {{ thesis }}\\n\"\n"] || w.set["home recall_threshold"] != "0.6" || len(w.set) != 1 {
		t.Errorf("%v, %v", w.templates, w.set)
	}
	for _, p := range report.Problems {
		if strings.Contains(p.What, "secret") {
			t.Errorf("it tells a key: %+v", p)
		}
	}
	for name, text := range made() { // the files were only read
		if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(b) != text {
			t.Errorf("%s changed: %v", name, err)
		}
	}
}

// cp1252 is text as an editor of Windows saves it.
func cp1252(s string) string { return strings.NewReplacer("é", "\xe9", "€", "\x80").Replace(s) }

func utf16LE(s string) string {
	b := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}

const (
	atCheckpoint = "project/.sage/checkpoints/" + sample + ".md"
	atIndex      = "project/.sage/knowledge/index.yaml"
	atItem       = "project/.sage/knowledge/global/firing.md"
)

// oneListed is an index of one item.
func oneListed(more string) string {
	return "version: 1\nitems:\n- id: firing\n  file: global/firing.md\n  triggers: {keywords: [kiln], patterns: []}\n  scope: {skills: [], always: false}\n  metadata: {added: '2025-05-01'}\n" + more
}

// TestEveryDamage damages one file of a checkpoint and an item each. The other of the two has to
// come in whole.
func TestEveryDamage(t *testing.T) {
	cut := func(s, at string) string { return s[:strings.Index(s, at)] }
	for name, tt := range map[string]struct {
		files map[string]string // "" is gone
		damage
	}{
		"nothing":             {nil, damage{1, 1, nil, nil}},
		"front matter cut":    {map[string]string{atCheckpoint: cut(sampleText, "git_context")}, damage{0, 1, []string{"skipped .sage/checkpoints/" + sample + ".md: the front matter does not end"}, nil}},
		"item cut":            {map[string]string{atItem: cut(sampleItem, "source")}, damage{1, 0, []string{"skipped .sage/knowledge/global/firing.md: the front matter does not end"}, nil}},
		"body cut":            {map[string]string{atCheckpoint: cut(sampleText, "a** (person)")}, damage{1, 1, []string{"its last line was left out: '- **Ad"}, nil}},
		"text cut":            {map[string]string{atCheckpoint: cut(sampleText, " says so")}, damage{1, 1, []string{"note .sage/checkpoints/" + sample + ".md: the last line does not end"}, nil}},
		"quote":               {map[string]string{atCheckpoint: strings.Replace(sampleText, "trigger: c", "trigger: \"c", 1)}, damage{1, 1, []string{"line 5: 'trigger' cannot be read"}, nil}},
		"colon":               {map[string]string{atItem: strings.Replace(sampleItem, "'Log --- page 3'", "a: b: c", 1)}, damage{1, 1, []string{"note .sage/knowledge/global/firing.md: front matter: line 6: 'source' is not quoted"}, nil}},
		"Windows-1252":        {map[string]string{atItem: cp1252("---\nid: firing\n---\n\nfiré 5 €")}, damage{1, 1, []string{"read as Windows-1252"}, func(t *testing.T, w world) { says(t, w, "firé 5 €") }}},
		"no encoding":         {map[string]string{atItem: "---\nid: firing\n---\n\n\x81\xff"}, damage{1, 0, []string{"skipped .sage/knowledge/global/firing.md: is neither UTF-8 nor"}, nil}},
		"UTF-16":              {map[string]string{atItem: utf16LE(sampleItem)}, damage{1, 1, []string{"was UTF-16"}, nil}},
		"empty":               {map[string]string{atCheckpoint: "", atItem: "\x00"}, damage{0, 0, []string{"is empty", "1 NUL byte left out"}, nil}},
		"CRLF and BOM":        {map[string]string{atItem: "\ufeff" + strings.ReplaceAll(sampleItem, "\n", "\r\n"), atCheckpoint: "\ufeff" + strings.ReplaceAll(sampleText, "\n", "\r\n")}, damage{1, 1, nil, func(t *testing.T, w world) { says(t, w, "Fire at 1200 degrees.\n\n---\n\nFor two hours.") }}},
		"same id":             {map[string]string{"project/.sage/checkpoints/copy.md": strings.Replace(sampleText, "1180", "1190", 1)}, damage{2, 1, []string{"copy.md: has the id of " + sample + ".md"}, nil}},
		"same text":           {map[string]string{"project/.sage/checkpoints/a copy.md": sampleText}, damage{1, 1, []string{"note .sage/checkpoints/a copy.md: says the same as " + sample + ".md"}, nil}},
		"same id in index":    {map[string]string{atIndex: oneListed("- {id: firing, file: global/b.md}\n"), "project/.sage/knowledge/global/b.md": "---\nid: firing\n---\n\nother"}, damage{1, 2, []string{"two items are called 'firing'"}, nil}},
		"missing":             {map[string]string{atIndex: oneListed("- {id: gone, file: global/gone.md}\n")}, damage{1, 1, []string{"item 'gone': its file knowledge/global/gone.md is missing"}, nil}},
		"unlisted":            {map[string]string{"project/.sage/knowledge/global/b.md": "---\nid: b\n---\n\nother"}, damage{1, 2, []string{"global/b.md: index.yaml does not list it"}, unconfirmed("b")}},
		"no index":            {map[string]string{atIndex: "gone"}, damage{1, 1, []string{"index.yaml: is not there", "global/firing.md: index.yaml does not list it"}, unconfirmed("firing")}},
		"outside":             {map[string]string{atIndex: oneListed("- {id: a, file: ../../../x.md}\n- {id: b, file: /etc/passwd}\n- {id: c, file: 'a\\b.md'}\n")}, damage{1, 1, []string{"item 'a': its file '../../../x.md' is outside", "item 'b': its file", "item 'c': its file"}, nil}},
		"large":               {map[string]string{atItem: "---\nid: firing\n---\n\n" + strings.Repeat("long ", 300_000)}, damage{1, 0, []string{"skipped .sage/knowledge/global/firing.md: content: 1500000 bytes exceed the limit of 1048576"}, nil}},
		"very large":          {map[string]string{atItem: strings.Repeat("long ", 3_000_000)}, damage{1, 0, []string{"has 15000000 bytes, more than the limit of 10485760"}, nil}},
		"conflict in head":    {map[string]string{atCheckpoint: strings.Replace(sampleText, "confidence: 0.6", "<<<<<<< HEAD\nconfidence: 0.6\n=======\nconfidence: 1\n>>>>>>> b", 1)}, damage{0, 1, []string{"skipped .sage/checkpoints/" + sample + ".md: git left a conflict in its front matter"}, nil}},
		"conflict in body":    {map[string]string{atCheckpoint: strings.Replace(sampleText, "## Why", "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> b\n", 1)}, damage{1, 1, []string{"git left a conflict in its text"}, nil}},
		"conflict in index":   {map[string]string{atIndex: "<<<<<<< HEAD\n" + oneListed("") + "=======\n>>>>>>> b\n"}, damage{1, 1, []string{"index.yaml: git left a conflict in it"}, unconfirmed("firing")}},
		"index is a list":     {map[string]string{atIndex: "- {id: firing, file: global/firing.md}\n"}, damage{1, 1, []string{"index.yaml: is a list and no mapping"}, unconfirmed("firing")}},
		"newer index":         {map[string]string{atIndex: strings.Replace(oneListed(""), "1", "7", 1)}, damage{1, 0, []string{"has version 7; 1 is known"}, nil}},
		"shapes of the index": {map[string]string{atIndex: oneListed("- text\n- {id: x}\n- {file: global/b.md, triggers: {keywords: one}, type: idea, metadata: {status: frozen}}\n"), "project/.sage/knowledge/global/b.md": "b"}, damage{1, 2, []string{"is 'text' and no mapping", "item 'x': names no file", "item 4: has no id; it was brought in as 'b'", "keywords are one text", "type: 'idea'", "status: 'frozen'"}, nil}},
		"shapes of a head":    {map[string]string{atCheckpoint: strings.NewReplacer("0.6", "high", "trigger: constraint", "trigger: [a]", "id: 2025", "id: null # 2025").Replace(sampleText)}, damage{1, 1, []string{"confidence: want a number from 0 to 1, have 'high'", "trigger: want text, have a list"}, func(t *testing.T, w world) { w.thought(t, sample) }}},
		"bomb":                {map[string]string{atCheckpoint: "---\na: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\ng: [*f,*f,*f,*f,*f,*f,*f,*f,*f,*f]\n---\n\n# q\n"}, damage{0, 1, []string{"its YAML aliases grow beyond all bounds"}, nil}},
		"circle":              {map[string]string{atCheckpoint: "---\na: &a [*a]\n---\n\n# q\n"}, damage{0, 1, []string{"skipped .sage/checkpoints/"}, nil}},
		"tags":                {map[string]string{atCheckpoint: strings.Replace(sampleText, "trigger: constraint", "trigger: !!python/object/apply:os.getcwd []", 1)}, damage{1, 1, []string{"line 4: the tag"}, nil}},
		"key twice":           {map[string]string{atCheckpoint: strings.Replace(sampleText, "confidence: 0.6", "confidence: 0.6\nconfidence: 0.1", 1)}, damage{1, 1, []string{"'confidence' is given twice; the last counts"}, nil}},
		"legacy":              {map[string]string{"project/.sage/checkpoints/a.yaml": "cp: {}\n", "project/.sage/checkpoints/b.yaml": "checkpoint: {id: b}\n", "project/.sage/checkpoints/c.yaml": "checkpoint:\n  id: c\n  the"}, damage{1, 1, []string{"a.yaml: has no key 'checkpoint'", "b.yaml: has no thesis", "skipped .sage/checkpoints/c.yaml: "}, nil}},
		"two forms":           {map[string]string{"project/.sage/checkpoints/" + sample + ".yaml": "checkpoint: {id: " + sample + ", thesis: older, ts: '2025-05-01T08:00:00Z'}\n"}, damage{1, 1, []string{"is an older form of " + sample + ".md"}, nil}},
		"left over":           {map[string]string{"project/.sage/checkpoints/.x.md": "x", "project/.sage/checkpoints/x.md~": "x", "project/.sage/checkpoints/y.md/keep": "x"}, damage{1, 1, []string{"note .sage/checkpoints/y.md: is a folder"}, nil}},
		"plain":               {map[string]string{"project/.sage/checkpoints/mine.md": "# mine\n", "project/.sage/knowledge/global/mine.md": "mine"}, damage{1, 2, []string{"mine.md: has no front matter", "global/mine.md: index.yaml does not list it"}, nil}},
		"failures":            {map[string]string{"project/.sage/failures/a.md": "---\nid: a\n---\n\n## Why it failed\nx\n", "project/.sage/failures/b.md": sampleFailure, "project/.sage/failures/c.md": sampleFailure}, damage{1, 4, []string{"a.md: has no approach", "a.md: has no section '## Learned'"}, nil}},
		"core files":          {map[string]string{"project/.sage/codebase/core_files.yaml": "files:\n- {path: /x}\n- {path: a.go, summary: one}\n- {path: a.go, summary: two}\n- {summary: none}\n"}, damage{1, 1, []string{"'/x' is no path", "'a.go' is listed twice", "'' is no path"}, nil}},
		"json":                {map[string]string{"home/.sage/pending_tasks.jsonl": "{\"id\": \"t\", \"ty", "home/.sage/skills/k/history.jsonl": "{\"ts\": 1}\n{\"ts"}, damage{1, 1, []string{"pending_tasks.jsonl: line 1: is no whole line", "history.jsonl: line 2: is no whole line"}, nil}},
		"tasks":               {map[string]string{"home/.sage/pending_tasks.jsonl": "{\"id\n\n" + `{"id": "t", "type": "knowledge", "data": {"knowledge_id": "k", "content": "k"}}`}, damage{1, 1, []string{"pending_tasks.jsonl: line 1: is no whole line", "pending_tasks.jsonl: line 3: was never written"}, nil}},
		"lineage":             {map[string]string{atCheckpoint: strings.Replace(sampleText, "action_goal", "continues_from: "+sample+"\nparent_checkpoint: gone\naction_goal", 1)}, damage{1, 1, []string{"continues 'gone', which is not what came before it"}, nil}},
		"dates":               {map[string]string{atIndex: strings.Replace(oneListed(""), "2025-05-01", "2025-02-30", 1), atCheckpoint: strings.Replace(sampleText, "'2025-05-01T08:00:00.123456+00:00'", "9999-01-01", 1)}, damage{1, 1, []string{"added: '2025-02-30' is no date", "ts: '9999-01-01' is no time; the time of its id was taken"}, nil}},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{atCheckpoint: sampleText, atItem: sampleItem, atIndex: oneListed("")}
			for at, text := range tt.files {
				if files[at] = text; text == "gone" {
					delete(files, at)
				}
			}
			w := newWorld(t)
			dir := lay(t, files)
			tt.judge(t, w, w.run(w.source(dir)))
			if again := w.run(w.source(dir)); again.Total().New+again.Total().Updated > 0 {
				t.Errorf("a second run brought in %+v", again.Counts)
			}
		})
	}
}

// says holds what the item says.
func says(t *testing.T, w world, text string) {
	t.Helper()
	if it := w.item(t, "firing"); it.Content != text {
		t.Errorf("it says %q", it.Content)
	}
}

func TestLinksAreNotFollowedOut(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege there")
	}
	dir := lay(t, map[string]string{atCheckpoint: sampleText, "outside.md": sampleText, "folder/x.md": "---\nid: x\n---\n\nx"})
	at := filepath.Join(dir, "project/.sage/checkpoints")
	for name, to := range map[string]string{"out.md": "../../../outside.md", "loop.md": "loop.md", "dangling.md": "nowhere.md", "twin.md": sample + ".md"} {
		if err := os.Symlink(to, filepath.Join(at, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "project/.sage/knowledge"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../../../folder", filepath.Join(dir, "project/.sage/knowledge/global")); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	damage{1, 0, []string{"out.md: is a link that leads out", "loop.md: ", "dangling.md: ", "knowledge/global: is a link that leads out", "twin.md: says the same"}, nil}.judge(t, w, w.run(w.source(dir)))
}

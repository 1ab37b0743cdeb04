package convert

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"strings"
)

// bgeQuery is what the BGE family was trained to have before English queries, and its
// descendants.
const bgeQuery = "Represent this sentence for searching relevant passages: "

// families are what is known of models whose files do not say it: names that begin so,
// in lower case and without their author's. The prefixes are those of the models' cards.
var families = []struct{ begin, query, document, pooling string }{
	{"bge-m3", "", "", "start"},
	{"bge-small-zh", "为这个句子生成表示以用于检索相关文章：", "", "start"},
	{"bge-base-zh", "为这个句子生成表示以用于检索相关文章：", "", "start"},
	{"bge-large-zh", "为这个句子生成表示以用于检索相关文章：", "", "start"},
	{"bge-", bgeQuery, "", "start"},
	{"mxbai-embed", bgeQuery, "", "start"},
	{"snowflake-arctic-embed", bgeQuery, "", "start"},
	{"e5-", "query: ", "passage: ", "mean"},
	{"multilingual-e5-", "query: ", "passage: ", "mean"},
}

// guess fills in what the family of a model tells, by its name or the one that its
// authors gave it.
func guess(a *About, names ...string) {
	a.Pooling = "mean"
	for _, name := range names {
		name = strings.ToLower(path.Base(filepath.ToSlash(name)))
		for _, f := range families {
			if strings.HasPrefix(name, f.begin) {
				a.QueryPrefix, a.DocumentPrefix, a.Pooling = f.query, f.document, f.pooling
				return
			}
		}
	}
}

// pooling reads how the rows of a text become its vector. What no file says stays as
// it was guessed.
func (r *reader) pooling(p *Published) error {
	var modules []struct{ Path, Type string }
	if err := r.json("modules.json", &modules); err != nil {
		return err
	}
	at := "1_Pooling"
	for _, m := range modules {
		switch kind := m.Type[strings.LastIndexByte(m.Type, '.')+1:]; kind {
		case "Transformer", "Normalize":
		case "Pooling":
			at = m.Path
		default:
			return unsupported("modules.json: a step of type %.40q", kind)
		}
	}
	if !filepath.IsLocal(filepath.FromSlash(at)) {
		return fmt.Errorf("modules.json: %.80q is no folder beside it", at)
	}
	return r.poolingMode(&p.About, path.Join(at, "config.json"))
}

// poolingMode takes the first of the two kinds that the encoder has.
func (r *reader) poolingMode(a *About, name string) error {
	modes := map[string]any{}
	if err := r.json(name, &modes); err != nil {
		return err
	}
	var chosen []string
	for key, on := range modes {
		if mode, ok := strings.CutPrefix(key, "pooling_mode_"); ok && on == true {
			chosen = append(chosen, mode)
		}
	}
	if mode, ok := modes["pooling_mode"].(string); ok {
		chosen = []string{mode}
	}
	switch {
	case len(modes) == 0:
	case len(chosen) == 1 && (chosen[0] == "mean_tokens" || chosen[0] == "mean"):
		a.Pooling = "mean"
	case len(chosen) == 1 && (chosen[0] == "cls_token" || chosen[0] == "cls"):
		a.Pooling = "start"
	default:
		return unsupported("%s: pooling by %q, not by mean or cls", name, chosen)
	}
	return nil
}

// prompts takes the prefixes that sentence-transformers would.
func (r *reader) prompts(p *Published) error {
	var c struct{ Prompts map[string]string }
	if err := r.json("config_sentence_transformers.json", &c); err != nil {
		return err
	}
	a := &p.About
	if q, d := c.Prompts["query"], cmp.Or(c.Prompts["document"], c.Prompts["passage"]); q != "" || d != "" {
		a.QueryPrefix, a.DocumentPrefix = q, d
	}
	if len(a.QueryPrefix) > mostPrefix || len(a.DocumentPrefix) > mostPrefix {
		return fmt.Errorf("config_sentence_transformers.json: a prompt of more than %d bytes", mostPrefix)
	}
	return nil
}

// mostPrefix bounds prefixes: the head of a file of weights holds two, quoted.
const mostPrefix = 300

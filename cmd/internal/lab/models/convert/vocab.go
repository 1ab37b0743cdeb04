package convert

import (
	"encoding/json"
	"fmt"
)

// ReadTokenizer reads the vocabulary of a tokenizer.json: the tokens in the order of
// their ids. Tokenizers that are not WordPiece without case are refused, because the
// encoder knows no other.
func ReadTokenizer(file []byte) ([]string, error) {
	var t struct {
		Normalizer struct {
			Type      string `json:"type"`
			Lowercase bool   `json:"lowercase"`
			Accents   *bool  `json:"strip_accents"` // null is as lowercase
			CJK       *bool  `json:"handle_chinese_chars"`
		} `json:"normalizer"`
		Model struct {
			Type   string         `json:"type"` // older files do not say
			Prefix string         `json:"continuing_subword_prefix"`
			Vocab  map[string]int `json:"vocab"`
		} `json:"model"`
	}
	if err := json.Unmarshal(file, &t); err != nil {
		return nil, fmt.Errorf("read tokenizer: %w", err)
	}
	no := func(b *bool) bool { return b != nil && !*b }
	if t.Model.Type != "WordPiece" && t.Model.Type != "" || t.Model.Prefix != "##" || t.Normalizer.Type != "BertNormalizer" {
		return nil, fmt.Errorf("tokenizer.json: %.40q with %.40q is not the WordPiece of BERT", t.Model.Type, t.Normalizer.Type)
	}
	if !t.Normalizer.Lowercase || no(t.Normalizer.Accents) || no(t.Normalizer.CJK) {
		return nil, fmt.Errorf("tokenizer.json: it keeps case or accents, or does not part ideographs")
	}
	tokens := make([]string, len(t.Model.Vocab))
	for token, id := range t.Model.Vocab {
		if id < 0 || id >= len(tokens) || tokens[id] != "" {
			return nil, fmt.Errorf("read tokenizer: id %d of %q", id, token)
		}
		tokens[id] = token
	}
	return tokens, nil
}

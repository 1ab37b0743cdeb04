package convert

import (
	"encoding/json"
	"fmt"
	"strings"
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
		return nil, unsupported("tokenizer.json: %.40q with %.40q is not the WordPiece of BERT", t.Model.Type, t.Normalizer.Type)
	}
	if !t.Normalizer.Lowercase || no(t.Normalizer.Accents) || no(t.Normalizer.CJK) {
		return nil, unsupported("tokenizer.json: it keeps case or accents, or does not part ideographs")
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

// readVocab reads a vocab.txt: a token a line, in the order of their ids.
func readVocab(file []byte) ([]string, error) {
	tokens := strings.Split(strings.TrimRight(string(file), "\r\n"), "\n")
	seen := make(map[string]bool, len(tokens))
	for i, token := range tokens {
		token = strings.TrimSuffix(token, "\r")
		if token == "" || seen[token] {
			return nil, fmt.Errorf("vocab.txt: line %d is empty, or there twice", i+1)
		}
		tokens[i], seen[token] = token, true
	}
	return tokens, nil
}

package sage

import "strings"

// triggerSpellings are other names of triggers.
var triggerSpellings = map[string]string{
	"constraint": string(ConstraintDiscovered), "transition": string(TopicShift),
	"token_threshold": string(ContextThreshold), "pre_compact": string(PreCompact),
}

// longestWord is far beyond the words of sets, however they are spelt, in bytes.
const longestWord = 256

// Tidy forgives case, hyphens and blanks in the words of sets ("Branch point"),
// and gives a trigger the name of the schema (constraint, transition and
// token_threshold have another). [ingest.Parse] has done it; call it before
// [validate.Checkpoint] for what comes from elsewhere.
func (c *Checkpoint) Tidy() {
	tidy := strings.NewReplacer("-", "_", " ", "_")
	w := &Walker{Fn: func(path, s string) (string, error) {
		word := strings.TrimSpace(s)
		if len(word) > longestWord {
			return s, nil
		}
		word = tidy.Replace(strings.ToLower(word))
		if name := triggerSpellings[word]; path == "trigger" && name != "" {
			return name, nil
		}
		for _, known := range WordSets()[Indexes().ReplaceAllString(path, "")] {
			if word == known {
				return known, nil
			}
		}
		return s, nil
	}}
	w.Checkpoint(c)
}

package redact

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// What parses before parses after: a placeholder takes no quote, bracket or escape with it.
func TestRedactedTextParses(t *testing.T) {
	forms := map[string]func(string) bool{
		"JSON": func(s string) bool { return strings.HasPrefix(s, "{") && json.Valid([]byte(s)) },
		"YAML": func(s string) bool {
			var v any
			return yaml.Unmarshal([]byte(s), &v) == nil
		},
		"XML": func(s string) bool {
			d := xml.NewDecoder(strings.NewReader(s))
			for strings.HasPrefix(s, "<") {
				if _, err := d.Token(); err != nil {
					return errors.Is(err, io.EOF)
				}
			}
			return false
		},
	}
	parsed := map[string]int{}
	for _, set := range []string{"dev.txt", "dev2.txt", "heldout.txt"} {
		for _, c := range readSet(t, set) {
			out, found, err := Default().Text(c.text)
			if err != nil || len(found) == 0 {
				continue
			}
			for form, parses := range forms {
				// A sentence with a colon is YAML by chance.
				if form == "YAML" && !strings.Contains(" config files formats ", " "+c.Class+" ") || !parses(c.text) {
					continue
				}
				if parsed[form]++; !parses(out) {
					t.Errorf("%s line %d is no %s any more:\n%s\n%s", set, c.line, form, c.text, out)
				}
			}
		}
	}
	for form := range forms {
		if parsed[form] < 5 {
			t.Errorf("only %d texts were %s", parsed[form], form)
		}
	}
}

package ingest

import "testing"

func TestNoneIsSaidInEveryFormat(t *testing.T) {
	for format, text := range map[string]string{
		"json": `{"thesis":"t","open_questions":[],"sources":["none"],"domain_data":{},"action":{"stakeholders":[]},"key_evidence":["e"]}`,
		"yaml": "thesis: t\nopen_questions: []\nsources: none\ndomain_data: {}\naction:\n  stakeholders: None\nkey_evidence: [e]\n",
	} {
		c, err := Parse([]byte(text), format)
		if err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		for _, name := range []string{"open_questions", "sources", "domain_data", "action_stakeholders"} {
			if !c.SaysNone(name) {
				t.Errorf("%s: %s: %q", format, name, c.SaidNone)
			}
		}
		if c.SaysNone("key_evidence") || c.SaysNone("tensions") {
			t.Errorf("%s: says none of what holds something, or of what nobody mentioned: %q", format, c.SaidNone)
		}
	}
}

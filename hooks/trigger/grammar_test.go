package trigger

import "testing"

// TestEveryPattern: each finds its example, and not its counter-example.
func TestEveryPattern(t *testing.T) {
	g := theGrammar()
	for _, p := range g.patterns {
		if p.yes == "" || p.no == "" {
			t.Errorf("patterns.txt:%d: %s lacks an example", p.line, p.source)
			continue
		}
		if !finds(g, p, p.yes) {
			t.Errorf("patterns.txt:%d: %s does not find %q", p.line, p.source, p.yes)
		}
		if finds(g, p, p.no) {
			t.Errorf("patterns.txt:%d: %s finds %q", p.line, p.source, p.no)
		}
	}
}

func finds(g *grammar, p *pattern, text string) bool {
	for _, s := range split(text) {
		for _, m := range g.program.run(s) {
			if m.pattern == p {
				return true
			}
		}
	}
	return false
}

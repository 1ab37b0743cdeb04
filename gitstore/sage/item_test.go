package sage

import (
	"strings"
	"testing"
	"time"
)

func TestTidyItem(t *testing.T) {
	it := Item{ID: "x", Type: " TODO ", Keywords: []string{" a ", "", "a", "b"}, Links: []Link{{"Extends", "y"}, {Related, "z"}, {Extends, "y"}},
		Content: "\r\none\r\ntwo\r\n\r\n", Source: " a\r\nb ", Added: time.Date(2026, 1, 2, 3, 4, 5, 6, time.FixedZone("", 3600))}
	it.Tidy()
	if it.Type != Todo || it.Status != Pending || strings.Join(it.Keywords, ",") != "a,b" || it.Content != "one\ntwo" || it.Source != "a\nb" || it.Added.Format(time.RFC3339Nano) != "2026-01-02T02:04:05Z" {
		t.Errorf("%+v", it)
	}
	if len(it.Links) != 2 || it.Links[0].Kind != Related {
		t.Errorf("%+v", it.Links)
	}
}

func TestWhatAnItemSays(t *testing.T) {
	for _, tt := range []struct {
		it          Item
		title, text string
	}{
		{Item{ID: "x"}, "x", ""},
		{Item{ID: "x", Content: "\n## Rotate *keys*\n\nYearly."}, "Rotate *keys*", "\n## Rotate *keys*\n\nYearly."},
		{Item{ID: "x", Content: "---\ntags: [a]\n---\n***\n# Keys"}, "Keys", "---\ntags: [a]\n---\n***\n# Keys"},
		{Item{ID: "x", Content: "---\ntags: [a]\n---\n"}, "tags: [a]", "---\ntags: [a]\n---\n"},
		{Item{ID: "x", Content: "---\nKeys\nrotate"}, "Keys", "---\nKeys\nrotate"},
		{Item{ID: "x", Description: "Keys", Content: "c"}, "Keys", "Keys\n\nc"},
		{Item{ID: "x", Approach: "cache it\nmore", WhyFailed: "stale", Learned: "measure"}, "cache it", "Approach: cache it\nmore\n\nWhy it failed: stale\n\nLearned: measure"},
	} {
		if got := tt.it.Title(); got != tt.title {
			t.Errorf("title %q, want %q", got, tt.title)
		}
		if got := tt.it.Text(); got != tt.text || tt.it.Tokens() != len(got)/4 {
			t.Errorf("text %q, want %q; %d tokens", got, tt.text, tt.it.Tokens())
		}
	}
}

package remotes

import "testing"

func TestSaysPrivate(t *testing.T) {
	tests := []struct {
		front string
		want  bool
	}{
		{"private: true", true},
		{"private: True", true},
		{"private: yes", true},
		{"private: on", true},
		{"private: 1", true},
		{"private: true # for me", true},
		{"private: \"true\"", true},
		{"\"private\": true", true},
		{"'private' : true", true},
		{"? private\n: true", true},
		{"private:\n  true", true},
		{"private: !!bool true", true},
		{"private: &a true", true},
		{"Private: true", true},
		{"{private: true, id: a}", true},
		{"private: {variants: [false, true]}", true},
		{"private: [", true}, // nobody knows what it says
		{"id: a", false},
		{"private: false", false},
		{"private: no", false},
		{"private:", false},
		{"note: |\n  private: true", false},
	}
	for _, test := range tests {
		for _, text := range []string{"---\n" + test.front + "\n---\nprivate: true\n", "\ufeff---\r\n" + test.front + "\r\n---\r\nText\r\n"} {
			if got := saysPrivate([]byte(text)); got != test.want {
				t.Errorf("saysPrivate(%q) = %t, want %t", text, got, test.want)
			}
		}
	}
	if saysPrivate([]byte("private: true\n")) {
		t.Error("a text without front matter says nothing")
	}
}

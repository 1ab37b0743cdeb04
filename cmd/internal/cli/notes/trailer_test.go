package notes

import "testing"

func TestWithTrailers(t *testing.T) {
	const line = "Sage-Checkpoint: aaaa"
	for message, want := range map[string]string{
		"":                                    "",
		"\n# Please enter the message":        "\n# Please enter the message",
		"subject\n":                           "subject\n\n" + line + "\n",
		"subject":                             "subject\n\n" + line + "\n",
		"fix: what it says\n":                 "fix: what it says\n\n" + line + "\n",
		"subject\n\nbody\n\n# said":           "subject\n\nbody\n\n" + line + "\n\n# said",
		"subject\n\nSigned-off-by: A <a@b>\n": "subject\n\nSigned-off-by: A <a@b>\n" + line + "\n",
		"subject\n\nnote: this\nis text\n":    "subject\n\nnote: this\nis text\n\n" + line + "\n",
		"subject\n\n" + line + "\n":           "subject\n\n" + line + "\n",
		"s\n# ---- >8 ----\ndiff\n":           "s\n\n" + line + "\n# ---- >8 ----\ndiff\n",
		"subject\n\nA-b: c\n continued\n\n# comment\n": "subject\n\nA-b: c\n continued\n" + line + "\n\n# comment\n",
	} {
		if got := withTrailers(message, "", []string{line}); got != want {
			t.Errorf("%q: %q, want %q", message, got, want)
		}
	}
	if got := withTrailers("; said\nsubject\n", ";", []string{line}); got != "; said\nsubject\n\n"+line+"\n" {
		t.Errorf("%q", got)
	}
}

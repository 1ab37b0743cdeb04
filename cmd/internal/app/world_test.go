package app

import (
	"path/filepath"
	"testing"
)

func TestSessionIn(t *testing.T) {
	for _, tt := range []struct {
		env            []string
		session, agent string
	}{
		{nil, "", ""},
		{[]string{"CLAUDECODE=1"}, "", ""},
		{[]string{"SAGE_SESSION=a"}, "a", ""},
		{[]string{"SAGE_SESSION=a", "SAGE_SESSION=b"}, "b", ""},
		{[]string{"CLAUDE_CODE_SESSION_ID=c", "CLAUDECODE=1"}, "c", "claude-code"},
		{[]string{"CLAUDE_CODE_SESSION_ID=c", "SAGE_SESSION=a", "CLAUDECODE=1"}, "a", "claude-code"},
	} {
		if session, agent := sessionIn(tt.env); session != tt.session || agent != tt.agent {
			t.Errorf("%q: %q %q", tt.env, session, agent)
		}
	}
}

func TestHomeIn(t *testing.T) {
	if got := homeIn([]string{"HOME=/h", "SAGE_HOME=/s"}); got != "/s" {
		t.Error(got)
	}
	if got := homeIn([]string{"HOME=/h"}); got != filepath.Join("/h", ".sage") {
		t.Error(got)
	}
}

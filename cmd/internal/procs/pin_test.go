//go:build linux

package procs

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Case C53: who interrupts a save that waits for the pin of a signature has nothing saved,
// what was to be saved in a file, and the command that goes on with it; a program that
// signs and does not end holds nothing up.
func TestInterruptWhileAPinIsWaitedFor(t *testing.T) {
	t.Parallel()
	p := started(t, built)
	was := p.git("for-each-ref", "refs/sage")
	p.w.Write("home/asks", "#!/bin/sh\ntrap '' TERM INT\ntouch '"+p.w.Path("home/asked")+"'\nwhile test ! -e '"+p.w.Path("home/over")+"'; do test -e \"$0\" || exit 1; sleep 0.02; done\nexit 1\n")
	t.Cleanup(func() { p.w.Write("home/over", "") })
	if err := os.Chmod(p.w.Path("home/asks"), 0o755); err != nil {
		t.Fatal(err)
	}
	for k, v := range map[string]string{"gpg.program": p.w.Path("home/asks"), "commit.gpgSign": "true", "user.signingKey": "ann"} {
		p.w.Git("", "config", "--global", k, v)
	}
	cmd := p.cmd("checkpoint", "save", "-m", "Two words: it's kept.", "--core-question", "What becomes of it?")
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(p.w.Path("home/asked")); err == nil {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("nobody asked for a signature: %s", out.String())
		}
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 130 {
		t.Errorf("status %d", code)
	}
	if now := p.git("for-each-ref", "refs/sage"); now != was {
		t.Errorf("refs are\n%s", now)
	}
	goOn := regexp.MustCompile(`git sage (save -F '[^']+')`).FindStringSubmatch(out.String())
	if goOn == nil {
		t.Fatalf("it says %q", out.String())
	}
	again := exec.Command("sh", "-c", `"$0" `+goOn[1], p.bin)
	again.Dir, again.Env = p.cmd().Dir, append(p.cmd().Env, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=sage.sign", "GIT_CONFIG_VALUE_0=false")
	if out, err := outcome(again); err != nil {
		t.Fatal(err, out)
	}
	if out := p.run("show"); !strings.Contains(out, "Two words: it's kept.") || !strings.Contains(out, "What becomes of it?") {
		t.Errorf("saved was %s", out)
	}
}

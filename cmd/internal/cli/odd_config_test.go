package cli

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/cmd/internal/app/apptest"
)

// oddConfigs are settings of git's that a person may have for reasons of their
// own, and that have changed what some tool on top of git read or wrote. None
// changes a byte of what is saved or listed. Left out are core.abbrev, log.date
// and color.*, which say how a person wants to see things, and are obeyed.
var oddConfigs = map[string][]string{
	"trailers": {"trailer.separators=%", "trailer.where=start", "trailer.ifExists=replace", "trailer.sage-kind.key=X", "trailer.Sage-Format.ifMissing=doNothing"},
	"comments": {"core.commentChar=S", "commit.cleanup=scissors", "commit.verbose=true", "commit.status=false", "commit.template=/nowhere/template"},
	"auto":     {"core.commentChar=auto", "commit.template=~/template", "commit.cleanup=strip"},
	"encoding": {"i18n.commitEncoding=UTF-16", "i18n.logOutputEncoding=UTF-16", "gui.encoding=latin1", "core.quotePath=true", "core.precomposeUnicode=true"},
	"log": {"log.decorate=full", "log.follow=true", "log.showRoot=false", "log.showSignature=true", "log.abbrevCommit=true", "log.diffMerges=on",
		"log.excludeDecoration=refs/*", "log.initialDecorationSet=all", "log.graphColors=red", "format.pretty=%s", "format.notes=*", "format.encodeEmailHeaders=true",
		"diff.noprefix=true", "diff.renames=copies", "diff.orderFile=/dev/null", "diff.algorithm=histogram", "diff.mnemonicPrefix=true", "diff.relative=true",
		"pretty.oneline=%an", "pretty.raw=%s", "notes.displayRef=*", "core.notesRef=refs/heads/main", "grep.patternType=fixed", "grep.extendedRegexp=true", "blame.date=raw"},
	"mailmap": {"log.mailmap=true", "mailmap.file=~/mailmap"},
	"refs": {"core.logAllRefUpdates=false", "core.warnAmbiguousRefs=true", "core.filesRefLockTimeout=0", "core.packedRefsTimeout=0", "core.preferSymlinkRefs=true",
		"gc.reflogExpire=now", "gc.reflogExpireUnreachable=now", "gc.pruneExpire=now", "gc.auto=1", "gc.autoDetach=false", "maintenance.auto=true",
		"transfer.hideRefs=refs/sage", "uploadpack.hideRefs=refs/sage", "receive.hideRefs=refs/sage", "receive.denyDeletes=true", "tag.sort=-refname", "branch.sort=-committerdate"},
	"core": {"core.fsync=none", "core.fsyncMethod=batch", "core.compression=0", "core.looseCompression=9", "core.bigFileThreshold=1", "core.preloadIndex=false",
		"core.untrackedCache=true", "core.splitIndex=true", "core.multiPackIndex=false", "core.commitGraph=false", "core.autocrlf=true", "core.eol=crlf", "core.safecrlf=false",
		"core.useReplaceRefs=true", "core.deltaBaseCacheLimit=1", "core.packedGitLimit=1", "core.checkStat=minimal", "core.trustctime=false", "core.ignoreStat=true", "core.createObject=rename",
		"feature.manyFiles=true", "feature.experimental=true", "index.version=4", "pack.threads=1", "transfer.fsckObjects=true", "fsck.missingEmail=ignore"},
	"programs": {"core.hooksPath=~/hooks", "core.pager=false", "core.editor=false", "core.fsmonitor=true", "sequence.editor=false", "pager.log=false", "diff.external=false", "interactive.diffFilter=false",
		"credential.helper=false", "core.askPass=false", "core.sshCommand=false", "core.gitProxy=false", "help.autocorrect=immediate", "web.browser=false"},
	"aliases": {"alias.sage=!false", "alias.log=!false", "alias.update-ref=!false", "alias.rev-parse=!false", "alias.cat-file=status", "alias.config=!false", "alias.for-each-ref=!false", "alias.rev-list=!false", "alias.diff-index=!false"},
	"person":  {"user.useConfigOnly=true", "user.signingKey=nowhere", "tag.gpgSign=true", "push.gpgSign=true", "gpg.format=ssh", "gpg.program=false", "user.nothing=x"},
	"unknown": {"sage.nothing=1", "sage.Upper.Sub=1", "odd.key=x", "core.nothing=y", "extensions.nothing.x=1", "include.nothing=x"},
}

// bystanders are files in the home folder that some of them name.
var bystanders = map[string]string{
	"home/template":                    "# S template ; %\n\nSage-Kind: tombstone\n",
	"home/mailmap":                     "Eve <eve@example.org> <ada@example.org>\nEve <eve@example.org> Ada <ada@example.org>\n",
	"home/hooks/reference-transaction": "#!/bin/sh\necho ran >>\"$HOME/ran\"\nexit 1\n",
	"home/hooks/post-index-change":     "#!/bin/sh\necho ran >>\"$HOME/ran\"\nexit 1\n",
	"repo/.git/hooks/pre-auto-gc":      "#!/bin/sh\necho ran >>\"$HOME/ran\"\nexit 1\n",
}

// oddStory saves, moves and lists, with every way to print a list.
var oddStory = []touchCase{
	{args: "checkpoint save -F -", stdin: oddThought},
	{args: "switch other"}, {args: "checkpoint save -m aside -c 0.5"}, {args: "switch main"},
	{args: "merge other --thesis both -c 0.6"}, {args: "tag odd"}, {args: "checkpoint rm first"},
	{args: "status"}, {args: "status --json"}, {args: "branch"}, {args: "tag"}, {args: "rev-parse main odd @~1"},
	{args: "log"}, {args: "log --all --graph"}, {args: "log --oneline --reverse"}, {args: "log --json --all"}, {args: "log --grep SAGE-KIND -i --oneline"},
	{args: "log --author ada --oneline"}, {args: "log -n 2 --since 2020-01-01 --oneline"}, {args: "log main~2..main --oneline"},
	{args: "checkpoint list"}, {args: "show"}, {args: "show --raw main~1"}, {args: "diff main~1 main"}, {args: "checkpoint export main~1"},
	{args: "checkpoint restore main~1"}, {args: "templates list"}, {args: "fsck"},
	{args: "hook session-start", stdin: `{"session_id":"s","source":"startup","hook_event_name":"SessionStart"}`},
	{args: "hook pre-compact", stdin: `{"session_id":"s"}`},
}

const oddThought = `# Does # or ; begin a comment --- here?

## Thesis
Ünïcödé first.

# ------------------------ >8 ------------------------
# Do not modify or remove the line above.

Signed-off-by: Eve <eve@example.org>
Sage-Kind: tombstone
---
 diff --git a/x b/x

Sage-Format: 1
Sage-Kind: tombstone

## Key Evidence
- # not a comment
- % not a separator
`

// oddEnvironments are what an outer git, a tracer or a person's shell may set.
var oddEnvironments = map[string][]string{
	"outer": {"GIT_INDEX_FILE=/nowhere/index", "GIT_AUTHOR_NAME=Eve", "GIT_AUTHOR_EMAIL=eve@example.org", "GIT_AUTHOR_DATE=@1 +0000",
		"GIT_COMMITTER_DATE=@1 +0000", "GIT_REFLOG_ACTION=rebase", "GIT_PREFIX=sub/", "GIT_EDITOR=false", "GIT_SEQUENCE_EDITOR=false",
		"GIT_INTERNAL_SUPER_PREFIX=x/", "GIT_IMPLICIT_WORK_TREE=0", "GIT_QUARANTINE_ENVIRONMENT=x", "GIT_MERGE_AUTOEDIT=yes", "GIT_CHERRY_PICK_HELP=x"},
	"objects": {"GIT_OBJECT_DIRECTORY=/nowhere/objects", "GIT_ALTERNATE_OBJECT_DIRECTORIES=/nowhere/alternate", "GIT_COMMON_DIR=/nowhere", "GIT_NAMESPACE=other",
		"GIT_REPLACE_REF_BASE=refs/heads/", "GIT_GRAFT_FILE=/dev/null", "GIT_SHALLOW_FILE=/nowhere/shallow", "GIT_DEFAULT_HASH=sha256", "GIT_DEFAULT_REF_FORMAT=reftable", "GIT_REF_PARANOIA=1"},
	"traces": {"GIT_TRACE=1", "GIT_TRACE_SETUP=1", "GIT_TRACE_REFS=1", "GIT_TRACE2=1", "GIT_TRACE2_EVENT=2", "GIT_TRACE2_PERF=1", "GIT_TRACE_PERFORMANCE=true", "GIT_FLUSH=0"},
	"programs": {"GIT_EXTERNAL_DIFF=false", "GIT_PAGER=false", "PAGER=false", "GIT_SSH_COMMAND=false", "GIT_SSH=false", "GIT_ASKPASS=false", "SSH_ASKPASS=false",
		"GIT_PROXY_COMMAND=false", "GIT_PROTOCOL_FROM_USER=1", "GIT_ALLOW_PROTOCOL=ext:file", "GIT_TERMINAL_PROMPT=1", "GIT_OPTIONAL_LOCKS=1", "LESS=-X", "LV=x"},
	"reading":  {"GIT_LITERAL_PATHSPECS=1", "GIT_NOTES_REF=refs/heads/main", "GIT_NOTES_DISPLAY_REF=*", "GIT_DIFF_OPTS=-u0", "GIT_ATTR_SOURCE=HEAD", "GIT_ATTR_NOSYSTEM=1", "GIT_NO_REPLACE_OBJECTS=", "GIT_ADVICE=1"},
	"language": {"LANG=de_DE.UTF-8", "LC_ALL=tr_TR.UTF-8", "LC_MESSAGES=fr_FR", "LANGUAGE=de:tr", "LC_CTYPE=C", "TERM=xterm-256color", "COLUMNS=20"},
	"settings": {"GIT_CONFIG_COUNT=3", "GIT_CONFIG_KEY_0=i18n.logOutputEncoding", "GIT_CONFIG_VALUE_0=UTF-16", "GIT_CONFIG_KEY_1=trailer.separators", "GIT_CONFIG_VALUE_1=%",
		"GIT_CONFIG_KEY_2=mailmap.file", "GIT_CONFIG_VALUE_2=/dev/zero"},
	"parameters": {"GIT_CONFIG_PARAMETERS='core.commentChar'='S' 'log.decorate'='full' 'core.pager'='false'"},
}

// Case F87 in its part on the environment: results are the same.
func TestOddEnvironmentsChangeNothing(t *testing.T) {
	root := oddRoot(t)
	want := playStory(t, root, nil, "", nil)
	for name, env := range oddEnvironments {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := playStory(t, root, env, "", nil)
			if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("%s (-plain +odd):\n%s", strings.Join(env, " "), diff)
			}
		})
	}
}

// Case F87 in its part on configuration, and cases F74 and L171: whatever a
// person's or a repository's git is set to, what is saved and listed is the same.
func TestOddConfigsChangeNothing(t *testing.T) {
	root := oddRoot(t)
	want := playStory(t, root, nil, "", nil)
	everything := slices.Concat(slices.Collect(maps.Values(oddConfigs))...)
	slices.Sort(everything)
	check := func(name, file string, settings []string) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := playStory(t, root, nil, file, settings)
			if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("%s with %s (-plain +odd):\n%s", file, strings.Join(settings, " "), diff)
			}
		})
	}
	for name, settings := range oddConfigs {
		check(name, "repo/.git/config", settings)
	}
	check("the person's", "home/.gitconfig", everything)
}

func oddRoot(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	prepareTouched(t, root)
	for name, text := range bystanders {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// playStory plays oddStory in a copy of root, with variables in the environment
// and settings in one of git's files, and returns all that was printed.
func playStory(t *testing.T, root string, env []string, where string, settings []string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(root)); err != nil {
		t.Fatal(err)
	}
	for _, s := range settings {
		key, value, _ := strings.Cut(s, "=")
		sh(t, dir, "git config --file ../"+where+" '"+key+"' '"+value+"'")
	}
	var b strings.Builder
	for _, c := range oddStory {
		a := apptest.New(dir)
		a.Env = append(a.Env, env...)
		a.In, a.Out, a.Err = strings.NewReader(c.stdin), &b, &b
		b.WriteString("$ " + c.args + "\n")
		if status := run(a, strings.Fields(c.args)); status != c.status {
			t.Errorf("%s: status %d\n%s", c.args, status, b.String())
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "home/ran")); err == nil {
		t.Error("a hook of the user's was run")
	}
	return strings.ReplaceAll(b.String(), dir, "root")
}

package gitstore

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// Fsck checks our refs, commits and files, and says what it finds. It changes
// nothing.
func (s *Store) Fsck(ctx context.Context) ([]Finding, error) {
	k := &checker{s: s, seen: map[string]bool{}}
	k.emptyRefs()
	refs, err := s.allRefs(ctx)
	if err != nil {
		return nil, err
	}
	for _, r := range refs {
		k.ref(r)
	}
	for _, tip := range k.tips {
		k.chain(tip)
	}
	k.forks(ctx, refs)
	k.tree()
	k.sessions(ctx)
	return k.found, ctx.Err()
}

type checker struct {
	s     *Store
	tips  []string
	seen  map[string]bool
	found []Finding
}

func (k *checker) add(kind, subject, detail, cure string) {
	k.found = append(k.found, Finding{Kind: kind, Subject: subject, Detail: detail, Cure: cure})
}

// emptyRefs looks for ref files without content, which a power cut leaves and
// which make the user's own gc fail and a push delete the remote's ref.
func (k *checker) emptyRefs() {
	root := filepath.Join(k.s.where.commonDir, "refs", "sage")
	_ = fsx.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		name, _ := filepath.Rel(k.s.where.commonDir, path)
		name = filepath.ToSlash(name)
		switch st, err := d.Info(); {
		case strings.HasSuffix(name, ".lock"):
			k.add("lock", name, "a lock was left behind, or a git is writing just now", "if no git runs, remove "+path)
		case err == nil && st.Size() == 0:
			k.add("empty-ref", name, "the ref file is empty, as after a power cut", k.cure(name))
		}
		return nil
	})
}

// cure names the command that sets a ref to its last value in the reflog.
func (k *checker) cure(name string) string {
	b, err := fsx.ReadFile(filepath.Join(k.s.where.commonDir, "logs", filepath.FromSlash(name)))
	if err != nil {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	f := strings.Fields(lines[len(lines)-1])
	if len(f) < 2 || !isHex(f[1]) {
		return ""
	}
	return fmt.Sprintf("its last value was %s: rm '%s' && git update-ref %s %s", short(f[1]), filepath.Join(k.s.where.commonDir, name), name, f[1])
}

// allRefs lists our refs with the type of what they point to, also broken ones.
func (s *Store) allRefs(ctx context.Context) ([]typedRef, error) {
	out, err := s.git.Run(ctx, "for-each-ref", "--format=%(objectname) %(refname) %(symref)", "refs/sage/")
	if err != nil && len(out) == 0 {
		return nil, fmt.Errorf("list refs: %w", err)
	}
	var refs []typedRef
	for l := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSuffix(l, "\n"), " ")
		if len(f) == 3 {
			refs = append(refs, typedRef{ref{f[1], f[0]}, f[2]})
		}
	}
	return refs, nil
}

type typedRef struct {
	ref
	symref string
}

func (k *checker) ref(r typedRef) {
	if r.symref != "" {
		k.add("symbolic-ref", r.name, "points to "+r.symref+" instead of a checkpoint", "git symbolic-ref --delete "+r.name)
		return
	}
	o, err := k.s.batch.Get(r.id)
	switch {
	case err != nil:
		k.add("missing-object", r.name, "its commit "+r.id+" cannot be read", k.cure(r.name))
		return
	case o.Type != "commit":
		k.add("bad-ref", r.name, "points to a "+o.Type+", not a commit", "git update-ref -d "+r.name)
		return
	}
	switch {
	case r.name == knowledgeRef:
		return
	case strings.HasPrefix(r.name, headsPrefix), strings.HasPrefix(r.name, forksPrefix), strings.HasPrefix(r.name, tagsPrefix):
		k.name(r.name)
		k.tips = append(k.tips, r.id)
	case !strings.HasPrefix(r.name, remotePrefix):
		k.found = append(k.found, Finding{Kind: "unknown-ref", Subject: r.name, Detail: "this version does not know what it is", Warning: true})
	}
}

func (k *checker) name(ref string) {
	_, name, _ := strings.Cut(strings.TrimPrefix(ref, "refs/sage/"), "/")
	for _, part := range strings.Split(name, "/") {
		if err := CheckName(part); err != nil {
			k.add("bad-name", ref, err.Error(), "")
		}
	}
}

// chain checks every commit from a tip down. Each is checked once.
func (k *checker) chain(tip string) {
	for todo := []string{tip}; len(todo) > 0; {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if k.seen[id] {
			continue
		}
		k.seen[id] = true
		todo = append(todo, k.commit(id)...)
	}
}

func (k *checker) commit(id string) (parents []string) {
	o, err := k.s.batch.Get(id)
	if err != nil {
		if !k.shallow(id) {
			k.add("missing-object", short(id), "the commit is gone or damaged; what came before it cannot be reached", "fetch it from a clone that has it")
		}
		return nil
	}
	r := Record{ID: id}
	if !r.parseCommit(o.Data) {
		k.add("bad-format", short(id), "not a checkpoint: its message has no Sage-Format paragraph", "")
		return r.Parents
	}
	switch r.Kind {
	case KindCheckpoint, KindMerge:
		k.checkpoint(id)
	case KindTombstone:
		if len(r.Removes)+len(r.Restores) == 0 || len(r.Removes) > maxRemoved {
			k.add("bad-format", short(id), "a tombstone that removes nothing, or too much", "")
		}
	default:
		k.found = append(k.found, Finding{Kind: "unknown-kind", Subject: short(id), Detail: "a '" + string(r.Kind) + "' of a newer version; it can be read, not changed", Warning: true})
	}
	return r.Parents
}

// shallow reports whether history is cut on purpose below a commit.
func (k *checker) shallow(id string) bool {
	_, err := fsx.Stat(filepath.Join(k.s.where.commonDir, "shallow"))
	return err == nil
}

func (k *checker) checkpoint(id string) {
	o, err := k.s.batch.Get(id + ":checkpoint.md")
	if err != nil {
		k.add("missing-object", short(id), "its text cannot be read", "fetch it from a clone that has it")
		return
	}
	if _, err := sage.Parse(o.Data); err != nil {
		k.add("bad-format", short(id), err.Error(), "")
	}
}

// forks names forks that their line contains: the next merge folds them.
func (k *checker) forks(ctx context.Context, refs []typedRef) {
	for _, f := range refs {
		line, _, ok := strings.Cut(strings.TrimPrefix(f.name, forksPrefix), "/")
		if !ok || !strings.HasPrefix(f.name, forksPrefix) {
			continue
		}
		i := slices.IndexFunc(refs, func(r typedRef) bool { return r.name == headRef(line) })
		if i < 0 {
			k.found = append(k.found, Finding{Kind: "orphan-fork", Subject: shortRef(f.name), Detail: "its line does not exist", Cure: "git sage branch " + line + " " + short(f.id), Warning: true})
		} else if k.s.isAncestor(ctx, f.id, refs[i].id) {
			k.found = append(k.found, Finding{Kind: "merged-fork", Subject: shortRef(f.name), Detail: "its line contains it", Cure: "git sage merge " + shortRef(f.name), Warning: true})
		}
	}
}

// tree checks the paths of the knowledge tree.
func (k *checker) tree() {
	o, err := k.s.batch.Get(knowledgeRef + "^{tree}")
	if err != nil {
		return // none yet, or reported with its ref
	}
	k.entries(o.Data, "", 0)
}

func (k *checker) entries(tree []byte, dir string, depth int) {
	for _, e := range parseTree(tree, len(k.s.objects.Zero())/2) {
		path := dir + e.name
		if checkPath(path) != nil || depth > maxDepth || e.mode != modeFile && e.mode != modeDir {
			k.add("bad-path", "knowledge:"+sage.OneLine(path), "mode "+e.mode+" or name is not allowed in the knowledge tree", "")
			continue
		}
		o, err := k.s.batch.Get(e.id)
		if err != nil {
			k.add("missing-object", "knowledge:"+path, "its content cannot be read", "fetch it from a clone that has it")
		} else if e.mode == modeDir {
			k.entries(o.Data, path+"/", depth+1)
		}
	}
}

// sessions names positions that point to what is gone.
func (k *checker) sessions(ctx context.Context) {
	files, _ := filepath.Glob(k.s.dir("sessions", "*.json"))
	for _, f := range append(files, k.s.worktreeDir("stand.json")) {
		t, ok := readStand(f)
		if ok && t.Seen != "" {
			if _, err := k.s.commitRecord(t.Seen); err != nil {
				k.found = append(k.found, Finding{Kind: "lost-position", Subject: short(t.Seen), Detail: "a session continues a checkpoint that is gone", Cure: "rm '" + f + "'", Warning: true})
			}
		}
	}
	_ = ctx
}

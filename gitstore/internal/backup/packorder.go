package backup

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/packs"
)

// Git looks for what differs little among objects whose paths end alike, the
// largest first. All checkpoints have one path, and the one most alike is not
// the one of that size but the one before. So each object is named to git by a
// number, in the order of paths and then of time: 10,000 checkpoints take 9.3 MB
// instead of 13.4, in the same time. A git that reads names otherwise makes a
// larger pack.

// A reached is an object with the path by which our refs reach it.
type reached struct{ id, path string }

// reach lists what our refs reach, the oldest first. What is missing is left
// out: fsck names it.
func (p *Packer) reach(ctx context.Context, args ...string) (out []reached, err error) {
	tips, err := p.tips(ctx)
	if err != nil || len(tips) == 0 {
		return nil, err
	}
	args = append([]string{"rev-list", "--objects", "--reverse", "--missing=allow-any", "--stdin"}, args...)
	b, err := p.S.repo.Git.Feed(ctx, []byte(tips), args...)
	if err != nil {
		return nil, fmt.Errorf("list objects to pack: %w", err)
	}
	paths := map[string]string{} // so that each is kept once
	for l := range bytes.Lines(b) {
		id, path, _ := strings.Cut(string(bytes.TrimSuffix(l, []byte("\n"))), " ")
		if _, ok := paths[path]; !ok {
			paths[path] = path
		}
		out = append(out, reached{id, paths[path]})
	}
	return out, nil
}

// inOrder names the objects to git.
func inOrder(objects []reached) *bytes.Buffer {
	slices.SortStableFunc(objects, func(a, b reached) int { return strings.Compare(a.path, b.path) })
	var b bytes.Buffer
	for i, o := range objects {
		fmt.Fprintf(&b, "%s %s\n", o.id, orderName(uint32(i)))
	}
	return &b
}

// orderName is a name that git orders as its number. Git adds the characters of
// a name up, each shifted to the right by two bits for every one behind it: these
// differ in just two bits.
func orderName(n uint32) string {
	name := make([]byte, 16)
	for i := range name {
		name[i] = '@' + byte(n>>(2*i)&3)
	}
	return string(name)
}

// paths lists all that the packs hold.
func (p *Packer) paths(ctx context.Context, all []*packs.Index) ([]reached, error) {
	objects, err := p.reach(ctx)
	if err != nil {
		return nil, err
	}
	in := map[string]bool{}
	for _, x := range all {
		for i := range x.Len() {
			in[x.ID(i)] = true
		}
	}
	objects = slices.DeleteFunc(objects, func(o reached) bool {
		here := in[o.id]
		delete(in, o.id)
		return !here
	})
	for id := range in { // what nothing of ours reaches any more: it stays where it can be found
		objects = append(objects, reached{id: id})
	}
	return objects, nil
}

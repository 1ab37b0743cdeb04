package gitstore

import (
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/internal/admission"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// A strayHistory is history that somebody could send, of checkpoints and of knowledge, with damage
// here and there: it is in no order that git or git-sage would choose.
type strayHistory struct {
	t     *testing.T
	r     *rand.Rand
	store loose.Store
	yours string // a file of the user's
	sound int    // how much of it is sound
	ids   []string
	files map[string]map[string]string // of each commit: ids of files by path
}

func (f *strayHistory) put(typ, data string) string {
	o := f.store.New(typ, []byte(data))
	if err := f.store.Write(o); err != nil {
		f.t.Fatal(err)
	}
	return o.ID
}

// rarely is true once in n times where much is damaged, in sound history less often.
func (f *strayHistory) rarely(n int) bool { return f.r.IntN(n*f.sound) == 0 }

// tree writes a tree of files, damaged at times.
func (f *strayHistory) tree(files map[string]string) string {
	var list []string
	folders := map[string]map[string]string{}
	for path, id := range files {
		if dir, rest, ok := strings.Cut(path, "/"); ok {
			if folders[dir] == nil {
				folders[dir] = map[string]string{}
			}
			folders[dir][rest] = id
			continue
		}
		mode := "100644"
		if f.rarely(400) {
			mode = []string{"100755", "120000", "160000", "40000"}[f.r.IntN(4)]
		}
		list = append(list, entry(mode, path, id))
	}
	for dir, below := range folders {
		list = append(list, entry("40000", dir, f.tree(below)))
	}
	slices.SortFunc(list, func(a, b string) int { return strings.Compare(sortName(a), sortName(b)) })
	switch n := len(list); {
	case n > 1 && f.rarely(300):
		list[0], list[n-1] = list[n-1], list[0]
	case n > 0 && f.rarely(300):
		list = append(list, list[n-1])
	case n > 0 && f.rarely(300):
		list[n-1] = list[n-1][:len(list[n-1])-1]
	case f.rarely(300):
		return strings.Repeat("0", 39) + "7" // that nobody has
	}
	return f.put("tree", strings.Join(list, ""))
}

func entry(mode, name, id string) string {
	bin, _ := hex.DecodeString(id)
	return mode + " " + name + "\x00" + string(bin)
}

func sortName(entry string) string {
	mode, rest, _ := strings.Cut(entry, " ")
	name, _, _ := strings.Cut(rest, "\x00")
	if mode == "40000" {
		name += "/"
	}
	return name
}

// file is one that memory has at a path, or at times another.
func (f *strayHistory) file(good string) string {
	switch {
	case f.rarely(300):
		return f.yours
	case f.rarely(300):
		return f.put("blob", "package main\n")
	case f.rarely(300):
		return f.put("tree", "")
	case f.rarely(300):
		return strings.Repeat("0", 39) + "9"
	}
	return f.put("blob", good)
}

// commit adds a commit that continues up to three of those that are there.
func (f *strayHistory) commit(i int) {
	knowledge := f.r.IntN(2) == 0
	var parents []string
	head := ""
	files := map[string]string{}
	for range 1 + f.r.IntN(3) {
		if len(f.ids) == 0 {
			break
		}
		p := f.ids[len(f.ids)-1-min(f.r.IntN(8), f.r.IntN(len(f.ids)))]
		_, isCheckpoint := f.files[p]["checkpoint.md"]
		if (isCheckpoint != knowledge || f.rarely(300)) && !slices.Contains(parents, p) {
			parents, head = append(parents, p), head+"parent "+p+"\n"
			maps.Copy(files, f.files[p])
		}
	}
	thesis := fmt.Sprintf("thesis %d", i)
	message := thesis + "\n\nSage-Format: 1\nSage-Kind: checkpoint\n"
	if knowledge {
		message = fmt.Sprintf("add knowledge\n\nSage-Format: %d\nSage-Kind: knowledge\n", 1+98*btoi(f.rarely(400)))
		for range f.r.IntN(4) {
			item := fmt.Sprintf("i%d", f.r.IntN(40))
			path := fmt.Sprintf("knowledge/%02x/%s.md", len(item)*7+f.r.IntN(3), item)
			switch {
			case f.r.IntN(3) == 0:
				delete(files, path)
			case f.rarely(200):
				files["src/"+item] = f.file("---\nid: x\n---\n\ntext\n")
			default:
				files[path] = f.file(fmt.Sprintf("---\nid: %s\ntype: knowledge\n---\n\ntext %d\n", item, f.r.IntN(20)))
			}
		}
	} else {
		files = map[string]string{"checkpoint.md": f.file("---\ntitle: x\ntype: checkpoint\n---\n\n## Thesis\n\n" + thesis + "\n")}
		if f.rarely(200) {
			message = "another " + message
		}
		if f.rarely(200) {
			files["main.go"] = f.yours
		}
	}
	if f.rarely(300) {
		head += "parent " + strings.Repeat("0", 39) + "5\n"
	}
	if f.rarely(300) {
		head = "tree " + strings.Repeat("0", 40) + "\n" + head
	}
	id := f.put("commit", fmt.Sprintf("tree %s\n%sauthor A <a@example.com> %d +0000\ncommitter A <a@example.com> %[3]d +0000\n\n%s", f.tree(files), head, storetest.Epoch.Unix()+int64(f.r.IntN(1000)), message))
	f.ids, f.files[id] = append(f.ids, id), files
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// What is read ahead in parts is judged as what is asked for one by one: every commit of
// random histories, good ones and damaged ones, gets the same verdict in the same words.
func TestReadAheadJudgesAlike(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := trusting(t, w, "r")
	yours := w.Git("r", "rev-parse", "HEAD:a.txt")
	good, bad, rounds := 0, map[string]int{}, 24
	if testing.Short() {
		rounds = 8
	}
	for round := range rounds {
		f := &strayHistory{t: t, r: rand.New(rand.NewPCG(7, uint64(round))), store: loose.Store{Dir: w.Path("r/.git/objects"), Format: "sha1"}, yours: yours, sound: []int{1, 2, 8}[round%3], files: map[string]map[string]string{}}
		for i := range 60 {
			f.commit(i)
		}
		tips := slices.Clone(f.ids)
		slices.Reverse(tips)
		judge := func(all bool, from int) *admission.Verifier {
			v, err := s.admission.Verifier(ctx, all)
			if err != nil {
				t.Fatal(err)
			}
			if v.LongFrom = from; v.JudgeAll(tips, nil) != nil {
				t.Fatal(ctx.Err())
			}
			return v
		}
		for _, all := range []bool{false, true} {
			slow := judge(all, math.MaxInt)
			for _, from := range []int{1, 7} {
				fast := judge(all, from)
				if !slices.Equal(slices.Sorted(maps.Keys(fast.Verdicts)), slices.Sorted(maps.Keys(slow.Verdicts))) {
					t.Fatalf("round %d: %d verdicts, want %d", round, len(fast.Verdicts), len(slow.Verdicts))
				}
				for id, want := range slow.Verdicts {
					if got := fast.Verdicts[id]; fmt.Sprint(got) != fmt.Sprint(want) {
						t.Errorf("round %d, all %v, from %d: %s: %v, want %v", round, all, from, id, got, want)
					}
				}
			}
			for id, err := range slow.Verdicts {
				if err == nil {
					good++
				} else if text := err.Error(); strings.Contains(text, id[:8]) {
					bad[strings.Trim(text[strings.LastIndex(text, " ")+1:], "'")]++
				}
			}
		}
	}
	if good < 40*rounds || len(bad) < 5 {
		t.Errorf("%d commits are good, and there are %d sorts of others: %v", good, len(bad), bad)
	}
}

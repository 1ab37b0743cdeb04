package gitstore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/part"
	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/git-sage/git-sage/internal/hint"
)

// A shoebox is a feature that keeps texts in memory, and may be sick.
type shoebox struct {
	name  string
	sick  error
	texts []string
	calls []string
}

func (b *shoebox) Name() string { return b.name }

func (b *shoebox) Check(_ context.Context, most int, found func(part.Finding)) error {
	b.calls = append(b.calls, fmt.Sprintf("check %d", most))
	if b.sick == nil {
		found(part.Warn("shoebox", b.name, fmt.Sprintf("holds %d", len(b.texts))))
	}
	return b.sick
}

func (b *shoebox) Clean(_ context.Context, r part.Rule) (out part.Cleaned, err error) {
	b.calls = append(b.calls, "clean "+[]string{"plan", "remove", "prove"}[r.Step])
	if b.sick != nil {
		return out, b.sick
	}
	for i, text := range b.texts {
		if r.Holds(text) {
			out.Held = append(out.Held, part.Left{Name: b.name, Why: "it is in text " + fmt.Sprint(i)})
			if r.Step == part.Remove {
				b.texts[i] = r.Without(text)
			}
		}
	}
	return out, nil
}

func (b *shoebox) Upkeep(context.Context) error {
	b.calls = append(b.calls, "upkeep")
	return b.sick
}

func (b *shoebox) Diagnose(context.Context) []part.Diagnosis {
	return []part.Diagnosis{part.OK(b.name, "stands on the shelf")}
}

// called are the calls until now, which are forgotten.
func (b *shoebox) called() []string {
	defer func() { b.calls = nil }()
	return b.calls
}

// openWith opens the store at r with parts of features above it.
func openWith(t *testing.T, w *storetest.World, parts ...part.Part) *gitstore.Store {
	t.Helper()
	var features []gitstore.Feature
	for _, p := range parts {
		features = append(features, func(*gitstore.Store) part.Part { return p })
	}
	s, err := gitstore.Open(ctx, gitstore.Options{Dir: w.Path("r"), Home: w.Path("home/.sage"), Env: w.Env, Now: storetest.Clock()}, features...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestPartIsCheckedCleanedAndKept(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.Repo("r")
	box := &shoebox{name: "shoebox", texts: []string{"the word is " + planted, "another"}}
	s := openWith(t, w, box)
	save(t, s, "a thesis")

	found, err := s.Fsck.Findings(ctx)
	if err != nil || !slices.ContainsFunc(found, func(f gitstore.Finding) bool { return f.String() == "shoebox shoebox: holds 2" }) {
		t.Errorf("fsck: %v, %v", found, err)
	}
	wantList(t, box.called(), "check 0")
	if said := s.Doctor.Diagnose(ctx); !slices.ContainsFunc(said, func(d gitstore.Diagnosis) bool { return d.Name == "shoebox" && d.State == gitstore.StateOK }) {
		t.Errorf("doctor: %v", said)
	}
	wantList(t, box.called(), "check 1000")
	if _, err := s.Upkeep.Maintain(ctx); err != nil {
		t.Error(err)
	}
	wantList(t, box.called(), "upkeep")

	req := gitstore.PurgeRequest{Match: planted}
	if plan, err := s.Purge.Plan(ctx, req); err != nil || plan.Conversations != 1 {
		t.Errorf("plan: %+v, %v", plan, err)
	}
	if out, err := s.Purge.Run(ctx, req); err != nil || out.Conversations != 1 || len(out.Left) != 0 {
		t.Errorf("purge: %+v, %v", out, err)
	}
	wantList(t, box.called(), "clean plan", "clean remove", "clean prove")
	if strings.Contains(box.texts[0], planted) || box.texts[1] != "another" {
		t.Errorf("%q", box.texts)
	}
}

// What a part does not let go of is named as what is left of a file.
func TestPartThatHoldsOn(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.Repo("r")
	s := openWith(t, w, stubborn{&shoebox{name: "shoebox", texts: []string{planted}}})
	save(t, s, "a thesis")
	out, err := s.Purge.Run(ctx, gitstore.PurgeRequest{Match: planted})
	if err != nil || len(out.Left) != 1 || out.Left[0].Why != "it is in text 0" {
		t.Errorf("%+v, %v", out, err)
	}
}

type stubborn struct{ *shoebox }

func (b stubborn) Clean(ctx context.Context, r part.Rule) (part.Cleaned, error) {
	if r.Step == part.Remove {
		return part.Cleaned{}, nil
	}
	return b.shoebox.Clean(ctx, r)
}

func TestSickPartHarmsNobody(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.Repo("r")
	torn := errors.New("the box is torn")
	sick, box := &shoebox{name: "sick", sick: torn}, &shoebox{name: "shoebox", texts: []string{planted}}
	s := openWith(t, w, sick, box)
	save(t, s, "it says "+planted)

	found, err := s.Fsck.Findings(ctx)
	if err != nil || !slices.ContainsFunc(found, func(f gitstore.Finding) bool { return f.Warning && f.String() == "unchecked sick: the box is torn" }) {
		t.Errorf("fsck: %v, %v", found, err)
	}
	wantList(t, box.called(), "check 0")
	if _, err := s.Upkeep.Maintain(ctx); !errors.Is(err, torn) {
		t.Errorf("maintenance: %v", err)
	}
	wantList(t, box.called(), "upkeep")
	if _, err := s.Purge.Run(ctx, gitstore.PurgeRequest{Match: planted}); !errors.Is(err, torn) || !strings.HasSuffix(hint.Error(err), "the box is torn; run it again to finish") {
		t.Errorf("purge: %v", err)
	}
	if box.texts[0] == planted {
		t.Error("the other part was not cleaned")
	}
	if got := holdsAnywhere(t, w, "r", planted); len(got) > 0 {
		t.Errorf("files hold it: %q", got)
	}
	if all, err := w.TryGit("r", "cat-file", "--batch-all-objects", "--batch"); err != nil || strings.Contains(all, planted) {
		t.Errorf("git holds it: %v", err)
	}
	sick.sick = nil
	if out, err := s.Purge.Run(ctx, gitstore.PurgeRequest{Match: planted}); err != nil || len(out.Left) != 0 {
		t.Errorf("again: %+v, %v", out, err)
	}
}

func TestPartsFailInOneLine(t *testing.T) {
	t.Parallel()
	one, two := errors.New("one"), errors.New("two")
	if err := part.Join(nil, one, two); !errors.Is(err, one) || !errors.Is(err, two) || err.Error() != "one; two" {
		t.Error(err)
	}
	if err := part.Join(nil, one); err != one {
		t.Error(err)
	}
	if err := part.Join(nil, nil); err != nil {
		t.Error(err)
	}
}

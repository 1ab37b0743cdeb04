package models_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/recall/embed/models"
	"github.com/git-sage/git-sage/recall/embed/modeltest"
)

// source writes a tiny model as it is published.
func source(t *testing.T, seed uint64, files map[string][]byte) string {
	t.Helper()
	m, dir := modeltest.Small, t.TempDir()
	m.Seed = seed
	if err := m.Write(dir, files); err != nil {
		t.Fatal(err)
	}
	return dir
}

func install(t *testing.T, f models.Folder, name, from string) models.Info {
	t.Helper()
	info, err := f.Install(t.Context(), models.Parcel{Name: name, Dir: from, Added: time.Unix(0, 0)})
	if err != nil {
		t.Fatal(err)
	}
	return info
}

func open(t *testing.T, f models.Folder, name string) *models.Model {
	t.Helper()
	e, err := f.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	return e.(*models.Model)
}

func TestInstallOpenRemove(t *testing.T) {
	f := models.Folder{Dir: filepath.Join(t.TempDir(), "models")}
	if names, err := f.Names(); err != nil || len(names) != 0 {
		t.Errorf("before the first: %v, %v", names, err)
	}
	dir := source(t, 1, map[string][]byte{"README.md": []byte("---\nlicense: mit\n---\n")})
	steps := 0
	info, err := f.Install(t.Context(), models.Parcel{Name: "ada/e5-tiny", Dir: dir, Version: "c0ffee", Left: func(n int) { steps = max(steps, n) }})
	if err != nil {
		t.Fatal(err)
	}
	if info.Source != dir || info.Version != "c0ffee" || info.License != "mit" || info.Dim != 64 || info.QueryPrefix != "query: " || len(info.Files) != 3 || steps == 0 {
		t.Errorf("%+v, %d steps", info, steps)
	}
	install(t, f, "other", dir)
	if names, err := f.Names(); err != nil || !slices.Equal(names, []string{"ada/e5-tiny", "other"}) {
		t.Errorf("%v, %v", names, err)
	}
	m := open(t, f, "ada/e5-tiny")
	if m.Model().Name != info.Vectors || m.Verify() != nil {
		t.Errorf("%+v, %v", m.Model(), m.Verify())
	}
	v, err := m.Queries(t.Context(), []string{"cat"})
	if err != nil || len(v[0]) != 64 {
		t.Errorf("%v, %v", v, err)
	}
	if err := f.Remove("ada/e5-tiny"); err != nil {
		t.Error(err)
	}
	if _, err := f.Open("ada/e5-tiny"); !errors.Is(err, models.ErrNone) {
		t.Error(err)
	}
	if err := f.Remove("ada/e5-tiny"); !errors.Is(err, models.ErrNone) {
		t.Error(err)
	}
	if again, err := m.Queries(t.Context(), []string{"cat"}); err != nil || !slices.Equal(again[0], v[0]) {
		t.Errorf("who had it open: %v", err)
	}
}

// Other weights under the same name have vectors of another name, and nothing that was
// measured with the old ones stays.
func TestInstallReplaces(t *testing.T) {
	f := models.Folder{Dir: t.TempDir()}
	was := install(t, f, "mine", source(t, 1, nil))
	m := open(t, f, "mine")
	if err := os.WriteFile(m.CalibrationFile(), []byte("{}"), 0o666); err != nil {
		t.Fatal(err)
	}
	if now := install(t, f, "mine", source(t, 2, nil)); now.Vectors == was.Vectors {
		t.Errorf("both are %s", now.Vectors)
	}
	if _, err := os.Stat(m.CalibrationFile()); err == nil {
		t.Error("the old calibration stays")
	}
}

// What cannot be used leaves what is there, and nothing else behind.
func TestInstallRefuses(t *testing.T) {
	f := models.Folder{Dir: t.TempDir()}
	was := install(t, f, "mine", source(t, 1, nil))
	m := modeltest.Small
	nan := m.Safetensors("F32")
	copy(nan[len(nan)-4:], []byte{0, 0, 0xc0, 0x7f}) // the last bias is no number
	for what, files := range map[string]map[string][]byte{
		"no numbers":   {"model.safetensors": nan},
		"a wrong kind": {"config.json": []byte(`{"model_type":"gpt2"}`)},
		"half of it":   {"model.safetensors": m.Safetensors("F32")[:100]},
	} {
		if info, err := f.Install(t.Context(), models.Parcel{Name: "mine", Dir: source(t, 1, files)}); err == nil {
			t.Errorf("%s: %+v", what, info)
		}
	}
	if now, err := f.Info("mine"); err != nil || now.Vectors != was.Vectors {
		t.Errorf("%+v, %v", now, err)
	}
	if _, err := f.Install(t.Context(), models.Parcel{Name: "../mine", Dir: source(t, 1, nil)}); err == nil {
		t.Error("a name that leads elsewhere is taken")
	}
	all, err := filepath.Glob(filepath.Join(f.Dir, "*"))
	if err != nil || len(all) != 1 {
		t.Errorf("%v, %v", all, err)
	}
}

func TestCheckName(t *testing.T) {
	for name, good := range map[string]bool{"a": true, "BAAI/bge-small-en-v1.5": true, "": false, ".": false, "..": false, "a/../b": false,
		"/etc": false, "a/b/c": false, "a\\b": false, "-x": false, "a@b": false, strings.Repeat("x", 200): false} {
		if err := models.CheckName(name); (err == nil) != good {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// A damaged file is refused, or it answers; it never breaks who asks.
func TestOpenDamaged(t *testing.T) {
	f := models.Folder{Dir: t.TempDir()}
	install(t, f, "mine", source(t, 1, nil))
	path := filepath.Join(f.Dir, "mine", "weights.bin")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 100, 2048, len(whole) - 1} {
		write(t, path, whole[:n])
		if _, err := f.Open("mine"); err == nil {
			t.Errorf("%d of %d bytes are taken", n, len(whole))
		}
		if _, err := f.Info("mine"); err == nil {
			t.Errorf("%d of %d bytes are told of", n, len(whole))
		}
	}
	refused := 0
	for at := 2048; at < len(whole); at += max(1, len(whole)/600) {
		bad := slices.Clone(whole)
		bad[at] ^= 0xff
		write(t, path, bad)
		m, err := f.Open("mine")
		if err != nil {
			refused++
			continue
		}
		if _, err := m.Documents(t.Context(), []string{"cat running tokens"}); err != nil {
			t.Errorf("byte %d: %v", at, err)
		}
		if m.(*models.Model).Verify() == nil {
			t.Errorf("byte %d: the checksum tells nothing", at)
		}
	}
	if refused == 0 {
		t.Error("no damage was refused")
	}
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := errors.Join(os.Remove(path), os.WriteFile(path, data, 0o666)); err != nil {
		t.Fatal(err)
	}
}

func TestInfoWithoutItsRecord(t *testing.T) {
	f := models.Folder{Dir: t.TempDir()}
	was := install(t, f, "mine", source(t, 1, nil))
	write(t, filepath.Join(f.Dir, "mine", "model.json"), []byte(`{"name":"mine","source":"elsewhere","vectors":"other"}`))
	now, err := f.Info("mine")
	if err != nil || now.Files != nil || !strings.HasPrefix(now.Source, was.Source) || now.Dim != was.Dim {
		t.Errorf("%+v, %v", now, err)
	}
}

func TestPrefixesOfThePerson(t *testing.T) {
	f := models.Folder{Dir: t.TempDir()}
	q, none := "find: ", ""
	info, err := f.Install(t.Context(), models.Parcel{Name: "e5-mine", Dir: source(t, 1, nil), QueryPrefix: &q, DocumentPrefix: &none})
	if err != nil || info.QueryPrefix != q || info.DocumentStart != "" {
		t.Errorf("%+v, %v", info, err)
	}
	m, err := f.Open("e5-mine")
	if err != nil {
		t.Fatal(err)
	}
	a, err := m.Queries(t.Context(), []string{"cat"})
	if err != nil {
		t.Fatal(err)
	}
	b, err := m.Documents(t.Context(), []string{"find: cat"})
	if err != nil || math.Abs(float64(a[0][0]-b[0][0])) > 1e-5 {
		t.Errorf("%v, %v, %v", a[0][0], b[0][0], err)
	}
}

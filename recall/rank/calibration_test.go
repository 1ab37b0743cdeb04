package rank

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	encoder "github.com/git-sage/git-sage/recall/embed"
)

// The embedded models are found by their names; what is built in for them is of
// their vectors. Package weights is for cmd alone; this reads what it embeds.
func TestEmbeddedModelsAreCalibrated(t *testing.T) {
	for _, name := range []string{"e5-small-v2", "all-MiniLM-L6-v2"} {
		data, err := os.ReadFile(filepath.Join("..", "embed", "weights", name+".bin"))
		if err != nil {
			t.Fatal(err)
		}
		b, err := encoder.OpenBert(string(data))
		if err != nil {
			t.Fatal(err)
		}
		c := CalibrationOf(b.Model().Name)
		if c == nil {
			t.Fatalf("%s: nothing is built in for %s: run the eval with -calibrate", name, b.Model().Name)
		}
		if len(c.Prompts) != b.Model().Dim || len(c.Texts) != b.Model().Dim {
			t.Fatalf("%s: %d and %d numbers", name, len(c.Prompts), len(c.Texts))
		}
		near, far := cosines(t, b, c)
		if near < .3 || far > .2 || near < far+.3 {
			t.Errorf("%s: what belongs together %.3f, what does not %.3f", name, near, far)
		}
	}
	if CalibrationOf("no such model") != nil || CalibrationOf("e5-small-v2/int8-0") != nil {
		t.Error("something is built in for a model that is not")
	}
}

// cosines are those of a prompt with its text and with another's.
func cosines(t *testing.T, e encoder.Embedder, c *Calibration) (near, far float64) {
	p, err := e.Queries(context.Background(), []string{"which port does the test database listen on"})
	if err != nil {
		t.Fatal(err)
	}
	d, err := e.Documents(context.Background(), []string{"The database for tests listens on port 5433.", "Roses want sun and little water."})
	if err != nil {
		t.Fatal(err)
	}
	return c.centred(p[0], d[0]), c.centred(p[0], d[1])
}

// letters embeds a text as the counts of its letters, which have much in common.
type letters struct{ failing error }

func (letters) Model() encoder.Model { return encoder.Model{Name: "letters", Dim: 26} }

func (l letters) Queries(_ context.Context, texts []string) ([][]float32, error) {
	var out [][]float32
	for _, t := range texts {
		v, sum := make([]float32, 26), 0.0
		for _, r := range t {
			if r >= 'a' && r <= 'z' {
				v[r-'a']++
			}
		}
		for _, x := range v {
			sum += float64(x * x)
		}
		for i := range v {
			v[i] /= float32(math.Sqrt(max(sum, 1)))
		}
		out = append(out, v)
	}
	return out, l.failing
}

func (l letters) Documents(ctx context.Context, texts []string) ([][]float32, error) {
	return l.Queries(ctx, texts)
}

func TestCalibrateMeasuresAnyModel(t *testing.T) {
	c, err := Calibrate(context.Background(), letters{})
	if err != nil {
		t.Fatal(err)
	}
	if c.Model != "letters" || c.Pair <= 0 || c.Pair >= 1 || c.Unit() <= 0 {
		t.Errorf("%s: pair %.3f, unit %.3f", c.Model, c.Pair, c.Unit())
	}
	if !(c.High > c.Low) || c.High > 1 {
		t.Errorf("a typical pair %.3f, one that is none %.3f", c.High, c.Low)
	}
	if _, err := Calibrate(context.Background(), letters{context.Canceled}); err == nil {
		t.Error("no error of a model that fails")
	}
	if prompts, texts := calibrationPairs(); len(prompts) < 100 || len(prompts) != len(texts) {
		t.Errorf("%d prompts, %d texts", len(prompts), len(texts))
	}
}

func TestCentreOfASmallStoreIsThatOfAll(t *testing.T) {
	c := &Calibration{Prompts: []float32{1, 0}, Texts: []float32{0, 1}}
	if got := newCentre(c, nil, 0); got.prompts[0] != 1 || got.texts[1] != 1 {
		t.Errorf("without a store: %v", got)
	}
	mean := []float32{.5, .5}
	if got := newCentre(c, mean, 1); math.Abs(float64(got.prompts[0])-.995) > .001 {
		t.Errorf("one text: %v", got)
	}
	if got := newCentre(c, mean, 100000); math.Abs(float64(got.texts[1])-.5) > .001 {
		t.Errorf("many texts: %v", got)
	}
	if got := newCentre(c, []float32{1, 2, 3}, 9); got.prompts[0] != 1 {
		t.Errorf("another model's: %v", got)
	}
	if got := newCentre(c, nil, 0).cosine([]float32{1, 0}, []float32{1, 0}); got != 0 {
		t.Errorf("a prompt like all others: %v", got)
	}
}

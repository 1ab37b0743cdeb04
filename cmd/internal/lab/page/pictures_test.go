package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/git-sage/git-sage/cmd/internal/app"
)

var update = flag.Bool("update", false, "write testdata/pictures as the page is seen now; look at each")

// How pictures are compared: a square of so many pixels a side differs if its mean colour is
// off by more than so much of 255, and at most this share of squares may.
const (
	square = 4
	off    = 20
	most   = 0.005
)

// TestPictures compares what is seen of the main views, below the top of the page, with
// testdata/pictures: of a fixed memory, at a fixed time and place, in DejaVu, whatever font the
// machine has for pages. Without that font nothing is compared.
//
// Browsers draw the edges of letters and their own controls in ways that differ by version and
// graphics: means of squares hardly do. In a row whose parts are 2 px further apart 5% of the
// squares differ and more, on the same browser none.
//
//	go -C cmd/internal/lab test ./page -run TestPictures -update
func TestPictures(t *testing.T) {
	common, lines := stocked(t), filled(t, 44)
	for _, p := range []struct {
		name        string
		a           *app.App
		path, shows string
		keys        string
		width       int64
		colours     string
	}{
		{"lineage", lines, "/", "Case 43", "", 800, "light"},
		{"lineage-dark", lines, "/", "Case 43", "", 800, "dark"},
		{"lineage-narrow", lines, "/", "Case 43", "", 360, "light"},
		{"checkpoint", common, "/checkpoints/main~1", "hit rate 71%", "", 800, "light"},
		{"knowledge", common, "/knowledge/staging-wipe", "Sunday", "", 800, "light"},
		{"edit", common, "/knowledge/staging-wipe", "Sunday", "e", 800, "light"},
		{"review", common, "/review", "contradict", "", 800, "light"},
		{"empty", filled(t, 0), "/", "Nothing is saved yet", "", 800, "light"},
	} {
		t.Run(p.name, func(t *testing.T) {
			b := open(t, p.a)
			b.fix(p.width, p.colours)
			b.open(p.path, p.shows)
			b.until(`document.querySelector('.where')?.innerText`)
			b.do(chromedp.KeyEvent(p.keys))
			b.settled()
			b.wear()
			seen, name := b.picture(), filepath.Join("testdata", "pictures", p.name+".png")
			kept, err := os.ReadFile(name)
			if *update && (os.IsNotExist(err) || err == nil && differing(t, kept, seen) > 0) {
				keep(t, name, seen)
				return
			} else if err != nil {
				t.Fatal(err)
			}
			share := differing(t, kept, seen)
			t.Logf("%.2f%% of it differs", 100*share)
			if share > most {
				now := filepath.Join("..", "..", "..", "..", ".build", "pictures", p.name+".png")
				keep(t, now, seen)
				t.Errorf("%s is what is seen now; -update keeps that", now)
			}
		})
	}
}

// fix has pictures taken at one time and place, whenever and wherever that is.
func (b *browser) fix(width int64, colours string) {
	b.t.Helper()
	b.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: colours}}),
		emulation.SetTimezoneOverride("UTC"), emulation.SetLocaleOverride().WithLocale("en-US"), chromedp.EmulateViewport(width, 330),
		chromedp.ActionFunc(func(ctx context.Context) error {
			_, err := page.AddScriptToEvaluateOnNewDocument(`Date.now = () => Date.parse("2026-11-22T12:00:00Z")`).Do(ctx)
			return err
		}))
}

// wear has the page drawn in DejaVu, without a caret that blinks and without ids, which are others
// each time.
func (b *browser) wear() {
	b.t.Helper()
	var nodes []*cdp.Node
	b.do(chromedp.Evaluate(`{ const s = new CSSStyleSheet(); s.replaceSync(':root { --sans: "DejaVu Sans"; --mono: "DejaVu Sans Mono" } * { caret-color: transparent !important } .id { visibility: hidden }'); document.adoptedStyleSheets = [s]; } 0`, nil),
		chromedp.Nodes("main .what, main .what bdi, main h2, main p", &nodes, chromedp.ByQueryAll), css.Enable(), chromedp.ActionFunc(func(ctx context.Context) error {
			for _, n := range nodes {
				fonts, err := css.GetPlatformFontsForNode(n.NodeID).Do(ctx)
				if err != nil {
					return err
				}
				for _, f := range fonts {
					if !strings.HasPrefix(f.FamilyName, "DejaVu Sans") {
						b.t.Skipf("pictures are compared in DejaVu Sans, and this machine draws in %s", f.FamilyName)
					}
				}
			}
			return nil
		}))
}

// picture is what is seen below the top of the page, in few colours: files of a third of the size.
func (b *browser) picture() *image.RGBA {
	b.t.Helper()
	var shot []byte
	b.do(chromedp.Screenshot("main", &shot, chromedp.ByQuery))
	m, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		b.t.Fatal(err)
	}
	out := image.NewRGBA(m.Bounds())
	for y := range m.Bounds().Dy() {
		for x := range m.Bounds().Dx() {
			r, g, blue, _ := m.At(x, y).RGBA()
			out.SetRGBA(x, y, color.RGBA{coarse(r), coarse(g), coarse(blue), 255})
		}
	}
	return out
}

// coarse is a part of a colour in steps of 8 of 255, down.
func coarse(v uint32) uint8 { return uint8(v >> 11 << 3) }

// differing is the share of squares of two pictures that differ; all of them if the sizes do.
func differing(t *testing.T, kept []byte, seen *image.RGBA) float64 {
	t.Helper()
	was, err := png.Decode(bytes.NewReader(kept))
	if err != nil {
		t.Fatal(err)
	}
	if was.Bounds() != seen.Bounds() {
		return 1
	}
	n, all := 0, 0
	for y := 0; y < seen.Rect.Dy(); y += square {
		for x := 0; x < seen.Rect.Dx(); x += square {
			a, b := mean(was, x, y), mean(seen, x, y)
			all++
			if max(a[0]-b[0], b[0]-a[0], a[1]-b[1], b[1]-a[1], a[2]-b[2], b[2]-a[2]) > off {
				n++
			}
		}
	}
	return float64(n) / float64(all)
}

// mean is the mean colour of a square.
func mean(m image.Image, x, y int) (c [3]int) {
	in := image.Rect(x, y, x+square, y+square).Intersect(m.Bounds())
	for y := in.Min.Y; y < in.Max.Y; y++ {
		for x := in.Min.X; x < in.Max.X; x++ {
			r, g, b, _ := m.At(x, y).RGBA()
			c[0], c[1], c[2] = c[0]+int(r>>8), c[1]+int(g>>8), c[2]+int(b>>8)
		}
	}
	for i := range c {
		c[i] /= in.Dx() * in.Dy()
	}
	return c
}

// keep writes a picture.
func keep(t *testing.T, name string, m image.Image) {
	t.Helper()
	var b bytes.Buffer
	err := errors.Join((&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, m), os.MkdirAll(filepath.Dir(name), 0o755))
	if err = errors.Join(err, os.WriteFile(name, b.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
}

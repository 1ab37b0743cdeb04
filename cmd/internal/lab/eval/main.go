// Command eval measures how well recall finds what is asked for, on sets of
// documents and questions, through the code that recall itself runs: an index in a
// temporary folder, a search, the ranking.
//
//	eval [-data <folder>] [-pairs <jsonl>] [-calibrate] [-record]
//		[-list <jsonl>] [-vectors <file>] [-triggers <jsonl>] [-only <parts>]
//		[-histories <folder>]
//
// Triggers of saves are measured on labelled turns ({"text", "kind" or null, "who"?}),
// and on conversations that are joined from stretches of others.
//
// A set is a folder of stores, a store a folder with docs.jsonl ({"id", "text",
// "time"?, "lang"?}) and queries.jsonl ({"id", "text", "gold": [ids], "kind",
// "stale"?: [ids]}). Vectors are kept in the user's cache folder, by the model's name.
//
// A folder of clones, with -histories, tells how well code is found for a fault: each commit
// that fixes one is a case. Its message is the question, the tree before it is searched, and
// the sources that it changed are the answer.
//
// How much the eight bits of the embedded model for prose cost is measured with -list,
// which writes down all texts that are asked for, recall/embed/testdata/fp32.py, which
// makes their vectors with ONNX Runtime from the float32 model, and -vectors, which
// uses those.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	data := flag.String("data", "", "`folder` of sets; ../shared/data if that is there")
	pairs := flag.String("pairs", "", "`file` of pairs that are duplicates or not")
	calibrate := flag.Bool("calibrate", false, "write the calibrations of the embedded models into recall/rank/calibration")
	record := flag.Bool("record", false, "write the cosine of each pair into its file")
	list := flag.String("list", "", "write all texts for the model for prose into `file`")
	vectors := flag.String("vectors", "", "use the vectors in `file` for the model for prose, and make none")
	triggers := flag.String("triggers", "", "score the triggers alone, on a `file` of labelled turns or on those of the project: all; fit fits their weights")
	histories := flag.String("histories", "", "`folder` of clones: find the files that their fixes changed, for the part issues")
	only := flag.String("only", "", "of sets, foreign, code, issues, facts and triggers these `parts` alone, with commas between; \"\" is all")
	flag.Parse()
	if *triggers != "" {
		if err := measureTriggers(context.Background(), os.Stdout, *triggers, *data); err != nil {
			fmt.Fprintln(os.Stderr, "eval:", err)
			os.Exit(1)
		}
		return
	}
	if err := run(context.Background(), *data, *pairs, *list, *vectors, *only, *histories, *calibrate, *record); err != nil {
		fmt.Fprintln(os.Stderr, "eval:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, data, pairs, list, vectors, only, histories string, calibrate, record bool) error {
	m, err := openModels()
	if err != nil {
		return err
	}
	if vectors != "" {
		if err := m.prose.take(vectors); err != nil {
			return err
		}
	}
	if list != "" {
		f, err := os.Create(list)
		if err != nil {
			return err
		}
		defer f.Close()
		m.prose.list = f
	}
	if calibrate {
		return m.calibrate(ctx)
	}
	if only == "" || pairs != "" || record {
		if err := m.scorePairs(ctx, pairs, record); err != nil || pairs != "" || record {
			return errors.Join(err, m.save())
		}
	}
	if data == "" {
		data = filepath.Join("..", "shared", "data")
	}
	return errors.Join(m.measure(ctx, data, histories, func(part string) bool {
		return only == "" || slices.Contains(strings.Split(only, ","), part)
	}), m.save())
}

// measure prints the parts that are wanted.
func (m *models) measure(ctx context.Context, data, histories string, wanted func(part string) bool) error {
	var sets []set
	if wanted("sets") || wanted("foreign") {
		var err error
		if sets, err = findSets(data); err != nil {
			return err
		}
	}
	if wanted("sets") {
		if err := m.measureSets(ctx, sets); err != nil {
			return err
		}
	}
	if wanted("foreign") {
		if err := m.measureForeign(ctx, sets); err != nil {
			return err
		}
	}
	if wanted("code") {
		if err := m.measureCode(ctx, data); err != nil {
			return err
		}
	}
	if wanted("issues") && histories != "" {
		if err := m.measureIssues(ctx, histories); err != nil {
			return err
		}
	}
	if wanted("facts") {
		if err := measureActions(ctx, filepath.Join("testdata", "facts")); err != nil {
			return err
		}
		if err := m.measureFacts(ctx, filepath.Join("testdata", "facts")); err != nil {
			return err
		}
	}
	if wanted("triggers") {
		return measureTriggers(ctx, os.Stdout, "all", data)
	}
	return nil
}

// errNoSets says what to do without sets.
func errNoSets(dir string) error {
	return errors.New(strings.Join([]string{
		"no sets in '" + dir + "'",
		"name a folder of sets with DATA=<folder>: <set>/<store>/docs.jsonl and queries.jsonl",
		"one question a line: {\"id\", \"text\", \"gold\": [ids], \"kind\"}, one document: {\"id\", \"text\"}",
	}, "\n"))
}

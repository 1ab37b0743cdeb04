package rank

import (
	"math"
	"slices"

	"github.com/git-sage/git-sage/recall/doc"
)

// What a prompt must score to be given an item of knowledge or what a checkpoint says is the
// store's own, unless its user sets recall_threshold: the best score of one in twenty of the
// project's prompts, which most of the time want nothing that is kept. Until there are enough
// of them it goes by how many texts can be near by chance. The best of 60 facts of developers
// has .30 for one foreign prompt in twenty (.37 as statements of checkpoints, .45 and a
// keyword with three requests each, which are 210 texts), of 250 facts of LoCoMo .68.
const (
	leastThreshold, mostThreshold = 0.45, 0.70

	thresholdAmong = 36   // texts, up to which it is the least
	thresholdStep  = 0.14 // more by each e-fold; 215 texts and more have the most

	mostPrompts, leastPrompts = 200, 40 // of whose best scores one learns
	promptShare               = 0.95    // of prompts that reach no more than the threshold,
	titleShare                = 0.85    // and than what a title needs
)

// thresholdBySize is the threshold of a store with n vectors that no prompts told of. Where
// words stand alone (0) it is the most: a rare word that two texts share by chance makes .50.
func thresholdBySize(n int) float64 {
	if n == 0 {
		return mostThreshold
	}
	return min(max(leastThreshold+thresholdStep*math.Log(float64(n)/thresholdAmong), leastThreshold), mostThreshold)
}

// A PromptLog is what is kept of prompts: of each no more than the best score.
type PromptLog struct {
	Model  string    `json:"model"`  // whose scores they are
	Scores []float64 `json:"scores"` // the oldest first
}

// Threshold is what an item must score by what the project's prompts tell; 0 while they are
// too few.
func (l PromptLog) Threshold() float64 { return l.quantile(promptShare, leastThreshold) }

// TitleThreshold is the same of a title.
func (l PromptLog) TitleThreshold() float64 {
	return l.quantile(titleShare, leastThreshold-belowThreshold)
}

// Add notes how much the best candidate had for a prompt. What a keyword asks for is recalled
// whatever it scores, and tells nothing.
func (l *PromptLog) Add(ranked []Scored) {
	best := 0.0
	for i := range ranked {
		if s := &ranked[i]; len(s.Triggers.Exact) == 0 && s.isLearned() {
			best = max(best, math.Round(1000*s.Score)/1000)
		}
	}
	l.Scores = append(l.Scores, best)
	l.Scores = l.Scores[max(0, len(l.Scores)-mostPrompts):]
}

// quantile is the score that a share of the project's prompts do not reach, within bounds.
func (l PromptLog) quantile(share, least float64) float64 {
	if len(l.Scores) < leastPrompts {
		return 0
	}
	sorted := slices.Sorted(slices.Values(l.Scores))
	return min(max(sorted[int(share*float64(len(sorted)))], least), mostThreshold)
}

// isLearned reports whether the threshold of s is the store's own.
func (s *Scored) isLearned() bool {
	_, fixed := DefaultThresholds[s.Meta.Type]
	return s.Meta.Kind == doc.Checkpoint || !fixed || s.Meta.Type == "knowledge"
}

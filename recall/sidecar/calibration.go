package sidecar

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/recall/rank"
)

// keeper is a model that says where its calibration is kept: those of the user do.
type keeper interface{ CalibrationFile() string }

// Calibration is that of the model: built in, or measured once and kept with the model
// or beside the sidecar. Without a model, or if it cannot be measured, it is nil: words
// alone then. Who is in a hurry gets what is there.
func (sc *Sidecar) Calibration(ctx context.Context, quick bool) *rank.Calibration {
	if sc.Model == nil {
		return nil
	}
	if c := rank.CalibrationOf(sc.Model.Model().Name); c != nil {
		return c
	}
	file := sc.CalibrationFile()
	if c := rank.ReadCalibration(file, sc.Model.Model()); c != nil {
		return c
	}
	if _, kept := sc.Model.(keeper); kept && quick {
		sc.complain(remedy.For(errors.New("the embedding model is not calibrated, so only words are compared"), remedy.Calibrate.On()))
		return nil
	}
	c, err := rank.Calibrate(ctx, sc.Model)
	if err != nil {
		sc.complain(err)
		return nil
	}
	_ = c.Write(file) // else it is measured again
	return c
}

// CalibrationFile is where the calibration of the model is kept.
func (sc *Sidecar) CalibrationFile() string {
	if k, ok := sc.Model.(keeper); ok {
		return k.CalibrationFile()
	}
	sum := sha256.Sum256([]byte(sc.Model.Model().Name))
	return filepath.Join(sc.Store.Knowledge.SidecarDir(), fmt.Sprintf("calibration-%x.json", sum[:4]))
}

package recall

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/git-sage/git-sage/recall/rank"
)

// keeper is a model that says where its calibration is kept: those of the user do.
type keeper interface{ CalibrationFile() string }

// calibration is that of the model: built in, or measured once and kept with the model
// or beside the sidecar. Without a model, or if it cannot be measured, it is nil: words
// alone then. Who is in a hurry gets what is there.
func (sh *shelf) calibration(ctx context.Context, quick bool) *rank.Calibration {
	if sh.model == nil {
		return nil
	}
	if c := rank.CalibrationOf(sh.model.Model().Name); c != nil {
		return c
	}
	file := sh.calibrationFile()
	if c := rank.ReadCalibration(file, sh.model.Model()); c != nil {
		return c
	}
	if _, kept := sh.model.(keeper); kept && quick {
		sh.m.complain(errors.New("the embedding model is not calibrated, words alone are compared: 'git sage model calibrate'"))
		return nil
	}
	c, err := rank.Calibrate(ctx, sh.model)
	if err != nil {
		sh.m.complain(err)
		return nil
	}
	_ = c.Write(file) // else it is measured again
	return c
}

func (sh *shelf) calibrationFile() string {
	if k, ok := sh.model.(keeper); ok {
		return k.CalibrationFile()
	}
	sum := sha256.Sum256([]byte(sh.model.Model().Name))
	return filepath.Join(sh.store.SidecarDir(), fmt.Sprintf("calibration-%x.json", sum[:4]))
}

// mostKept bounds what is read of a file that keeps something, in bytes.
const mostKept = 4 << 20

package recall

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// calibration is that of the model: built in, or measured once and kept beside the
// sidecar. Without a model, or if it cannot be measured, it is nil: words alone then.
func (sh *shelf) calibration(ctx context.Context) *Calibration {
	if sh.model == nil {
		return nil
	}
	model := sh.model.Model()
	if c := CalibrationOf(model.Name); c != nil {
		return c
	}
	sum := sha256.Sum256([]byte(model.Name))
	file := filepath.Join(sh.store.SidecarDir(), fmt.Sprintf("calibration-%x.json", sum[:4]))
	if data, err := os.ReadFile(file); err == nil {
		var c Calibration
		if json.Unmarshal(data, &c) == nil && c.Model == model.Name && len(c.Prompts) == model.Dim && len(c.Texts) == model.Dim {
			return &c
		}
	}
	c, err := Calibrate(ctx, sh.model)
	if err != nil {
		sh.m.complain(err)
		return nil
	}
	if data, err := json.Marshal(c); err == nil {
		_ = os.WriteFile(file, data, 0o644) // else it is measured again
	}
	return c
}

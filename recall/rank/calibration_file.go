package rank

import (
	"encoding/json"

	"github.com/git-sage/git-sage/internal/plainfile"
	"github.com/git-sage/git-sage/recall/embed"
)

// mostCalibration bounds what is read of a file, in bytes.
const mostCalibration = 4 << 20

// ReadCalibration reads what Write wrote; nil if it is of another model, or damaged.
func ReadCalibration(file string, model embed.Model) *Calibration {
	data, err := plainfile.Read(file, mostCalibration)
	if err != nil {
		return nil
	}
	var c Calibration
	if json.Unmarshal(data, &c) != nil || c.Model != model.Name || len(c.Prompts) != model.Dim || len(c.Texts) != model.Dim {
		return nil
	}
	return &c
}

// Write keeps c in a file, whole or not at all.
func (c *Calibration) Write(file string) error {
	data, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return plainfile.Write(file, data)
}

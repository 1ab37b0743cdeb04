//go:build torture

package gitstore_test

import "testing"

// As TestTeamAgrees, for long.
func TestTeamAgreesInTheLongRun(t *testing.T) {
	newTeam(t, 50, teamSeed(t, 2)).play(1000, 8, 10)
}

//go:build torture

package gitstore_test

import "testing"

// As TestTeamAgrees, for long: TEAMROUNDS says for how long, TEAMSEED which of all teams.
func TestTeamAgreesInTheLongRun(t *testing.T) {
	newTeam(t, 50, teamSeed(t, 2)).play(int(fromEnv(t, "TEAMROUNDS", 1000)), 8, 10)
}

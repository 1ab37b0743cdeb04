package watch

import "time"

// A Moment is a point in time, twice.
type Moment struct {
	Wall time.Time     // by the clock that people set
	Up   time.Duration // since the daemon began, by one that only runs forward; it may stand still while the machine sleeps
}

// systemClock is the clock of this process.
func systemClock() func() Moment {
	began := time.Now()
	return func() Moment {
		now := time.Now()
		return Moment{now.Round(0).UTC(), now.Sub(began)}
	}
}

// gap is by how much the two may differ before the machine is taken to have slept, and by
// how much a turn may be late before the process is taken to have been stopped.
const gap = 10 * time.Second

// slept reports whether from one turn to the next, which was due after some time, the
// machine or the process stood still, or somebody set the clock.
func slept(from, to Moment, due time.Duration) bool {
	up, wall := to.Up-from.Up, to.Wall.Sub(from.Wall)
	return (wall-up).Abs() > gap || up-due > gap
}

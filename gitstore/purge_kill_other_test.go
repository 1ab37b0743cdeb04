//go:build !unix

package gitstore_test

// purger needs a process that can kill itself.
func purger(string) int { return 1 }

// deliverer needs one, too.
func deliverer(string) int { return 1 }

// scribe needs signals, too.
func scribe(string) int { return 1 }

// chainer needs signals.
func chainer(string) int { return 2 }

package autosave

import (
	"context"
	"testing"
)

func TestLookUntil(t *testing.T) {
	looks := 0
	lookUntil(context.Background(), func() bool { looks++; return looks == 3 })
	if looks != 3 {
		t.Errorf("looked %d times for what was there at the third", looks)
	}
	ctx, cancel := context.WithCancel(context.Background())
	looks = 0
	lookUntil(ctx, func() bool { looks++; cancel(); return false })
	if looks != 1 {
		t.Errorf("looked %d times although nobody waits", looks)
	}
}

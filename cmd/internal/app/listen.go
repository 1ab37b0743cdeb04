package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"syscall"
)

// Listen listens at a TCP address.
func Listen(ctx context.Context, at string) (net.Listener, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", at)
	if no := syscall.Errno(0); errors.As(err, &no) {
		err = no // net says the address again
	}
	if err != nil {
		return nil, fmt.Errorf("cannot listen at %s: %w", at, err)
	}
	return l, nil
}

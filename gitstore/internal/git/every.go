package git

import (
	"bufio"
	"context"
	"io"
	"strconv"
	"strings"
)

// MostSearched bounds an object that is searched, in bytes. What is larger is nothing of
// ours.
const MostSearched = 64 << 20

// EveryObject calls fn with every object that git can read here, with its content if that
// is wanted: no more of it than [MostSearched].
func (r *Runner) EveryObject(ctx context.Context, content bool, fn func(id, typ string, data []byte)) error {
	args := []string{"cat-file", "--batch-all-objects", "--unordered", "--batch-check"}
	if content {
		args[3] = "--batch"
	}
	out, w := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := r.Pipe(ctx, nil, w, args...)
		_ = w.CloseWithError(err)
		done <- err
	}()
	in := bufio.NewReaderSize(out, 1<<20)
	for {
		head, err := in.ReadString('\n')
		if err != nil {
			break
		}
		f := strings.Fields(head)
		if len(f) != 3 {
			continue
		}
		data, err := objectBody(in, f[2], content)
		if err != nil {
			_ = out.CloseWithError(err)
			break
		}
		fn(f[0], f[1], data)
	}
	return <-done
}

func objectBody(in *bufio.Reader, size string, content bool) ([]byte, error) {
	n, err := strconv.ParseInt(size, 10, 64)
	if err != nil || !content {
		return nil, err
	}
	data := make([]byte, min(n, MostSearched))
	if _, err := io.ReadFull(in, data); err != nil {
		return nil, err
	}
	_, err = io.CopyN(io.Discard, in, n-int64(len(data))+1)
	return data, err
}

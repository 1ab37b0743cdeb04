package embed

import (
	"context"
	"runtime"
	"sync"
)

// The batch that is computed at once: 256 tokens are enough to read each weight from
// memory seldom, and their 5 MB fit the second cache nearly.
const batchTokens = 256

// mostWorkers bounds the goroutines of one call, each of which holds 5 MB.
const mostWorkers = 8

// embed computes the vectors of texts, batch by batch: several batches on a
// goroutine each, a single one split between two.
func (b *Bert) embed(ctx context.Context, prefix string, texts []string) ([][]float32, error) {
	q := &queue{bert: b, prefix: prefix, texts: texts, out: make([][]float32, len(texts))}
	if job := q.next(); q.at == len(texts) {
		q.do(job, job.tokens >= b.with.split && runtime.GOMAXPROCS(0) > 1)
		return q.result(ctx)
	} else if ctx.Err() == nil {
		q.do(job, false)
	}
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), mostWorkers) {
		workers.Go(func() {
			for job := q.next(); len(job.ids) > 0 && ctx.Err() == nil; job = q.next() {
				q.do(job, false)
			}
		})
	}
	workers.Wait()
	return q.result(ctx)
}

// queue hands out texts, a batch at a time.
type queue struct {
	bert   *Bert
	prefix string
	texts  []string
	out    [][]float32

	mu sync.Mutex
	at int
}

// job is the ids of consecutive texts.
type job struct {
	from, tokens int
	ids          [][]int32
}

func (q *queue) next() job {
	q.mu.Lock()
	defer q.mu.Unlock()
	j := job{from: q.at}
	for q.at < len(q.texts) && j.tokens < batchTokens {
		ids := q.bert.tokens.encode(q.prefix, q.texts[q.at], q.bert.head.MaxTokens)
		j.ids, j.tokens = append(j.ids, ids), j.tokens+len(ids)
		q.at++
	}
	return j
}

func (q *queue) do(j job, two bool) {
	if len(j.ids) > 0 {
		copy(q.out[j.from:], q.bert.net.run(q.bert.with, j.ids, two))
	}
}

func (q *queue) result(ctx context.Context) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return q.out, nil
}

package main

import (
	"testing"

	"github.com/chromedp/cdproto/runtime"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/page/pagetest"
)

// awaited has the protocol wait for a promise.
func awaited(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }

// blank is a memory in which nothing is saved.
func blank(t *testing.T) *app.App { return pagetest.New(t) }

// settled waits until nothing is being read.
func (b *browser) settled() {
	b.t.Helper()
	b.until(`document.querySelector('main') && !document.querySelector('.wait')`)
}

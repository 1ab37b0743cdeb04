package checks

import (
	"github.com/git-sage/git-sage/gitstore/internal/verify/internal/pass"
	"github.com/git-sage/git-sage/gitstore/part"
	"github.com/git-sage/git-sage/gitstore/remedy"
)

// Parts checks what features keep beside git.
type Parts struct{ Parts *part.Set }

func (c Parts) Run(p *pass.Pass) {
	for _, one := range c.Parts.All() {
		err := one.Check(p.Ctx, p.Most, func(f part.Finding) { p.Report.Findings = append(p.Report.Findings, f) })
		if err != nil && p.Ctx.Err() == nil {
			p.Warn("unchecked", one.Name(), err.Error(), remedy.Of(err)...)
		}
	}
}

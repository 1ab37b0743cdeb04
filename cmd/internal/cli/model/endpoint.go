package model

import (
	"context"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/config"
	"github.com/git-sage/git-sage/cmd/internal/models"
	"github.com/git-sage/git-sage/cmd/internal/usage"
)

// endpointUse tries an endpoint, measures it and writes it into the user's settings.
func endpointUse(ctx context.Context, a *app.App, model string, o useOptions) error {
	values := models.EndpointSettings(o.url, model, o.keyEnv)
	for _, v := range values {
		k, err := config.Lookup(v[0])
		if err != nil {
			return err
		}
		if _, err := k.Parse(v[1]); err != nil {
			return usage.Errorf("%v", err)
		}
	}
	if err := a.Models().TryEndpoint(ctx, o.url, model, o.keyEnv); err != nil {
		return err
	}
	file := config.File{Path: a.UserTuning()}
	for _, v := range values {
		if err := file.Set(v[0], v[1]); err != nil {
			return err
		}
	}
	a.Say("%s at %s is used from now on, as %s says: texts and prompts are sent there", model, o.url, file.Path)
	if err := overruled(ctx, a, models.EmbedderKey, "http"); err != nil {
		return err
	}
	return revector(ctx, a)
}

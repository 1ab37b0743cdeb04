package app

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall/provenance"
)

// CompleteSkills offers the names of skills.
func CompleteSkills(a *App) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		m, err := a.Open(c.Context())
		if err != nil || len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		names, _ := m.Skills.Names(c.Context(), SkillFolders(a, m)...)
		return usage.Matching(names, "", word), cobra.ShellCompDirectiveNoFileComp
	}
}

// CompleteRevs offers lines, tags and, once something is typed, ids.
func CompleteRevs(a *App) cobra.CompletionFunc {
	return func(c *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		s := QuietStore(a, c)
		if s == nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		prefix := ""
		if i := strings.LastIndex(word, ".."); i >= 0 {
			prefix = word[:i+2]
		}
		offers := append(lineOffers(c, s), tagOffers(c, s)...)
		records, _ := s.Commits.Log(c.Context(), gitstore.Query{All: true, Max: 100})
		for _, r := range records {
			offers = append(offers, usage.Offer(a.Short(r.ID), provenance.Byline(r)+r.Description))
		}
		return usage.Matching(offers, prefix, word), cobra.ShellCompDirectiveNoFileComp
	}
}

// CompleteLines offers the names of lines, for the first argument only.
func CompleteLines(a *App) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		s := QuietStore(a, c)
		if s == nil || len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return usage.Matching(lineOffers(c, s), "", word), cobra.ShellCompDirectiveNoFileComp
	}
}

// CompleteTags offers the names of tags.
func CompleteTags(a *App) cobra.CompletionFunc {
	return func(c *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		s := QuietStore(a, c)
		if s == nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return usage.Matching(tagOffers(c, s), "", word), cobra.ShellCompDirectiveNoFileComp
	}
}

// QuietStore is the store at hand, nil if there is none.
func QuietStore(a *App, c *cobra.Command) *gitstore.Store {
	m, err := a.Open(c.Context())
	if err != nil {
		return nil
	}
	return m.Store
}

func lineOffers(c *cobra.Command, s *gitstore.Store) []string {
	var offers []string
	lines, _ := s.Lines.List(c.Context())
	for _, l := range lines {
		about := "empty"
		if l.Latest != nil {
			about = provenance.Byline(*l.Latest) + l.Latest.Description
		}
		offers = append(offers, usage.Offer(l.Name, about))
	}
	return offers
}

func tagOffers(c *cobra.Command, s *gitstore.Store) []string {
	var offers []string
	tags, _ := s.Lines.Tags(c.Context())
	for _, t := range tags {
		offers = append(offers, usage.Offer(t.Name, "tag"))
	}
	return offers
}

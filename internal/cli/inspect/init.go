package inspect

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"sitesync/crawl"
	"sitesync/crawl/scout"
	"sitesync/extract"
	"sitesync/extract/content"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

func initCommand(a *app.App) *cobra.Command {
	var toStdout bool
	cmd := &cobra.Command{
		Use:   "init URL",
		Short: "Write a configuration by looking at the site",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return firstConfig(cmd.Context(), a, args[0], toStdout)
		},
	}
	cmd.Flags().BoolVar(&toStdout, "stdout", false, "write to standard output, not to the file that -c names")
	return cmd
}

// firstConfig looks at the site and writes what it means for a configuration.
func firstConfig(ctx context.Context, a *app.App, raw string, toStdout bool) error {
	if _, err := os.Lstat(a.ConfigFile); err == nil && !toStdout {
		return app.Usagef("%s is there already and stays as it is; name another file with -c, or use --stdout", a.ConfigFile)
	}
	sight, err := look(ctx, a, raw)
	if err != nil {
		return err
	}
	text := sight.write()
	if toStdout {
		_, err := fmt.Fprint(a.Stdout, text)
		return err
	}
	if err := writeNew(a.ConfigFile, text); err != nil {
		return fmt.Errorf("write the configuration: %w", err)
	}
	f := sight.found
	a.Print("%s: %s; %d pages looked at, %d addresses in sitemaps", a.ConfigFile, f.Start, f.Sampled, f.Listed)
	a.Print("next: read it, fill in [push], then: sitesync check, sitesync plan, sitesync sync")
	return nil
}

// writeNew writes a file that is not there yet, for the owner alone.
func writeNew(path, text string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	return app.FirstError(err, file.Close())
}

// sight is what a first look at a site found, and what it means for its
// configuration. Its texts are the site's.
type sight struct {
	day      string
	found    *scout.Exploration
	title    string // of the first page
	shells   int    // pages that show nothing without JavaScript
	content  content.Selector
	selected bool // there is such a selector
}

// look has a first look at the site of raw, as a crawl with the default
// configuration would.
func look(ctx context.Context, a *app.App, raw string) (s *sight, err error) {
	if !strings.Contains(raw, "://") {
		raw = "https://" + raw
	}
	if _, err := weburl.NewCanonicalizer(nil).URL(raw); err != nil {
		return nil, app.Usage(err)
	}
	cfg := config.Default()
	cfg.Site.Start = []string{raw}
	ex, err := a.NewExtractor(ctx, &cfg)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, ex.Close()) }()
	s = &sight{day: app.Day(a.Now().Unix())}
	contents := content.NewChooser()
	s.found, err = crawl.Explore(ctx, app.CrawlOptions(&cfg, nil), func(p *document.Page) { s.take(ex, contents, p) })
	if _, ok := errors.AsType[crawl.OptionsError](err); ok {
		return nil, app.Usage(err)
	}
	if err != nil {
		return nil, fmt.Errorf("%w; give another address, or write the configuration by hand as config.example.toml shows", err)
	}
	s.content, s.selected = contents.Choose()
	return s, nil
}

// take reads one page of the sample.
func (s *sight) take(ex *extract.Extractor, contents *content.Chooser, p *document.Page) {
	draft, err := ex.Read(p)
	if err != nil {
		return
	}
	if s.title == "" {
		s.title = ex.Finish(draft, p.URL, nil).Fields["Title"]
	}
	if slices.Contains(draft.Warn, extract.WarnEmptyShell) {
		s.shells++
		return
	}
	contents.Add(p.Root)
}

package inspect

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	neturl "net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// Commands returns the commands of this package, which work on a.
func Commands(a *app.App) []*cobra.Command {
	return []*cobra.Command{listCommand(a), reportCommand(a), initCommand(a), checkCommand(a)}
}

func initCommand(a *app.App) *cobra.Command {
	var toStdout bool
	const short = "Write a configuration by looking at the site, or at a folder of built pages"
	cmd := &cobra.Command{Use: "init URL|FOLDER", Short: short, Args: cobra.ExactArgs(1)}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if _, err := os.Lstat(a.ConfigFile); err == nil && !toStdout {
			return app.Usagef("%s is there already and stays as it is; "+
				"name another file with -c, or use --stdout", a.ConfigFile)
		}
		address, folder := args[0], ""
		if info, err := os.Stat(args[0]); err == nil && info.IsDir() {
			address, folder = exampleAddress, args[0]
		}
		sight, err := firstLook(cmd.Context(), a, address, folder)
		if err != nil {
			return err
		}
		if folder != "" { // as it is from the file
			sight.Folder, err = filepath.Rel(filepath.Dir(a.ConfigFile), folder)
			if err != nil {
				sight.Folder = folder
			}
		}
		text, err := sight.write()
		if err != nil {
			return err
		}
		if toStdout {
			_, err := fmt.Fprint(a.Stdout, text)
			return err
		}
		if err := writeNew(a.ConfigFile, text); err != nil {
			return fmt.Errorf("write the configuration: %w", err)
		}
		err = writeNew(filepath.Join(filepath.Dir(a.ConfigFile), schemaFile), config.JSONSchema)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("write what editors complete it by: %w", err)
		}
		a.Print("%s: %s; %s looked at, %s in sitemaps", a.ConfigFile, sight.Start,
			document.Count(sight.Sampled, "page"), document.Count(sight.Listed, "address"))
		a.Print("next: %s, then %s, to search the site on this machine; for the hosted service, fill in [push]",
			a.Spell("sitesync sync"), a.Spell("sitesync ui"))
		return nil
	}
	cmd.Flags().BoolVar(&toStdout, "stdout", false, "write to standard output, not to the file that -c names")
	return cmd
}

// schemaFile stands beside the configuration, whose first line names it.
const schemaFile = "sitesync.schema.json"

// writeNew writes a file that is not there yet.
func writeNew(path, text string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // the owner names it
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Close())
}

// exampleAddress stands for where a folder will be published, until the owner says where.
const exampleAddress = "https://www.example.com/"

// errMoved ends a first look at a start page that leads elsewhere.
var errMoved = errors.New("the start page leads elsewhere")

const (
	initPages = 30 // that a first look asks for at most
	mostHops  = 10 // redirects of the address that it was given
)

// firstLook looks at the site of raw as a crawl with the default configuration would, and
// follows the redirects of its start page. Where a folder is named, its files are the site.
func firstLook(ctx context.Context, a *app.App, raw, folder string) (*sight, error) {
	if !strings.Contains(raw, "://") {
		raw = "https://" + raw
	}
	cfg := config.Default()
	cfg.Site.Folder = folder
	asked, err := weburl.NewCanonicalizer(cfg.Site.IgnoreParams).URL(raw)
	if err != nil {
		return nil, app.Usage(err)
	}
	start := asked
	for range 1 + mostHops {
		s := &sight{Day: app.Day(a.Now().Unix()), Asked: asked, Start: start, FileHosts: map[string]int{}}
		cfg.Site.Start = []string{start}
		g, err := look(ctx, a, &cfg, initPages, s.take)
		switch {
		case errors.Is(err, errMoved) && weburl.Origin(s.first.Target) != weburl.Origin(start) && isLocal(s.first.Target):
			err = fmt.Errorf("read %s: redirects to %s, which is asked only if you name it", start, s.first.Target)
		case errors.Is(err, errMoved):
			start = s.first.Target
			continue
		case err == nil:
			err = s.conclude(&g.survey)
		}
		if err != nil && ctx.Err() == nil {
			err = fmt.Errorf("%w; give another address, or write the configuration by hand as config.example.toml shows", err)
		}
		return s, err
	}
	return nil, fmt.Errorf("read %s: its redirects don't end", asked)
}

// isLocal reports whether a URL names this machine, or any by its bare address: the guard opens
// such a one to whoever names it in a configuration, and no site is to do that by a redirect.
func isLocal(url string) bool {
	u, err := neturl.Parse(url)
	if err != nil {
		return true
	}
	_, noLiteral := netip.ParseAddr(u.Hostname())
	return noLiteral == nil || u.Hostname() == "localhost"
}

package inspect

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/netip"
	neturl "net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
	"time"

	"github.com/spf13/cobra"

	"sitesync/crawl/page"
	"sitesync/crawl/robots"
	"sitesync/crawl/site"
	"sitesync/extract"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// Commands returns the commands "list", "report", "init" and "check".
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
		if folder != "" { // the configuration holds a path relative to its own folder
			sight.Folder, err = filepath.Rel(filepath.Dir(a.ConfigFile), folder)
			if err != nil {
				sight.Folder = folder
			}
		}
		text, err := sight.writeConfig()
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
			return fmt.Errorf("write the JSON schema of the configuration: %w", err)
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

const schemaFile = "sitesync.schema.json"

func writeNew(path, text string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // the user chose the path
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Close())
}

const exampleAddress = "https://www.example.com/"

var errMoved = errors.New("the start page leads elsewhere")

const (
	initPages = 30
	mostHops  = 10
)

// firstLook crawls the first pages of a site with the default configuration. It begins at address. If that
// page redirects, it begins again at the target. If folder is not empty, the files there are the site.
func firstLook(ctx context.Context, a *app.App, address, folder string) (*sight, error) {
	if !strings.Contains(address, "://") {
		address = "https://" + address
	}
	cfg := config.Default()
	cfg.Site.Folder = folder
	asked, err := weburl.NewCanonicalizer(cfg.Site.IgnoreParams).URL(address)
	if err != nil {
		return nil, app.Usage(err)
	}
	start := asked
	for range 1 + mostHops {
		s := &sight{Day: app.Day(a.Now().Unix()), Asked: asked, Start: start, FileHosts: map[string]int{}}
		cfg.Site.Start = []string{start}
		g, err := look(ctx, a, &cfg, initPages, s.addGlimpse)
		to := s.first.Target
		switch {
		case errors.Is(err, errMoved) && isLocal(to) && weburl.Origin(to) != weburl.Origin(start):
			err = fmt.Errorf("read %s: redirects to %s, which is asked only if you name it", start, to)
		case errors.Is(err, errMoved):
			start = to
			continue
		case err == nil:
			err = s.conclude(&g.survey)
		}
		if err != nil && ctx.Err() == nil {
			const next = "give another address, or write the configuration by hand as config.example.toml shows"
			err = fmt.Errorf("%w; %s", err, next)
		}
		return s, err
	}
	return nil, fmt.Errorf("read %s: its redirects don't end", asked)
}

// isLocal reports whether the host of a URL is localhost or an IP address. A redirect must not bring such a
// URL into the configuration, because the crawler connects to every address that the configuration names.
func isLocal(url string) bool {
	u, err := neturl.Parse(url)
	if err != nil {
		return true
	}
	_, noLiteral := netip.ParseAddr(u.Hostname())
	return noLiteral == nil || u.Hostname() == "localhost"
}

// sight holds the facts about a site from which first.toml.tmpl makes a configuration. The strings come from
// the site and are not trusted.
type sight struct {
	Day     string
	Asked   string        // canonical form of the URL that the user gave
	Start   string        // canonical URL at the end of the redirects of Asked
	Folder  string        // local folder of built pages; empty if the site is on a server
	Listed  int           // number of URLs in sitemaps
	Delay   time.Duration // Crawl-delay of robots.txt
	Sampled int           // number of pages that were read
	Shells  int           // number of read pages that show no text without JavaScript

	FileHosts map[string]int // number of links to files (PDF, DOCX and the like) on each other host

	first document.Page
}

const maxHosts = 500

// addGlimpse adds the facts of one page. It returns errMoved if the start page redirects.
func (s *sight) addGlimpse(g *glimpse, p *document.Page) error {
	if p.URL == s.Start {
		s.first = document.Page{URL: p.URL, Seen: p.Seen, Status: p.Status, Why: p.Why, Target: p.Target}
		if p.Target != "" && p.Interstitial == "" {
			return errMoved
		}
	}
	if p.Root == nil {
		return nil
	}
	s.Sampled++
	for _, link := range page.ReadLinks(p, g.site.Canon, robots.ProductToken("sitesync")).Found {
		elsewhere := weburl.Origin(link.URL) != weburl.Origin(s.Start)
		if elsewhere && !link.NoFollow && site.IsFile(link.URL) && len(s.FileHosts) < maxHosts {
			s.FileHosts[strings.TrimSuffix(weburl.Host(link.URL), ":443")]++
		}
	}
	draft, err := g.ex.Read(p)
	if err != nil {
		return nil //nolint:nilerr // the links of the page are already counted
	}
	if slices.Contains(draft.Warn, extract.WarnEmptyShell) {
		s.Shells++
	}
	return nil
}

func (s *sight) conclude(survey *document.Survey) error {
	h := survey.Hosts[0]
	s.Listed, s.Delay = h.Sitemap, h.Delay
	switch {
	case s.first.Seen == document.Read || s.first.Seen == document.NoIndex:
		return nil
	case s.first.URL == "":
		return fmt.Errorf("read %s: %s", s.Start, cmp.Or(h.Reason, "no answer that makes a page"))
	}
	return fmt.Errorf("read %s: %s", s.Start, cmp.Or(s.first.Why, fmt.Sprintf("HTTP status %d", s.first.Status)))
}

//go:embed first.toml.tmpl
var firstSource string

func (s *sight) writeConfig() (string, error) {
	hosts := s.fileHosts()
	name := strings.TrimPrefix(weburl.Host(s.Start), "www.")
	own := func(host string) bool { return host == name || strings.HasSuffix(host, "."+name) }
	first := template.Must(template.New("first").Funcs(template.FuncMap{
		"comment": config.Comment, "count": document.Count, "origin": weburl.Origin,
		"list":  func(all ...string) []string { return all },
		"start": func() string { return strings.ReplaceAll(s.Start, "${", "$%7B") }, // "${" would begin a variable
		"hosts": func() []string { return hosts },
		"ownHosts": func() []string {
			return slices.DeleteFunc(slices.Clone(hosts), func(host string) bool { return !own(host) })
		},
		"whole":      func() time.Duration { return time.Duration(max(s.Listed, s.Sampled)) * s.Delay },
		"manyShells": func() bool { return s.Shells*10 > s.Sampled },
		"key":        config.Key,
		"suggest": func(name string, value any) string {
			if line := config.Key(name, value); line != "" {
				return "# " + line
			}
			return ""
		},
	}).Parse(firstSource))
	var text strings.Builder
	err := first.Execute(&text, s)
	return text.String(), err
}

const shownHosts = 12

func (s *sight) fileHosts() []string {
	hosts := slices.SortedFunc(maps.Keys(s.FileHosts), func(a, b string) int {
		return cmp.Or(s.FileHosts[b]-s.FileHosts[a], strings.Compare(a, b))
	})
	return hosts[:min(len(hosts), shownHosts)]
}

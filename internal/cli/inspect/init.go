package inspect

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"text/template"
	"time"

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

// Commands returns the commands of this package, which work on a.
func Commands(a *app.App) []*cobra.Command {
	return []*cobra.Command{listCommand(a), reportCommand(a), initCommand(a), checkCommand(a)}
}

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
	text, err := sight.write()
	if err != nil {
		return err
	}
	if toStdout {
		_, err := fmt.Fprint(a.Stdout, text)
		return err
	}
	file, err := os.OpenFile(a.ConfigFile, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // the owner names it
	if err == nil {
		_, err = file.WriteString(text)
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		return fmt.Errorf("write the configuration: %w", err)
	}
	f := sight.Found
	a.Print("%s: %s; %s looked at, %s in sitemaps", a.ConfigFile, f.Start, document.Count(f.Sampled, "page"), document.Count(f.Listed, "address"))
	a.Print("next: %s, then %s, to search the site on this machine; for the hosted service, fill in [push]", a.Spell("sitesync sync"), a.Spell("sitesync ui"))
	return nil
}

// sight is what a first look at a site found, and what it means for its
// configuration, as first.toml.tmpl asks for it. Its texts are the site's.
type sight struct {
	Day      string
	Found    *scout.Exploration
	Title    string // of the first page
	Shells   int    // pages that show nothing without JavaScript
	Content  content.Selector
	Selected bool // there is such a selector
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
	s = &sight{Day: app.Day(a.Now().Unix())}
	contents := content.NewChooser()
	err = withCrawler(ctx, a, &cfg, func(ex *extract.Extractor, crawler *crawl.Crawler) (err error) {
		s.Found, err = crawler.Explore(ctx, func(p *document.Page) { s.take(ex, contents, p) })
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%w; give another address, or write the configuration by hand as config.example.toml shows", err)
	}
	s.Content, s.Selected = contents.Choose()
	return s, nil
}

// take reads one page of the sample.
func (s *sight) take(ex *extract.Extractor, contents *content.Chooser, p *document.Page) {
	draft, err := ex.Read(p)
	if err != nil {
		return
	}
	if s.Title == "" {
		s.Title = ex.Finish(draft, p.URL, nil).Fields["Title"]
	}
	if slices.Contains(draft.Warn, extract.WarnEmptyShell) {
		s.Shells++
		return
	}
	contents.Add(p.Root)
}

// shownKinds is how many sections, languages and the like are named.
const shownKinds = 12

//go:embed first.toml.tmpl
var firstSource string

// write returns the configuration, each suggestion with what was seen.
func (s *sight) write() (string, error) {
	first := template.Must(template.New("first").Funcs(template.FuncMap{
		"comment": config.Comment, "count": document.Count, "counts": counts, "origin": weburl.Origin, "texts": texts,
		"most":  func() int { return shownKinds },
		"list":  func(all ...string) []string { return all },
		"start": s.start, "moreSections": s.moreSections, "folders": s.folders, "isLanguage": s.isLanguage, "fileHosts": s.fileHosts, "oddParams": s.oddParams, "ignored": s.ignored,
		"whole": s.whole, "manyShells": s.manyShells, "read": s.read, "share": s.share, "first": func(all []string) []string { return all[:1] }, "last": func(all []string) []string { return all[len(all)-1:] },
		"key": key,
		"suggest": func(name string, values ...any) string {
			if line := key(name, values...); line != "" {
				return "# " + line
			}
			return ""
		},
	}).Parse(firstSource))
	var text strings.Builder
	err := first.Execute(&text, s)
	return text.String(), err
}

// key returns the line of a key, whose value is a text, or what some lists of texts hold.
func key(name string, values ...any) string {
	if text, single := values[0].(string); single {
		return config.Key(name, false, text)
	}
	var all []string
	for _, list := range values {
		all = append(all, list.([]string)...)
	}
	return config.Key(name, true, all...)
}

// counts lists what was met, in words.
func counts(list []scout.Counted) string {
	var all []string
	for _, c := range list[:min(len(list), shownKinds)] {
		all = append(all, fmt.Sprintf("%q (%d)", c.Text, c.N))
	}
	return cmp.Or(strings.Join(all, ", "), "nothing")
}

func texts(list []scout.Counted) (all []string) {
	for _, c := range list {
		all = append(all, c.Text)
	}
	return all
}

// start returns the start address as it is written: "${" begins the name of a variable.
func (s *sight) start() string { return strings.ReplaceAll(s.Found.Start, "${", "$%7B") }

// moreSections returns how many sections are not shown.
func (s *sight) moreSections() int { return len(s.Found.Sections) - shownKinds }

// plain is a folder that means itself as a glob.
var plain = regexp.MustCompile(`^/[A-Za-z0-9._~%-]+/$`)

// folders returns globs of the sections that are shown and that a glob can name.
func (s *sight) folders() (globs []string) {
	for _, section := range s.Found.Sections[:min(len(s.Found.Sections), shownKinds)] {
		if plain.MatchString(section.Text) {
			globs = append(globs, section.Text+"**")
		}
	}
	return globs
}

// isLanguage reports whether a section is the folder of a language that pages name.
func (s *sight) isLanguage(section string) bool {
	lang := strings.ToLower(strings.Trim(section, "/"))
	is := func(c scout.Counted) bool { return c.Text == lang || strings.HasPrefix(c.Text, lang+"-") }
	return len(lang) >= 2 && plain.MatchString(section) && (slices.ContainsFunc(s.Found.Languages, is) || slices.ContainsFunc(s.Found.Alternate, is))
}

// fileHosts returns the hosts of linked files that are shown: those below the site's own
// name, or the others.
func (s *sight) fileHosts(own bool) (hosts []string) {
	name := strings.TrimPrefix(weburl.Host(s.Found.Start), "www.")
	for _, host := range s.Found.FileHosts[:min(len(s.Found.FileHosts), shownKinds)] {
		if (host.Text == name || strings.HasSuffix(host.Text, "."+name)) == own {
			hosts = append(hosts, host.Text)
		}
	}
	return hosts
}

// oddParams are query parameters that seldom make another page: of tracking, of
// sessions, of order, of print.
var oddParams = regexp.MustCompile(`(?i)^(utm_[\w.-]+|[a-z]{1,2}clid|msclkid|mc_[ce]id|_ga|_gl|igshid|hsa_[\w.-]+|(pk|mtm|piwik)_[\w.-]+|ref|referrer|source|` +
	`phpsessid|jsessionid|aspsessionid\w*|sid|sess(ion)?(_?id)?|cfid|cftoken|token|sort(_?by|_?order)?|order(_?by)?|dir|direction|print(able)?|printview|amp|share)$`)

// oddParams returns the first of those that addresses of the site have.
func (s *sight) oddParams() (odd []scout.Counted) {
	for _, param := range s.Found.Params {
		if oddParams.MatchString(param.Text) && len(odd) < shownKinds {
			odd = append(odd, param)
		}
	}
	return odd
}

// ignored returns the parameters that are ignored by default.
func (s *sight) ignored() []string { return config.Default().Site.IgnoreParams }

// whole returns how long a crawl takes at least by the pause that robots.txt asks for.
func (s *sight) whole() time.Duration {
	return time.Duration(max(s.Found.Listed, s.Found.Sampled)) * s.Found.Delay
}

// manyShells reports whether rendering is worth its time.
func (s *sight) manyShells() bool { return s.Shells*10 > s.Found.Sampled }

// read returns how many pages were read that show something without JavaScript.
func (s *sight) read() int { return s.Found.Sampled - s.Shells }

// share returns the share of their text that the selector holds, in per cent.
func (s *sight) share() float64 { return 100 * s.Content.Share }

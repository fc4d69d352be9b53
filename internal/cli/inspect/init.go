package inspect

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
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
	a.Print("%s: %s; %s looked at, %s in sitemaps", a.ConfigFile, f.Start, document.Count(f.Sampled, "page"), document.Count(f.Listed, "address"))
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
	return errors.Join(err, file.Close())
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
	crawler, err := crawl.New(app.CrawlOptions(&cfg, nil))
	if err != nil {
		return nil, app.Usage(err)
	}
	defer func() { err = errors.Join(err, crawler.Close()) }()
	s = &sight{day: app.Day(a.Now().Unix())}
	contents := content.NewChooser()
	s.found, err = crawler.Explore(ctx, func(p *document.Page) { s.take(ex, contents, p) })
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

// shownKinds is how many sections, languages and the like are named.
const shownKinds = 12

// write returns the configuration, each suggestion with what was seen.
func (s *sight) write() string {
	w := &config.Writer{}
	w.Comment("Written by sitesync init on %s, after a look at robots.txt, sitemaps and %s. The comments say", s.day, document.Count(s.found.Sampled, "page"))
	w.Comment("what was seen. Only start and [push] are required; config.example.toml shows every key.")
	if s.title != "" {
		w.Comment("The title of the first page: %q", s.title)
	}
	s.site(w)
	s.fetch(w)
	s.extract(w)
	w.Section("push")
	w.Comment("From the service's management console: make a content source (crawler) for sitesync alone, and switch its")
	w.Comment("own schedule off. Until base_url, customer_id and crawler_id are here, plan and explain work, sync does not.")
	w.Comment(`base_url = "https://..."              # the https address of your region; "local": the service inside sitesync, to try it out`)
	w.Comment("customer_id = 10000001")
	w.Comment(`crawler_id = "..."`)
	w.Comment(`api_key = "${SITESYNC_API_KEY}"       # leave the key itself in the environment`)
	return w.String()
}

func (s *sight) site(w *config.Writer) {
	f := s.found
	w.Section("site")
	if f.Asked != f.Start {
		w.Comment("%s redirects here.", f.Asked)
	}
	w.Key("start", true, strings.ReplaceAll(f.Start, "${", "$%7B"))
	s.sitemaps(w)
	s.sections(w)
	s.languages(w)
	s.fileHosts(w)
	s.params(w)
}

func (s *sight) sitemaps(w *config.Writer) {
	f := s.found
	w.Blank()
	for _, origin := range f.Origins[:min(len(f.Origins), 3)] {
		w.Comment("Sitemaps list %s on %s, which is another origin. If it is the same site, add it to start.", document.Count(origin.N, "address"), origin.Text)
	}
	more := ""
	if f.MoreMaps {
		more = " and more, in files that were not read"
	}
	switch {
	case f.Listed == 0:
		w.Comment("No sitemap was found that lists addresses of this site: pages are found by their links.")
		w.Suggest("sitemaps", true, weburl.Origin(f.Start)+"/sitemap.xml")
	case f.Named:
		w.Comment("Found by itself; it lists %s%s:", document.Count(f.Listed, "address"), more)
		for _, address := range f.Sitemaps[:min(len(f.Sitemaps), shownKinds)] {
			w.Comment("    %s", address)
		}
		w.Key("sitemaps", false, "auto")
	default:
		w.Comment("robots.txt names no sitemap, but this one exists and lists %s%s.", document.Count(f.Listed, "address"), more)
		w.Key("sitemaps", true, f.Sitemaps...)
	}
}

// plain is a folder that means itself as a glob.
var plain = regexp.MustCompile(`^/[A-Za-z0-9._~%-]+/$`)

func (s *sight) sections(w *config.Writer) {
	var names []string
	w.Blank()
	w.Comment("Sections, and how many addresses were seen in each (in sitemaps and in links of the pages looked at):")
	for i, section := range s.found.Sections {
		if i == shownKinds {
			w.Comment("    and %d more", len(s.found.Sections)-i)
			break
		}
		w.Comment("    %-24q %6d", section.Text, section.N)
		if plain.MatchString(section.Text) {
			names = append(names, section.Text+"**")
		}
	}
	if len(names) > 0 {
		w.Comment("To crawl only some of them, or all except some:")
		w.Suggest("include", true, names[0])
		w.Suggest("exclude", true, names[len(names)-1])
	}
}

func (s *sight) languages(w *config.Writer) {
	f := s.found
	if len(f.Languages) == 0 && len(f.Alternate) == 0 {
		return
	}
	w.Blank()
	w.Comment("Languages: on the pages read, lang says %s; hreflang names %s.", counts(f.Languages), counts(f.Alternate))
	for _, section := range f.Sections {
		lang := strings.ToLower(strings.Trim(section.Text, "/"))
		is := func(c scout.Counted) bool { return c.Text == lang || strings.HasPrefix(c.Text, lang+"-") }
		if len(lang) >= 2 && plain.MatchString(section.Text) && (slices.ContainsFunc(f.Languages, is) || slices.ContainsFunc(f.Alternate, is)) {
			w.Comment("The folder of one holds %s. For an index of that language alone:", document.Count(section.N, "address"))
			w.Suggest("include", true, section.Text+"**")
		}
	}
}

// counts lists what was met, in words.
func counts(list []scout.Counted) string {
	var all []string
	for _, c := range list[:min(len(list), shownKinds)] {
		all = append(all, fmt.Sprintf("%q (%d)", c.Text, c.N))
	}
	if len(all) == 0 {
		return "nothing"
	}
	return strings.Join(all, ", ")
}

// fileHosts names hosts of linked files: below the site's own name they are its own.
func (s *sight) fileHosts(w *config.Writer) {
	if len(s.found.FileHosts) == 0 {
		return
	}
	name := weburl.Host(s.found.Start)
	name = strings.TrimPrefix(name, "www.")
	var own, foreign []string
	for _, host := range s.found.FileHosts[:min(len(s.found.FileHosts), shownKinds)] {
		if host.Text == name || strings.HasSuffix(host.Text, "."+name) {
			own = append(own, host.Text)
		} else {
			foreign = append(foreign, host.Text)
		}
	}
	w.Blank()
	w.Comment("Pages link to files (PDF, DOCX and the like) on other hosts (with the number of links): %s.", counts(s.found.FileHosts))
	w.Key("file_hosts", true, own...)
	if len(foreign) > 0 {
		w.Comment("If they all belong to the site, write instead:")
		w.Suggest("file_hosts", true, append(own, foreign...)...)
	}
}

// oddParams are query parameters that seldom make another page: of tracking, of
// sessions, of order, of print.
var oddParams = regexp.MustCompile(`(?i)^(utm_[\w.-]+|[a-z]{1,2}clid|msclkid|mc_[ce]id|_ga|_gl|igshid|hsa_[\w.-]+|(pk|mtm|piwik)_[\w.-]+|ref|referrer|source|` +
	`phpsessid|jsessionid|aspsessionid\w*|sid|sess(ion)?(_?id)?|cfid|cftoken|token|sort(_?by|_?order)?|order(_?by)?|dir|direction|print(able)?|printview|amp|share)$`)

func (s *sight) params(w *config.Writer) {
	var odd []string
	var seen []scout.Counted
	for _, param := range s.found.Params {
		if oddParams.MatchString(param.Text) && len(odd) < shownKinds {
			odd, seen = append(odd, param.Text), append(seen, param)
		}
	}
	if len(odd) == 0 {
		return
	}
	w.Blank()
	w.Comment("Query parameters that look like tracking, sessions, order or print, and in how many addresses: %s.", counts(seen))
	w.Comment("If they never lead to a different page, ignore them:")
	w.Suggest("ignore_params", true, append(config.Default().Site.IgnoreParams, odd...)...)
}

func (s *sight) fetch(w *config.Writer) {
	f := s.found
	if f.Delay == 0 && s.shells == 0 {
		return
	}
	w.Section("fetch")
	if f.Delay > 0 {
		whole := time.Duration(max(f.Listed, f.Sampled)) * f.Delay
		w.Comment("robots.txt asks for %s between two requests: reading all addresses of the sitemaps takes %s or more.", f.Delay, whole)
	}
	if s.shells == 0 {
		return
	}
	w.Comment("%d of %d pages looked at show nothing without JavaScript. \"auto\" runs Chromium for such pages.", s.shells, f.Sampled)
	if s.shells*10 > f.Sampled {
		w.Key("render", false, config.RenderAuto)
	} else {
		w.Suggest("render", false, config.RenderAuto)
	}
}

func (s *sight) extract(w *config.Writer) {
	w.Section("extract")
	if !s.selected {
		w.Comment("No common selector holds the main content of nearly all pages read: sitesync finds it page by page.")
		w.Suggest("content", false, "main")
		return
	}
	w.Comment("Matches one element on %d of %d pages looked at, and holds %.0f %% of their text that differs from page to page.",
		s.content.Fits, s.found.Sampled-s.shells, 100*s.content.Share)
	w.Key("content", false, s.content.CSS)
}

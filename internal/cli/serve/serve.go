package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/preview"
	"sitesync/internal/service"
	"sitesync/internal/ui"
	"sitesync/push"
)

type server struct {
	a                *app.App
	flags            app.Serving
	cfg              *config.Config
	customer, engine uint   // IDs from flags; 0 if the configured ID applies
	folder           string // folder of web pages to show instead of the search page; may be empty
	bare             bool
}

// Commands returns the commands "serve" and "searches".
func Commands(a *app.App) []*cobra.Command {
	s := &server{a: a, flags: app.Serving{Shared: true}}
	cmd := &cobra.Command{Use: "serve", Short: "Run the Site Search Service locally", Args: cobra.NoArgs}
	cmd.Flags().UintVar(&s.customer, "customer", 0, "the customer's `ID` (default: push.customer_id, else 10000001)")
	cmd.Flags().UintVar(&s.engine, "engine", 0, "the engine's `ID` (default: push.engine_id, else 1)")
	const pages = "show the web pages in `FOLDER` at /, where they can call the service"
	cmd.Flags().StringVar(&s.folder, "pages", "", pages)
	s.flags.Flags(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		s.cfg, s.bare, err = settings(a, cmd)
		if err != nil {
			return err
		}
		to := &s.cfg.Push
		to.CustomerID, to.EngineID = cmp.Or(int(s.customer), to.CustomerID), cmp.Or(int(s.engine), to.EngineID)
		return s.run(cmd.Context())
	}
	return []*cobra.Command{cmd, searchesCommand(a)}
}

// settings returns the configuration. If the default file does not exist and the flag -c is not set, it
// returns config.Local and bare is true.
func settings(a *app.App, cmd *cobra.Command) (cfg *config.Config, bare bool, err error) {
	_, err = os.Stat(a.ConfigFile)
	bare = errors.Is(err, fs.ErrNotExist) && !cmd.Flags().Changed("config")
	if bare {
		cfg = config.Local()
	} else if cfg, err = a.Load(func(cfg *config.Config) error { return cfg.Require("serve") }); err != nil {
		return nil, false, err
	}
	cfg.Push.CustomerID, cfg.Push.EngineID = cmp.Or(cfg.Push.CustomerID, 10000001), cmp.Or(cfg.Push.EngineID, 1)
	return cfg, bare, nil
}

func (s *server) run(ctx context.Context) error {
	s.a.SoftMemory(service.SoftMemory) // indexing needs more memory at once than a crawl
	var pages *ui.Server
	s.flags.Pages = func(local *service.Service, address string) http.Handler {
		at, _ := url.Parse(address) // no error: the service made the URL
		live := preview.Live{
			Service: local, Customer: int64(s.cfg.Push.CustomerID), Engine: int64(s.cfg.Push.EngineID),
			Facets: app.Facets(s.cfg),
		}
		pages = ui.New(ctx, ui.Options{Port: at.Port(), Search: &live})
		return pages
	}
	if s.folder != "" {
		root, err := os.OpenRoot(s.folder)
		if err != nil {
			return app.Usagef("--pages: %w", err)
		}
		defer root.Close()
		files := s.files(root)
		s.flags.Pages = func(*service.Service, string) http.Handler { return files }
	}
	running, stop, err := s.a.StartService(s.cfg, s.flags)
	if err != nil {
		return err
	}
	if s.folder != "" && !running.Loopback {
		err := app.Usagef("--pages shows a folder on this machine alone: " +
			"use a web server and --origin, or --listen on 127.0.0.1")
		return errors.Join(err, stop())
	}
	s.tell(running, pages)
	select {
	case <-ctx.Done():
	case <-running.Done:
	}
	err = stop()
	if pages != nil {
		pages.Wait()
	}
	if err != nil {
		return fmt.Errorf("end the local service: %w", err)
	}
	return nil
}

// tell prints the addresses of the service, and commands to try the service. It never prints a configured
// key.
func (s *server) tell(running *service.Running, pages *ui.Server) {
	customer, engine := int64(s.cfg.Push.CustomerID), int64(s.cfg.Push.EngineID)
	key, which := app.FindKey(s.cfg)
	s.a.Print("serving on %s (store %s); %s; Ctrl-C ends it", running.URL, s.cfg.Serve.Path, which)
	switch {
	case s.folder != "":
		s.a.Print("your pages in %s are at %s/", s.folder, running.URL)
	case pages != nil:
		s.a.Print("try the search at %s/?token=%s (the link works as long as this runs)", running.URL, pages.Token())
	}
	// A SiteKey is no secret: every visitor's browser sends it.
	site := push.SiteKey(customer, engine)
	s.a.Print("front ends of engine %d send Authorization: %s", engine, site)
	if s.bare {
		const document = `[{"id": "1", "fields": {"Title": "Opening hours", "Url": "https://www.example.com/hours"}}]`
		s.a.Print("there is no %s here, so these are the defaults: customer %d, engine %d; "+
			"--customer and --engine change them", s.a.ConfigFile, customer, engine)
		s.a.Print("put a document: curl -u %d:%s -X PUT -H 'Content-Type: application/json' -d '%s' "+
			"%s/api/v4/%d/index/%s/documents",
			customer, key, document, running.URL, customer, s.cfg.Push.CrawlerID)
		s.a.Print("search: curl -H 'Authorization: %s' -H 'Content-Type: application/json' -d '%s' "+
			"%s/api/v4/%d/%d/search",
			site, `{"query": "opening hours"}`, running.URL, customer, engine)
	}
	if !running.Loopback {
		s.a.Logger().Warn("other machines can reach the service, without TLS: " +
			"anyone on the way can read the key and everything sent")
	}
}

// files serves the files below root, which may also hold sitesync's configuration, store and key. It hides
// each file and folder whose name begins with one of their names, or with a dot.
func (s *server) files(root *os.Root) http.Handler {
	files := http.FileServerFS(root.FS())
	private := []string{"."}
	for _, path := range []string{s.a.ConfigFile, s.cfg.Store.Path, s.cfg.Serve.Path, s.cfg.Push.APIKeyFile} {
		private = append(private, strings.ToLower(filepath.Base(path))) // Base returns "." for an empty path
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name := range strings.SplitSeq(strings.ToLower(r.URL.Path), "/") {
			for _, prefix := range private {
				if strings.HasPrefix(name, prefix) {
					http.NotFound(w, r)
					return
				}
			}
		}
		w.Header().Set("Cache-Control", "no-cache") // browsers show an edited file at once
		files.ServeHTTP(w, r)
	})
}

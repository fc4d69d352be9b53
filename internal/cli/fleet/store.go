package fleet

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"sitesync/internal/cli/app"
	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/site"
)

// storing is what the flags of add and set say.
type storing struct {
	add          bool
	name, ledger string
	replicas     int
}

func storeCommand(f *fleet, add bool) *cobra.Command {
	o := storing{add: add}
	cmd := &cobra.Command{
		Use: "set FILE...", Short: "Change sites of the fleet: each FILE is the new sitesync.toml of the site that it is named after", Args: cobra.MinimumNArgs(1),
	}
	if add {
		cmd.Use, cmd.Short = "add FILE...", "Add sites to the fleet: each FILE is a sitesync.toml, and names its site"
		cmd.Flags().IntVar(&o.replicas, "replicas", 0, "keep a new fleet on `N` servers: 1, 3 or 5 (default: 3 in a cluster, else 1)")
	}
	cmd.Long = cmd.Short + ".\n\nThe site of town-hall.toml is town-hall; that of town-hall/sitesync.toml too. All files are checked before the first is stored."
	cmd.Flags().StringVar(&o.name, "name", "", "`NAME` of the site, for one file")
	cmd.Flags().StringVar(&o.ledger, "ledger", "", "`FILE` of the ledger that the site has so far, for one site; stop what runs the site elsewhere first")
	cmd.RunE = func(cmd *cobra.Command, files []string) error {
		sites, err := o.read(f.a, files)
		if err != nil {
			return err
		}
		open := f.connect
		if add {
			open = func(ctx context.Context) (*bus.Bus, func(), error) { return f.begin(ctx, o.replicas) }
		}
		b, end, err := open(cmd.Context())
		if err != nil {
			return err
		}
		defer end()
		return o.store(cmd.Context(), f, b, sites)
	}
	return cmd
}

// read checks the files, all of them, without asking the fleet.
func (o *storing) read(a *app.App, files []string) (sites []site.Site, err error) {
	if (o.name != "" || o.ledger != "") && len(files) > 1 {
		return nil, app.Usagef("--name and --ledger are for one file, but %d are given", len(files))
	}
	var faults []string
	from := map[string]string{}
	for _, file := range files {
		name, err := o.siteName(file)
		if err != nil {
			return nil, err
		}
		raw, err := a.Input(file)
		if err != nil {
			return nil, err
		}
		s, err := site.Read(name, file, raw)
		if bus.CheckName(name) != nil {
			err = fmt.Errorf("%w; name it with --name", err)
		}
		if err == nil && from[name] != "" {
			err = fmt.Errorf("%s: the site %s is given twice: %s is named after it too", file, name, from[name])
		}
		if err != nil {
			faults = append(faults, err.Error())
		}
		sites, from[name] = append(sites, s), file
	}
	if len(faults) > 0 {
		return nil, app.Usagef("%s", strings.Join(faults, "\n"))
	}
	return sites, nil
}

// siteName returns the name that a file gives its site.
func (o *storing) siteName(file string) (string, error) {
	if o.name != "" {
		return o.name, nil
	}
	file, err := filepath.Abs(file)
	if filepath.Base(file) == "sitesync.toml" {
		file = filepath.Dir(file)
	}
	return strings.TrimSuffix(filepath.Base(file), ".toml"), err
}

// store checks the sites against those of the fleet, and stores them.
func (o *storing) store(ctx context.Context, f *fleet, b *bus.Bus, given []site.Site) error {
	sites := site.New(b)
	all, err := sites.List(ctx)
	if err != nil {
		return err
	}
	var names []string
	for i := range given {
		s := &given[i]
		at := slices.IndexFunc(all, func(known site.Site) bool { return known.Name == s.Name })
		switch {
		case o.add && at >= 0:
			return app.Usagef("%s: %w", s.Name, site.ErrKnown)
		case !o.add && at < 0:
			return app.Usagef("%s: %w", s.Name, site.ErrUnknown)
		case at >= 0:
			s.Revision, s.Paused = all[at].Revision, all[at].Paused
		}
		names = append(names, s.Name)
	}
	err = site.Apart(append(others(all, names...), given...))
	if err != nil {
		return app.Usage(err)
	}
	if o.ledger != "" {
		err = f.bring(ctx, b, &given[0], o.ledger)
		if err != nil {
			return err
		}
	}
	done, why := "changed", "set"
	if o.add {
		done, why = "added", "add"
	}
	return f.each(given, done, func(s *site.Site) error { return sites.Put(ctx, s, why, f.who()) })
}

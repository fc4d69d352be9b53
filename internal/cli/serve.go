package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"sitesync/internal/config"
	"sitesync/internal/service"
)

// localKey is the key of a local service for which none is configured.
const localKey = "local"

// serviceBase returns the address of the service: the configured one, or that of a
// local service which runs until stop is called.
func (a *app) serviceBase(cfg *config.Config) (base string, stop func(), err error) {
	if !cfg.Push.Local() {
		return cfg.Push.Base(), func() {}, nil
	}
	running, closeStore, err := a.startService(cfg, "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	return running.URL, func() {
		if err := running.Close(); err != nil {
			a.logger().Warn("stop the local service", "error", err)
		}
		closeStore()
	}, nil
}

func (a *app) startService(cfg *config.Config, listen string) (*service.Running, func(), error) {
	key, _ := serviceKey(cfg)
	local, err := service.Open(service.Options{Path: cfg.Serve.Path, APIKey: key, Logger: a.logger()})
	if err != nil {
		return nil, nil, err
	}
	closeStore := func() {
		if err := local.Close(); err != nil {
			a.logger().Warn("close the local service", "error", err)
		}
	}
	running, err := local.Start(listen)
	if err != nil {
		closeStore()
		return nil, nil, err
	}
	return running, closeStore, nil
}

// serviceKey returns the key that the local service asks for and says which that
// is; where the configuration gives none, which serve does not mind, it is "local".
func serviceKey(cfg *config.Config) (key, which string) {
	configured, err := cfg.Key()
	if err != nil || configured == localKey {
		return localKey, fmt.Sprintf("the API key is %q", localKey)
	}
	return string(configured), "the API key is that of the configuration"
}

func (a *app) serveCommand() *cobra.Command {
	var listen string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the Site Search Service locally",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := a.load()
			if err == nil {
				err = cfg.Require("serve")
			}
			if err != nil {
				return err
			}
			running, closeStore, err := a.startService(cfg, listen)
			if err != nil {
				return err
			}
			defer closeStore()
			_, which := serviceKey(cfg)
			a.print("serving on %s (store %s); %s; Ctrl-C ends it", running.URL, cfg.Serve.Path, which)
			select {
			case <-cmd.Context().Done():
			case <-running.Done():
			}
			if err := running.Close(); err != nil {
				return fmt.Errorf("end the local service: %w", err)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:7373", "`ADDR` to listen on")
	return cmd
}

package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"sitesync/internal/config"
	"sitesync/internal/service"
	"sitesync/push"
)

// localKey is the key of a local service for which none is configured.
const localKey = "local"

// serviceBase returns the address of the service: the configured one, or that of a
// local service which runs until stop is called.
func (a *app) serviceBase(cfg *config.Config) (base string, stop func(), err error) {
	if !cfg.Push.Local() {
		return cfg.Push.Base(), func() {}, nil
	}
	running, closeStore, err := a.startService(cfg, serving{listen: "127.0.0.1:0"})
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

func (a *app) startService(cfg *config.Config, flags serving) (*service.Running, func(), error) {
	local, err := flags.open(a, cfg)
	if err != nil {
		return nil, nil, err
	}
	closeStore := func() {
		if err := local.Close(); err != nil {
			a.logger().Warn("close the local service", "error", err)
		}
	}
	running, err := local.Start(flags.listen)
	if err != nil {
		closeStore()
		return nil, nil, exposed(err)
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
	flags := serving{search: true}
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
			tuneService(a.getenv)
			running, closeStore, err := a.startService(cfg, flags)
			if err != nil {
				return err
			}
			defer closeStore()
			a.sayServing(cfg, running)
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
	flags.flags(cmd)
	return cmd
}

// sayServing says where the service is and how it is called. A SiteKey is no secret:
// every visitor's browser sends it.
func (a *app) sayServing(cfg *config.Config, running *service.Running) {
	_, which := serviceKey(cfg)
	a.print("serving on %s (store %s); %s; Ctrl-C ends it", running.URL, cfg.Serve.Path, which)
	if customer, engine := cfg.Push.CustomerID, cfg.Push.EngineID; customer > 0 && engine > 0 {
		a.print("front ends of engine %d send Authorization: %s", engine, push.SiteKey(int64(customer), int64(engine)))
	}
	if !running.Loopback {
		a.logger().Warn("other machines reach the service by this machine's addresses, without TLS: anyone on the way can read the key and all that is sent")
	}
}

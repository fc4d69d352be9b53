package calls

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/report"
	"sitesync/push"
)

const eventHelp = `

The keys of the event stand in brackets below. It is sent at most once.
Personal data is left out unless --personal is given.`

func eventCommand(a *app.App, name, kind, short string) *cobra.Command {
	var personal, dry bool
	cmd := &cobra.Command{Use: name, Short: short, Long: short + "." + eventHelp, Args: cobra.NoArgs}
	flags, event, names := cmd.Flags(), push.Event{}, map[string]string{}
	for _, flag := range eventFlags(kind) {
		names[flag.key] = "--" + flag.name
		flags.Func(flag.name, fmt.Sprintf("%s (%s)", flag.usage, flag.key), func(value string) error {
			event[flag.key] = value
			return nil
		})
	}
	flags.Func("set", "any other key, as `KEY=VALUE`; may be repeated", func(pair string) error {
		key, value, found := strings.Cut(pair, "=")
		if !found {
			return errors.New("write it as KEY=VALUE")
		}
		event[key] = value
		return nil
	})
	flags.BoolVar(&personal, "personal", false, "send the visitor's address, user agent and referrer too")
	flags.BoolVar(&dry, "dry-run", false, "print what would be sent as JSON, and send nothing")
	app.JSONFlag(cmd, &a.JSON)
	cmd.RunE = a.Run(func(ctx context.Context, cfg *config.Config, _ []string) error {
		var dropped []string
		if !personal {
			dropped = event.DropPersonal()
		}
		ready, err := push.Prepare(kind, event, names)
		if err != nil {
			return app.Usagef("nothing was sent: %w", err)
		}
		if len(dropped) > 0 {
			a.Logger().Warn("personal data is left out; --personal sends it", "keys", strings.Join(dropped, " "))
		}
		if dry {
			return report.Object(a.Stdout, ready)
		}
		return sendEvent(ctx, a, cfg, kind, ready)
	})
	return cmd
}

type sentEvent struct {
	Kind       string `json:"kind"`
	ID         string `json:"id,omitempty"`
	FeedbackID string `json:"feedbackId,omitempty"`
}

const sentPage = "{{.Kind}} sent{{with .ID}}, ID {{.}}{{end}}{{with .FeedbackID}}, feedbackId {{.}}{{end}}\n"

func sendEvent(ctx context.Context, a *app.App, cfg *config.Config, kind string, event push.Event) error {
	if err := cfg.NeedEvents(); err != nil {
		return err
	}
	client, closeClient, err := app.Dial(a, cfg, push.NewEvents)
	if err != nil {
		return err
	}
	defer closeClient()
	receipt, err := client.Send(ctx, kind, event)
	switch {
	case err != nil && ctx.Err() != nil: // interrupted: the service may have received the event
		a.Logger().Error("interrupted: " + err.Error())
		return app.CodeError(app.ExitInterrupted)
	case err != nil:
		return err
	}
	return a.Show(sentEvent{kind, receipt.ID, receipt.FeedbackID}, sentPage)
}

type eventFlag struct{ name, key, usage string }

//go:embed events.txt
var eventTable string

func eventFlags(kind string) (flags []eventFlag) {
	for line := range strings.Lines(eventTable) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		if slices.Contains(strings.Fields(cells[0]), kind) {
			flags = append(flags, eventFlag{cells[1], cells[2], cells[3]})
		}
	}
	return flags
}

package calls

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/push"
)

// eventKind is a command that reports events of one kind.
type eventKind struct {
	kind        string // of wire.Event*
	name, short string
	flags       func(push.EventKeys) []eventFlag
}

// eventFlag is a readable name for a key of an event; the key is empty where nobody
// knows it.
type eventFlag struct{ name, key, usage string }

// eventHelp tells what all these commands have in common.
const eventHelp = `

One event comes from flags. Many come from FILE, or standard input for -: one JSON object a
line, with the keys that stand in brackets below. All are checked before the first is sent.
An event is sent at most once; what ends the sending says how to go on with --from.
What is personal is left out unless --personal is given.`

func eventGroup(a *app.App, name, short string, kinds ...eventKind) *cobra.Command {
	var names []string
	group := &cobra.Command{Use: name, Short: short, Args: cobra.NoArgs}
	for _, kind := range kinds {
		names = append(names, kind.name)
		group.AddCommand(eventCommand(a, kind))
	}
	group.RunE = func(cmd *cobra.Command, _ []string) error {
		return errors.Join(cmd.Help(), app.Usagef("%s: name %s", name, strings.Join(names, " or ")))
	}
	return group
}

func eventCommand(a *app.App, of eventKind) *cobra.Command {
	r := &eventRun{app: a, kind: of.kind}
	var set []string
	cmd := &cobra.Command{Use: of.name + " [FILE]", Short: of.short, Long: of.short + "." + eventHelp, Args: cobra.MaximumNArgs(1)}
	for _, flag := range of.flags(push.EventKeys{Device: "track.device_key", Source: "track.source_key", Rating: "track.rating_key", Language: "track.language_key"}) {
		cmd.Flags().String(flag.name, "", fmt.Sprintf("%s (%s)", flag.usage, flag.key))
	}
	cmd.Flags().StringArrayVar(&set, "set", nil, "any other key, as `KEY=VALUE`; may be repeated")
	cmd.Flags().IntVar(&r.from, "from", 1, "begin with this line of FILE")
	cmd.Flags().BoolVar(&r.personal, "personal", false, "send the visitor's address, user agent and referrer too")
	cmd.Flags().BoolVar(&r.dry, "dry-run", false, "print what would be sent as JSON Lines, and send nothing")
	cmd.Flags().BoolVar(&r.asJSON, "json", false, "print one JSON object for each event")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		cfg, err := a.Load()
		if err != nil {
			return err
		}
		r.keys = push.EventKeys{Device: cfg.Track.DeviceKey, Source: cfg.Track.SourceKey, Rating: cfg.Track.RatingKey, Language: cfg.Track.LanguageKey}
		event, err := of.given(cmd, r.keys, set)
		if err == nil {
			r.events, err = r.source(args, event)
		}
		if err != nil {
			return err
		}
		return r.run(cmd.Context(), cfg)
	}
	return cmd
}

// given returns the event that the flags describe.
func (of eventKind) given(cmd *cobra.Command, keys push.EventKeys, set []string) (push.Event, error) {
	event := push.Event{}
	for _, flag := range of.flags(keys) {
		switch {
		case !cmd.Flags().Changed(flag.name):
		case flag.key == "":
			return nil, app.Usagef("--%s: its key is not documented: ask the service's support for it and give it as track.%s_key, or use --set KEY=VALUE", flag.name, flag.name)
		default:
			event[flag.key] = cmd.Flag(flag.name).Value.String()
		}
	}
	for _, pair := range set {
		key, value, found := strings.Cut(pair, "=")
		if !found {
			return nil, app.Usagef("--set %s: write it as KEY=VALUE", pair)
		}
		event[key] = value
	}
	return event, nil
}

// connectEvents returns a client without the API key.
func connectEvents(a *app.App, cfg *config.Config, keys push.EventKeys) (*push.Events, func(), error) {
	base, stop, err := a.ServiceBase(cfg)
	if err != nil {
		return nil, nil, err
	}
	o, err := app.PublicOptions(cfg, base, a.Logger())
	var events *push.Events
	if err == nil {
		events, err = push.NewEvents(o, keys)
	}
	if err != nil {
		stop()
		return nil, nil, err
	}
	return events, func() { events.Close(); stop() }, nil
}

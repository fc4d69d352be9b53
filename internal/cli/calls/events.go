package calls

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/report"
	"sitesync/push"
)

// eventHelp tells what all commands that report events have in common.
const eventHelp = `

One event comes from flags. Many come from FILE, or standard input for -: one JSON object a
line, with the keys that stand in brackets below. All are checked before the first is sent.
An event is sent at most once; what ends the sending says how to go on with --from.
What is personal is left out unless --personal is given.`

// maxEventFaults is how many bad lines are named at once.
const maxEventFaults = 20

// eventRun reports events of one kind.
type eventRun struct {
	app                 *app.App
	kind                string // of wire.Event*
	flags               func(push.EventKeys) []eventFlag
	set                 []string // KEY=VALUE
	keys                push.EventKeys
	from                int // first line
	personal, dry, json bool
	events              iter.Seq[eventLine]
}

// eventLine is one event, or what is wrong with its line.
type eventLine struct {
	number  int // from 1; 0: it came from flags
	event   push.Event
	dropped []string // personal keys that were left out
	err     error
}

func eventCommand(a *app.App, name, kind, short string, eventFlags func(push.EventKeys) []eventFlag) *cobra.Command {
	r := &eventRun{app: a, kind: kind, flags: eventFlags}
	cmd := &cobra.Command{
		Use: name + " [FILE]", Short: short, Long: short + "." + eventHelp, Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := a.Load()
			if err != nil {
				return err
			}
			r.keys = push.EventKeys{Device: cfg.Track.DeviceKey, Source: cfg.Track.SourceKey, Rating: cfg.Track.RatingKey, Language: cfg.Track.LanguageKey}
			event, err := r.given(cmd)
			if err != nil {
				return err
			}
			if r.events, err = r.source(args, event); err != nil {
				return err
			}
			return r.run(cmd.Context(), cfg)
		},
	}
	flags := cmd.Flags()
	for _, flag := range eventFlags(push.EventKeys{Device: "track.device_key", Source: "track.source_key", Rating: "track.rating_key", Language: "track.language_key"}) {
		flags.String(flag.name, "", fmt.Sprintf("%s (%s)", flag.usage, flag.key))
	}
	flags.StringArrayVar(&r.set, "set", nil, "any other key, as `KEY=VALUE`; may be repeated")
	flags.IntVar(&r.from, "from", 1, "begin with this line of FILE")
	flags.BoolVar(&r.personal, "personal", false, "send the visitor's address, user agent and referrer too")
	flags.BoolVar(&r.dry, "dry-run", false, "print what would be sent as JSON Lines, and send nothing")
	flags.BoolVar(&r.json, "json", false, "print one JSON object for each event")
	return cmd
}

// given returns the event that the flags describe.
func (r *eventRun) given(cmd *cobra.Command) (push.Event, error) {
	event := push.Event{}
	for _, flag := range r.flags(r.keys) {
		switch {
		case !cmd.Flags().Changed(flag.name):
		case flag.key == "":
			return nil, app.Usagef("--%s: its key is not documented: ask the service's support for it and give it as track.%s_key, or use --set KEY=VALUE", flag.name, flag.name)
		default:
			event[flag.key] = cmd.Flag(flag.name).Value.String()
		}
	}
	for _, pair := range r.set {
		key, value, found := strings.Cut(pair, "=")
		if !found {
			return nil, app.Usagef("--set %s: write it as KEY=VALUE", pair)
		}
		event[key] = value
	}
	return event, nil
}

// source returns the events of the file that args name, else the one of the flags.
// What is personal is left out of them unless it is asked for.
func (r *eventRun) source(args []string, flags push.Event) (iter.Seq[eventLine], error) {
	keep := func(line eventLine) eventLine {
		if !r.personal {
			line.dropped = line.event.DropPersonal()
		}
		return line
	}
	switch {
	case len(args) == 0 && r.from != 1:
		return nil, app.Usagef("--from is for lines: name a FILE, - for standard input")
	case len(args) == 0:
		return func(yield func(eventLine) bool) { yield(keep(eventLine{event: flags})) }, nil
	case len(flags) > 0 || r.from < 1:
		return nil, app.Usagef("with a FILE the events come from its lines, from 1 on: leave out the flags that describe one")
	}
	raw, err := r.app.Input(args[0])
	return func(yield func(eventLine) bool) {
		number := 0
		for line := range bytes.Lines(bytes.TrimPrefix(raw, []byte("\ufeff"))) {
			number++
			if number < r.from || len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			event, err := push.ParseEvent(line)
			if !yield(keep(eventLine{number: number, event: event, err: err})) {
				return
			}
		}
	}, err
}

// run checks all events, then sends them in order.
func (r *eventRun) run(ctx context.Context, cfg *config.Config) error {
	if err := cfg.Require("track"); err != nil {
		return err
	}
	if err := r.check(); err != nil {
		return err
	}
	if r.dry {
		for line := range r.events {
			event, err := r.keys.Prepare(r.kind, line.event)
			if err != nil {
				return err
			}
			if err := report.Object(r.app.Stdout, event); err != nil {
				return err
			}
		}
		return nil
	}
	if err := cfg.NeedEvents(); err != nil {
		return err
	}
	client, closeClient, err := app.Dial(r.app, cfg, app.PublicOptions, func(o push.Options) (*push.Events, error) { return push.NewEvents(o, r.keys) })
	if err != nil {
		return err
	}
	defer closeClient()
	return r.send(ctx, client)
}

// check errs with the faults of all events, and tells what is left out of them.
func (r *eventRun) check() error {
	var faults []error
	dropped := map[string]bool{}
	for line := range r.events {
		for _, key := range line.dropped {
			dropped[key] = true
		}
		err := line.err
		if err == nil {
			_, err = r.keys.Prepare(r.kind, line.event)
		}
		switch {
		case err == nil:
		case line.number == 0:
			faults = append(faults, fmt.Errorf("%w; --help names the flag of each key", err))
		default:
			faults = append(faults, fmt.Errorf("line %d: %w", line.number, err))
		}
		if len(faults) == maxEventFaults {
			faults = append(faults, errors.New("the lines after it were not looked at"))
			break
		}
	}
	if len(faults) > 0 {
		return app.Usagef("nothing was sent:\n%w", errors.Join(faults...))
	}
	if len(dropped) > 0 {
		r.app.Logger().Warn("personal data is left out; --personal sends it", "keys", strings.Join(slices.Sorted(maps.Keys(dropped)), " "))
	}
	return nil
}

func (r *eventRun) send(ctx context.Context, client *push.Events) error {
	sent, last := 0, eventLine{}
	for last = range r.events {
		receipt, err := client.Send(ctx, r.kind, last.event)
		if err != nil {
			return r.stopped(ctx, last.number, sent, err)
		}
		sent++
		if err := r.show(last.number, receipt); err != nil {
			return err
		}
	}
	if !r.json && (last.number > 0 || sent == 0) {
		r.app.Print("%d sent", sent)
	}
	return nil
}

// eventResult is what --json prints of an event.
type eventResult struct {
	Kind       string `json:"kind"`
	Line       int    `json:"line,omitempty"`
	ID         string `json:"id,omitempty"`
	FeedbackID string `json:"feedbackId,omitempty"`
}

func (r *eventRun) show(line int, receipt push.Receipt) error {
	if r.json {
		return report.Object(r.app.Stdout, eventResult{r.kind, line, receipt.ID, receipt.FeedbackID})
	}
	text := r.kind + " sent"
	if receipt.ID != "" {
		text += ", ID " + receipt.ID
	}
	if receipt.FeedbackID != "" {
		text += ", feedbackId " + receipt.FeedbackID
	}
	if line > 0 {
		text = fmt.Sprintf("line %d: %s", line, text)
	}
	r.app.Print("%s", text)
	return nil
}

// stopped says at which line the sending ended and how to go on.
func (r *eventRun) stopped(ctx context.Context, line, sent int, err error) error {
	if line > 0 {
		next := fmt.Sprintf("--from %d continues with it", line)
		var doubt *push.DoubtError
		var failed *push.Error
		switch {
		case errors.As(err, &doubt):
			next = fmt.Sprintf("--from %d continues after it, --from %d sends it again", line+1, line)
		case errors.As(err, &failed) && (failed.Kind == push.KindInvalid || failed.Kind == push.KindTooLarge):
			next += fmt.Sprintf(" once it is changed, --from %d leaves it out", line+1)
		}
		err = fmt.Errorf("line %d: %w; %d sent before it; %s", line, err, sent, next)
	}
	if ctx.Err() == nil {
		return err
	}
	fmt.Fprintf(r.app.Stderr, "sitesync: interrupted: %s\n", report.CleanLines(err.Error())) // to run it again would not go on
	return app.CodeError(app.ExitInterrupted)
}

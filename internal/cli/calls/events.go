package calls

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
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
	app           *app.App
	kind          string            // of wire.Event*
	set           []string          // KEY=VALUE
	names         map[string]string // of keys, by the flags that give them
	from          int               // first line
	personal, dry bool
}

// eventLine is one event, or what is wrong with its line.
type eventLine struct {
	number int // from 1; 0: it came from flags
	event  push.Event
	err    error
}

func eventCommand(a *app.App, name, kind, short string) *cobra.Command {
	r := &eventRun{app: a, kind: kind}
	cmd := &cobra.Command{Use: name + " [FILE]", Short: short, Long: short + "." + eventHelp}
	cmd.Args = cobra.MaximumNArgs(1)
	cmd.RunE = a.Run(func(ctx context.Context, cfg *config.Config, args []string) error {
		lines, err := r.source(cmd, args)
		if err != nil {
			return err
		}
		return r.run(ctx, cfg, lines)
	})
	flags := cmd.Flags()
	for _, flag := range eventFlags(kind) {
		flags.String(flag.name, "", fmt.Sprintf("%s (%s)", flag.usage, flag.key))
	}
	flags.StringArrayVar(&r.set, "set", nil, "any other key, as `KEY=VALUE`; may be repeated")
	flags.IntVar(&r.from, "from", 1, "begin with this line of FILE")
	flags.BoolVar(&r.personal, "personal", false, "send the visitor's address, user agent and referrer too")
	flags.BoolVar(&r.dry, "dry-run", false, "print what would be sent as JSON Lines, and send nothing")
	app.JSONFlag(cmd, &a.JSON) // one object for each event
	return cmd
}

// source returns the events of the file that args name, else the one that the flags describe.
func (r *eventRun) source(cmd *cobra.Command, args []string) (lines []eventLine, err error) {
	event, names := push.Event{}, map[string]string{}
	for _, flag := range eventFlags(r.kind) {
		names[flag.key] = "--" + flag.name
		if cmd.Flags().Changed(flag.name) {
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
	switch {
	case len(args) == 0 && r.from != 1:
		return nil, app.Usagef("--from is for lines: name a FILE, - for standard input")
	case len(args) == 0:
		r.names = names
		return []eventLine{{event: event}}, nil
	case len(event) > 0 || r.from < 1:
		return nil, app.Usagef("with a FILE the events come from its lines, from 1 on: leave out the flags that describe one")
	}
	raw, err := r.app.Input(args[0])
	number := 0
	for line := range bytes.Lines(bytes.TrimPrefix(raw, []byte("\ufeff"))) {
		number++
		if number >= r.from && len(bytes.TrimSpace(line)) > 0 {
			event, err := push.ParseEvent(line)
			lines = append(lines, eventLine{number, event, err})
		}
	}
	return lines, err
}

// run checks all events, then sends them in order.
func (r *eventRun) run(ctx context.Context, cfg *config.Config, lines []eventLine) error {
	if err := r.check(lines); err != nil {
		return err
	}
	if r.dry {
		for _, line := range lines {
			if err := report.Object(r.app.Stdout, line.event); err != nil {
				return err
			}
		}
		return nil
	}
	if err := cfg.NeedEvents(); err != nil {
		return err
	}
	client, closeClient, err := app.Dial(r.app, cfg, push.NewEvents)
	if err != nil {
		return err
	}
	defer closeClient()
	for sent, line := range lines {
		receipt, err := client.Send(ctx, r.kind, line.event)
		if err != nil {
			return r.stopped(ctx, line.number, sent, err)
		}
		if err := r.app.Show(sentEvent{r.kind, line.number, receipt.ID, receipt.FeedbackID}, sentPage); err != nil {
			return err
		}
	}
	if !r.app.JSON && (len(lines) == 0 || lines[0].number > 0) {
		r.app.Print("%s sent", document.Number(len(lines)))
	}
	return nil
}

// check makes all events what is sent. It errs with the faults of all, and tells what is
// left out of them: what is personal, unless it is asked for.
func (r *eventRun) check(lines []eventLine) error {
	var faults []error
	dropped := map[string]bool{}
	for i := range lines {
		line := &lines[i]
		if !r.personal {
			for _, key := range line.event.DropPersonal() {
				dropped[key] = true
			}
		}
		if line.err == nil {
			line.event, line.err = push.Prepare(r.kind, line.event, r.names)
		}
		switch {
		case line.err == nil:
		case line.number == 0:
			faults = append(faults, line.err)
		default:
			faults = append(faults, fmt.Errorf("line %d: %w", line.number, line.err))
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

type sentEvent struct {
	Kind       string `json:"kind"`
	Line       int    `json:"line,omitempty"`
	ID         string `json:"id,omitempty"`
	FeedbackID string `json:"feedbackId,omitempty"`
}

const sentPage = `{{with .Line}}line {{.}}: {{end}}{{.Kind}} sent{{with .ID}}, ID {{.}}{{end}}{{with .FeedbackID}}, feedbackId {{.}}{{end}}
`

// stopped says at which line the sending ended and how to go on.
func (r *eventRun) stopped(ctx context.Context, line, sent int, err error) error {
	if line > 0 {
		next := fmt.Sprintf("--from %d continues with it", line)
		_, doubt := errors.AsType[*push.DoubtError](err)
		failed, answered := errors.AsType[*push.Error](err)
		switch {
		case doubt:
			next = fmt.Sprintf("--from %d continues after it, --from %d sends it again", line+1, line)
		case answered && (failed.Kind == push.KindInvalid || failed.Kind == push.KindTooLarge):
			next += fmt.Sprintf(" once it is changed, --from %d leaves it out", line+1)
		}
		err = fmt.Errorf("line %d: %w; %d sent before it; %s", line, err, sent, next)
	}
	if ctx.Err() == nil {
		return err
	}
	r.app.Logger().Error("interrupted: " + err.Error()) // to run it again would not go on
	return app.CodeError(app.ExitInterrupted)
}

// eventFlag is a readable name for a key of an event.
type eventFlag struct{ name, key, usage string }

//go:embed events.txt
var eventTable string

// eventFlags are the keys of a kind of events.
func eventFlags(kind string) (flags []eventFlag) {
	for line := range strings.Lines(eventTable) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		if slices.Contains(strings.Fields(cells[0]), kind) {
			flags = append(flags, eventFlag{cells[1], cells[2], cells[3]})
		}
	}
	return flags
}

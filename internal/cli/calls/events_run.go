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

	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/report"
	"sitesync/push"
)

// maxEventFaults is how many bad lines are named at once.
const maxEventFaults = 20

// eventRun reports events of one kind.
type eventRun struct {
	app                   *app.App
	kind                  string
	keys                  push.EventKeys
	from                  int // first line
	personal, dry, asJSON bool
	events                iter.Seq[eventLine]
}

// eventLine is one event, or what is wrong with its line.
type eventLine struct {
	number  int // from 1; 0: it came from flags
	event   push.Event
	dropped []string // personal keys that were left out
	err     error
}

func (l eventLine) wrap(err error) error {
	if l.number == 0 {
		return fmt.Errorf("%w; --help names the flag of each key", err)
	}
	return fmt.Errorf("line %d: %w", l.number, err)
}

// source returns the events of the file that args name, else the one of the flags.
func (r *eventRun) source(args []string, flags push.Event) (iter.Seq[eventLine], error) {
	switch {
	case len(args) == 0 && r.from != 1:
		return nil, app.Usagef("--from is for lines: name a FILE, - for standard input")
	case len(args) == 0:
		return func(yield func(eventLine) bool) { yield(r.left(eventLine{event: flags})) }, nil
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
			if !yield(r.left(eventLine{number: number, event: event, err: err})) {
				return
			}
		}
	}, err
}

// left leaves out what is personal unless it is asked for.
func (r *eventRun) left(line eventLine) eventLine {
	if !r.personal {
		line.dropped = line.event.DropPersonal()
	}
	return line
}

// run checks all events, then sends them in order.
func (r *eventRun) run(ctx context.Context, cfg *config.Config) error {
	err := app.FirstError(cfg.Require("track"), r.check())
	switch {
	case err == nil && r.dry:
		return r.show()
	case err == nil:
		err = cfg.NeedEvents()
	}
	if err != nil {
		return err
	}
	client, closeClient, err := connectEvents(r.app, cfg, r.keys)
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
		_, err := r.keys.Prepare(r.kind, line.event)
		if err = app.FirstError(line.err, err); err != nil {
			faults = append(faults, line.wrap(err))
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

// show prints the events as they would be sent.
func (r *eventRun) show() error {
	for line := range r.events {
		event, err := r.keys.Prepare(r.kind, line.event)
		if err = app.FirstError(err, report.Object(r.app.Stdout, event)); err != nil {
			return err
		}
	}
	return nil
}

func (r *eventRun) send(ctx context.Context, client *push.Events) error {
	sent, last := 0, eventLine{}
	for last = range r.events {
		receipt, err := client.Send(ctx, r.kind, last.event)
		if err != nil {
			return r.stopped(ctx, last, sent, err)
		}
		sent++
		if err := r.tell(last, receipt); err != nil {
			return err
		}
	}
	if !r.asJSON && (last.number > 0 || sent == 0) {
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

func (r *eventRun) tell(line eventLine, receipt push.Receipt) error {
	if r.asJSON {
		return report.Object(r.app.Stdout, eventResult{r.kind, line.number, receipt.ID, receipt.FeedbackID})
	}
	text := r.kind + " sent"
	if receipt.ID != "" {
		text += ", ID " + receipt.ID
	}
	if receipt.FeedbackID != "" {
		text += ", feedbackId " + receipt.FeedbackID
	}
	if line.number > 0 {
		text = fmt.Sprintf("line %d: %s", line.number, text)
	}
	r.app.Print("%s", text)
	return nil
}

// stopped says where the sending ended and how to go on.
func (r *eventRun) stopped(ctx context.Context, line eventLine, sent int, err error) error {
	if n := line.number; n > 0 {
		next := fmt.Sprintf("--from %d goes on with it", n)
		var doubt *push.DoubtError
		var failed *push.Error
		switch {
		case errors.As(err, &doubt):
			next = fmt.Sprintf("--from %d goes on after it, --from %d sends it again", n+1, n)
		case errors.As(err, &failed) && (failed.Kind == push.KindInvalid || failed.Kind == push.KindTooLarge):
			next += fmt.Sprintf(" once it is changed, --from %d leaves it out", n+1)
		}
		err = fmt.Errorf("line %d: %w; %d sent before it; %s", n, err, sent, next)
	}
	if ctx.Err() == nil {
		return err
	}
	fmt.Fprintf(r.app.Stderr, "sitesync: interrupted: %s\n", report.CleanLines(err.Error())) // to run it again would not go on
	return app.CodeError(app.ExitInterrupted)
}

package app

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"sitesync/internal/document"
	"sitesync/internal/report"
)

// Spell returns command as the user must type it. It adds -c and the configuration file, unless that is the
// default file. A worker of a fleet (many machines) adds nothing, because the user has no such file.
func (a *App) Spell(command document.Command) document.Command {
	if command == "" || a.ConfigFile == defaultConfig || a.Watch != nil && a.Watch.Settle != nil {
		return command
	}
	return command + " -c " + document.Command(report.Quote(a.ConfigFile))
}

// Releases returns brakes (limits that held suspicious changes) with release commands as Spell spells them.
func (a *App) Releases(brakes []document.Tripped) []document.Tripped {
	brakes = slices.Clone(brakes)
	for i := range brakes {
		brakes[i].Release = a.Spell(brakes[i].Release)
	}
	return brakes
}

// Logger returns a logger that writes sentences to standard error, or JSON with --log-format json.
func (a *App) Logger() *slog.Logger {
	level := slog.LevelWarn
	switch {
	case a.Verbose:
		level = slog.LevelDebug
	case !a.noProgress && !a.Quiet && Terminal(a.Stderr):
		level = slog.LevelInfo
	}
	if a.logJSON {
		return slog.New(slog.NewJSONHandler(a.Stderr, &slog.HandlerOptions{Level: level}))
	}
	return slog.New(sentences{out: a.Stderr, level: level})
}

// sentences is a slog.Handler. It writes each record as one line: the message, the attributes in brackets, and
// at the end the values of the attributes "error" and "why".
type sentences struct {
	out   io.Writer
	level slog.Level
}

func (h sentences) Enabled(_ context.Context, level slog.Level) bool { return level >= h.level }

func (h sentences) WithAttrs([]slog.Attr) slog.Handler { return h }

func (h sentences) WithGroup(string) slog.Handler { return h }

func (h sentences) Handle(_ context.Context, r slog.Record) error {
	line, why, details := "sitesync: ", "", []string(nil)
	if r.Level == slog.LevelWarn {
		line += "warning: "
	}
	r.Attrs(func(attr slog.Attr) bool {
		switch attr.Key {
		case "why", "error":
			why += ": " + attr.Value.String()
		default:
			details = append(details, attr.Key+" "+attr.Value.String())
		}
		return true
	})
	line += r.Message
	if len(details) > 0 {
		line += " (" + strings.Join(details, ", ") + ")"
	}
	_, err := fmt.Fprintln(h.out, report.CleanLines(line+why))
	return err
}

// holdback keeps output for --quiet, until the exit code is known.
type holdback struct {
	out   io.Writer
	mu    sync.Mutex
	kept  bytes.Buffer
	shown bool
}

func (h *holdback) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.shown {
		return h.out.Write(p)
	}
	return h.kept.Write(p)
}

// Speak writes the output that --quiet has kept. Later output is written at once.
func (a *App) Speak() {
	for _, out := range []io.Writer{a.Stdout, a.Stderr} {
		if h, ok := out.(*holdback); ok {
			h.mu.Lock()
			h.shown = true
			_, _ = h.kept.WriteTo(h.out)
			h.mu.Unlock()
		}
	}
}

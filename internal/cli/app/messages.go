package app

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync"

	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/report"
)

// commands are those of our texts that read the configuration.
var commands = regexp.MustCompile(`\bsitesync (plan show|(docs|tools) [a-z]+|adopt|approve|explain|held|history|init|plan|restore|sync|ui|verify)\b( -c )?`)

// Paste returns one of our texts with its commands as they must be typed: where the run was
// given another configuration, each names it. A worker's is not at hand for its fleet.
func (a *App) Paste(text string) string {
	if a.ConfigFile == defaultConfig || a.Watch != nil {
		return text
	}
	return commands.ReplaceAllStringFunc(text, func(command string) string {
		if strings.HasSuffix(command, " -c ") { // it names one already
			return command
		}
		return command + " -c " + judge.Quote(a.ConfigFile)
	})
}

// PasteAll returns the summary of a run with Paste of what it says of brakes and hosts.
func (a *App) PasteAll(s document.Summary) document.Summary {
	s.Brakes, s.Hosts = slices.Clone(s.Brakes), slices.Clone(s.Hosts)
	for i := range s.Brakes {
		s.Brakes[i].Release = a.Paste(s.Brakes[i].Release)
	}
	for i := range s.Hosts {
		s.Hosts[i].Reason = a.Paste(s.Hosts[i].Reason)
	}
	return s
}

// Logger writes messages to standard error: sentences, or JSON with --log-format json.
func (a *App) Logger() *slog.Logger {
	switch {
	case a.Verbose:
		return a.messages(slog.LevelDebug)
	case a.showsBar():
		return a.messages(slog.LevelInfo)
	}
	return a.messages(slog.LevelWarn)
}

func (a *App) messages(level slog.Level) *slog.Logger {
	if a.logFormat == "json" {
		return slog.New(slog.NewJSONHandler(a.Stderr, &slog.HandlerOptions{Level: level}))
	}
	return slog.New(sentences{out: a.Stderr, level: level, paste: a.Paste})
}

// sentences writes each message as a line for people, with its attributes in brackets and
// the reason at its end.
type sentences struct {
	out   io.Writer
	level slog.Level
	paste func(string) string
}

func (h sentences) Enabled(_ context.Context, level slog.Level) bool { return level >= h.level }

func (h sentences) WithAttrs([]slog.Attr) slog.Handler { return h } // nobody gives all messages some

func (h sentences) WithGroup(string) slog.Handler { return h }

func (h sentences) Handle(_ context.Context, r slog.Record) error {
	line, why, details := "sitesync: ", "", []string(nil)
	if r.Level == slog.LevelWarn {
		line += "warning: "
	}
	r.Attrs(func(attr slog.Attr) bool {
		switch attr.Key {
		case "why", "error", "reason":
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
	_, err := fmt.Fprintln(h.out, report.CleanLines(h.paste(line+why)))
	return err
}

// holdback keeps what --quiet may have to swallow: results and messages are shown
// only once it is known that the exit code is not 0.
type holdback struct {
	out   io.Writer
	mu    sync.Mutex
	kept  bytes.Buffer
	shown bool
}

// Write keeps p, or passes it on after show.
func (h *holdback) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.shown {
		return h.out.Write(p)
	}
	return h.kept.Write(p)
}

// Speak shows what --quiet has held back, and from now on everything.
func (a *App) Speak() {
	for _, out := range []io.Writer{a.Stdout, a.Stderr} {
		if h, ok := out.(*holdback); ok {
			h.mu.Lock()
			h.shown = true
			_, _ = h.kept.WriteTo(h.out) // nobody is left to tell when this fails
			h.mu.Unlock()
		}
	}
}

package app

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/term"

	"sitesync/internal/config"
	"sitesync/internal/report"
	"sitesync/push"
)

// App is what every command shares: streams, global flags, the clock.
type App struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	Tune           func(*push.Options)                        // of a test that can't wait as long as the client does; else nil
	Free           func(dir string) (bytes int64, known bool) // of a disk; nil: what the system says

	ConfigFile string
	Quiet      bool
	Verbose    bool
	LogFormat  string
	NoProgress bool
	Color      string
}

func (a *App) CheckGlobals() error {
	if a.LogFormat != "text" && a.LogFormat != "json" {
		return Usagef("--log-format is %q; it takes text or json", a.LogFormat)
	}
	if a.Color != "auto" && a.Color != "always" && a.Color != "never" {
		return Usagef("--color is %q; it takes auto, always or never", a.Color)
	}
	if a.Quiet {
		a.hush()
	}
	return nil
}

// Logger writes messages to standard error.
func (a *App) Logger() *slog.Logger {
	options := &slog.HandlerOptions{Level: slog.LevelWarn}
	if a.Verbose {
		options.Level = slog.LevelDebug
	}
	if a.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(a.Stderr, options))
	}
	return slog.New(slog.NewTextHandler(a.Stderr, options))
}

// Now returns the start of the run: the clock, or SOURCE_DATE_EPOCH, which makes
// plans reproducible (reproducible-builds.org/specs/source-date-epoch).
func (a *App) Now() time.Time {
	if epoch, err := strconv.ParseInt(a.Getenv("SOURCE_DATE_EPOCH"), 10, 64); err == nil {
		return time.Unix(epoch, 0).UTC()
	}
	return time.Now().UTC()
}

// Load reads the configuration and shows its warnings.
func (a *App) Load() (*config.Config, error) {
	cfg, err := config.Load(a.ConfigFile, a.Getenv)
	if err != nil {
		return nil, Usage(err)
	}
	for _, warning := range cfg.Warnings() {
		a.Logger().Warn(warning)
	}
	cfg.Store.Path = behindLinks(cfg.Store.Path)
	return cfg, nil
}

// Terminal reports whether w is a terminal.
func Terminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// Print writes one line of results.
func (a *App) Print(format string, args ...any) {
	fmt.Fprintln(a.Stdout, strings.TrimRight(report.Clean(fmt.Sprintf(format, args...)), " "))
}

// maxInput bounds what a command reads from a file or standard input.
const maxInput = 64 << 20

// Input reads a file, or standard input for "-".
func (a *App) Input(name string) ([]byte, error) {
	in := a.Stdin
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, Usage(err)
		}
		defer file.Close()
		in = file
	}
	raw, err := io.ReadAll(io.LimitReader(in, maxInput+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	if len(raw) > maxInput {
		return nil, Usagef("read %s: over %d MB", name, maxInput>>20)
	}
	return raw, nil
}

package app

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"sitesync/diffstore"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/own"
	"sitesync/internal/work"
	"sitesync/push"
)

// The exit codes. Scripts and cron jobs depend on them.
const (
	ExitDone        = 0
	ExitFailed      = 1
	ExitUsage       = 2 // a fault in usage, configuration or credentials
	ExitNewFailures = 3
	ExitHeld        = 4
	ExitLocked      = 5
	ExitChanges     = 10 // the plan has changes; only with "plan --detailed-exitcode"
	ExitInterrupted = 130
)

type usageError struct{ error }

// Usage wraps err so that the command ends with ExitUsage.
func Usage(err error) error { return usageError{err} }

// Usagef is Usage with an error of fmt.Errorf.
func Usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// CodeError is an error that only sets the exit code. The command has already shown the reason.
type CodeError int

func (c CodeError) Error() string { return "" }

// ExitCode returns the exit code for the error of a command.
func ExitCode(ctx context.Context, err error) int {
	switch code, coded := errors.AsType[CodeError](err); {
	case coded:
		return int(code)
	case err == nil:
		return ExitDone
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return ExitInterrupted
	case is[usageError](err), is[*config.Faults](err), is[*own.ForeignError](err), IsCredentials(err):
		return ExitUsage
	case is[*work.LockedError](err), errors.Is(err, diffstore.ErrLocked):
		return ExitLocked
	}
	return ExitFailed
}

func is[E error](err error) bool {
	_, found := errors.AsType[E](err)
	return found
}

// IsCredentials reports whether the service refused the API key, or the key belongs to another customer.
func IsCredentials(err error) bool {
	e, found := errors.AsType[*push.Error](err)
	return found && (e.Kind == push.KindUnauthorised || e.Kind == push.KindMismatch)
}

// OneLine returns the text of an error with "; " in place of line breaks.
func OneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

// Shorten returns s on one line, cut to at most 160 bytes.
func Shorten(s string) string { return document.Cut(strings.Join(strings.Fields(s), " "), 160) }

// Day returns the day of a time in Unix seconds, as YYYY-MM-DD in UTC.
func Day(unix int64) string { return time.Unix(unix, 0).UTC().Format(time.DateOnly) }

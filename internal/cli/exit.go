package cli

import (
	"context"
	"errors"

	"sitesync/diffstore"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/work"
	"sitesync/push"
)

// The exit codes: an interface that scripts and cron jobs depend on.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2 // usage, configuration or credentials
	exitNewFailures = 3
	exitHeld        = 4
	exitLocked      = 5
	exitChanges     = 10 // plan --detailed-exitcode only
	exitInterrupted = 130
)

// maxFailedShare is the share of unread pages above which a run does not count as
// done, new failures or not.
const maxFailedShare = 0.01

// usageError is an error of the command line itself.
type usageError struct{ error }

// codeError carries an exit code without a message of its own: the result says
// why already.
type codeError int

func (c codeError) Error() string { return "" }

// exitCode returns the exit code for the error of a command.
func exitCode(ctx context.Context, err error) int {
	var code codeError
	var locked *work.LockedError
	var usage usageError
	var faults *config.Faults
	switch {
	case errors.As(err, &code):
		return int(code)
	case err == nil:
		return exitDone
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &usage), errors.As(err, &faults), isCredentials(err):
		return exitUsage
	case errors.As(err, &locked), errors.Is(err, diffstore.ErrLocked):
		return exitLocked
	}
	return exitFailed
}

func isCredentials(err error) bool {
	var e *push.Error
	return errors.As(err, &e) && (e.Kind == push.KindUnauthorised || e.Kind == push.KindMismatch)
}

// runCode returns the exit code of a run that went to its end.
func runCode(s document.Summary) int {
	switch {
	case s.Counts.Held > 0:
		return exitHeld
	case s.New > 0, hostsBad(s.Hosts), float64(s.Counts.Failed) > maxFailedShare*float64(s.Counts.Discovered):
		return exitNewFailures
	}
	return exitDone
}

func hostsBad(hosts []document.Host) bool {
	for _, h := range hosts {
		if h.State != document.HostOK {
			return true
		}
	}
	return false
}

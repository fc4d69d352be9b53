package app

import (
	"context"
	"errors"
	"fmt"

	"sitesync/diffstore"
	"sitesync/internal/config"
	"sitesync/internal/work"
	"sitesync/push"
)

// The exit codes: an interface that scripts and cron jobs depend on.
const (
	ExitDone        = 0
	ExitFailed      = 1
	ExitUsage       = 2 // usage, configuration or credentials
	ExitNewFailures = 3
	ExitHeld        = 4
	exitLocked      = 5
	ExitChanges     = 10 // plan --detailed-exitcode only
	ExitInterrupted = 130
)

// usageError is an error of the command line itself.
type usageError struct{ error }

// Usage returns err as one of the command line itself.
func Usage(err error) error { return usageError{err} }

// Usagef is Usage of a text, formatted as by fmt.Errorf.
func Usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// CodeError carries an exit code without a message of its own: the result says
// why already.
type CodeError int

func (c CodeError) Error() string { return "" }

// ExitCode returns the exit code for the error of a command.
func ExitCode(ctx context.Context, err error) int {
	var code CodeError
	var locked *work.LockedError
	var usage usageError
	var faults *config.Faults
	switch {
	case errors.As(err, &code):
		return int(code)
	case err == nil:
		return ExitDone
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return ExitInterrupted
	case errors.As(err, &usage), errors.As(err, &faults), IsCredentials(err):
		return ExitUsage
	case errors.As(err, &locked), errors.Is(err, diffstore.ErrLocked):
		return exitLocked
	}
	return ExitFailed
}

func IsCredentials(err error) bool {
	var e *push.Error
	return errors.As(err, &e) && (e.Kind == push.KindUnauthorised || e.Kind == push.KindMismatch)
}

func FirstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

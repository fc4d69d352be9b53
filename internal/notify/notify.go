package notify

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"sitesync/internal/document"
)

// Message is what there is to tell of a run. Its JSON form goes to hook and command.
type Message struct {
	Text     string             `json:"text"` // the sentence and the problems: what chat programs show
	Site     string             `json:"site"`
	Run      string             `json:"run,omitempty"` // empty: it ended before it had an ID
	Start    time.Time          `json:"start"`
	Duration int64              `json:"duration_ms"`
	Result   Result             `json:"result"`
	Exit     int                `json:"exit"`
	Sentence string             `json:"sentence"`
	Problems []string           `json:"problems"`
	Counts   document.Counts    `json:"counts"`
	Held     []document.Tripped `json:"held"` // what brakes hold, with the command that releases it
	Report   string             `json:"-"`    // the whole text, for mail
}

// Result is how a run ended, as far as it decides who is told.
type Result string

// The results of a run.
const (
	Fine     Result = "fine"     // nothing changed
	Changes  Result = "changes"  // the index changed
	Problems Result = "problems" // the exit code is not 0
	Test     Result = "test"     // there was no run
)

// Timeout is how long one way may take.
const Timeout = 30 * time.Second

// Mail is a server that takes mail, and whose it is.
type Mail struct {
	Host           string
	Port           int
	TLS            string // "starttls", "tls" or "none"
	User, Password string
	From           string
	To             []string // empty: no mail
	Roots          *x509.CertPool
}

// Notifier tells of runs. The zero value tells nobody.
type Notifier struct {
	Mail       Mail
	Hook       string // address; empty: none
	HookSecret string // signs what is sent there; empty: unsigned
	Command    []string
	Env        []string // of the command: all that it gets
	Ping       string   // address; empty: none
	Transport  http.RoundTripper
	Pause      time.Duration // before hook and ping are tried once more
	UserAgent  string
}

// Send tells all that are configured but the ping. It returns the errors of those that
// could not be told, each with the key of the configuration in front.
func (n *Notifier) Send(ctx context.Context, m *Message) error {
	body, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("encode the message: %w", err)
	}
	var errs []error
	for _, way := range []struct {
		key  string
		set  bool
		send func(context.Context) error
	}{
		{"notify.mail", len(n.Mail.To) > 0, func(ctx context.Context) error { return n.Mail.send(ctx, m) }},
		{"notify.hook", n.Hook != "", func(ctx context.Context) error { return n.hook(ctx, body) }},
		{"notify.command", len(n.Command) > 0, func(ctx context.Context) error { return n.run(ctx, body) }},
	} {
		if !way.set {
			continue
		}
		limited, cancel := context.WithTimeout(ctx, Timeout)
		if err := way.send(limited); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", way.key, err))
		}
		cancel()
	}
	return errors.Join(errs...)
}

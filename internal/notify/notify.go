package notify

import (
	"bytes"
	"context"
	"crypto/x509"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"text/template"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/own"
	"sitesync/internal/spool"
)

// Message describes a run. Hook and command get it as JSON.
type Message struct {
	Text     string             `json:"text"` // the sentence and the problems: what chat programs show
	Site     string             `json:"site"`
	Run      string             `json:"run,omitempty"` // empty: the run ended before it had an ID
	Start    time.Time          `json:"start"`
	Duration int64              `json:"duration_ms"`
	Result   Result             `json:"result"`
	Exit     int                `json:"exit"`
	Sentence string             `json:"sentence"`
	Problems []string           `json:"problems"`
	Counts   document.Counts    `json:"counts"`
	Held     []document.Tripped `json:"held"` // what brakes hold, with the command that releases it
	Report   string             `json:"-"`    // complete report, for mail
	HTML     string             `json:"-"`    // the report as an HTML page; empty: send text only
}

// Result is how a run ended. It decides who gets a message.
type Result string

// The results of a run.
const (
	Fine     Result = "fine"     // nothing changed
	Changes  Result = "changes"  // the index changed
	Problems Result = "problems" // the exit code is not 0
)

// Timeout is how long one way may take.
const Timeout = 30 * time.Second

// Mail is a mail server, with sender and recipients.
type Mail struct {
	Host           string
	Port           int
	TLS            string // "starttls", "tls" or "none"
	User, Password string
	From           string
	To             []string // empty: no mail
	Roots          *x509.CertPool
}

// Notifier sends messages about runs. The zero value sends none.
type Notifier struct {
	Mail       Mail
	Hook       string // address; empty: none
	HookSecret string // key of the signature of the hook's body; empty: unsigned
	Command    []string
	Env        []string // complete environment of the command
	Ping       string   // address; empty: none
	Transport  http.RoundTripper
	Pause      time.Duration // wait before the second try of hook and ping
	UserAgent  string
}

// Sent is the outcome of one way.
type Sent struct {
	Key string // key in the configuration
	Err error
}

// Send sends the message by each way that is configured, except the ping.
func (n *Notifier) Send(ctx context.Context, m *Message) (all []Sent) {
	body, err := json.Marshal(m)
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
		if err == nil {
			err = way.send(limited)
		}
		cancel()
		all, err = append(all, Sent{way.key, err}), nil
	}
	return all
}

// Figures are the figures of the last run.
type Figures struct {
	Site      string
	End       time.Time
	Duration  time.Duration
	Exit      int
	Documents int  // documents in the index; negative: unknown
	Counted   bool // the run had a plan: Summary says what it did
	Summary   document.Summary
}

//go:embed metrics.prom
var metrics string

// WriteMetrics writes the figures into a file in one step, in the text format of Prometheus (version
// 0.0.4). Others may read the file: it is for the textfile collector of the node exporter, which runs as
// another user. The names are a contract, and docs/notify.md lists them. WriteMetrics errs if the file
// holds anything else.
func WriteMetrics(path string, f Figures) error {
	ours := func(head []byte) bool { return bytes.HasPrefix(head, []byte("# HELP sitesync_")) }
	if err := own.Replaceable(path, ours); err != nil {
		return err
	}
	label := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
	page := template.Must(template.New("metrics").Funcs(template.FuncMap{"label": func(v any) string { return label.Replace(fmt.Sprint(v)) }}).Parse(metrics))
	return spool.WriteFile(path, 0o644, func(out io.Writer) error { return page.Execute(out, &f) })
}

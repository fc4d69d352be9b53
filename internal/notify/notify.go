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

// Message describes a finished run. The hook and the command get it as JSON.
type Message struct {
	Text     string             `json:"text"` // Sentence and Problems in one text, for chat programs
	Site     string             `json:"site"`
	Run      string             `json:"run,omitempty"` // ID of the run; empty: the run got no ID
	Start    time.Time          `json:"start"`
	Duration int64              `json:"duration_ms"`
	Result   Result             `json:"result"`
	Exit     int                `json:"exit"`
	Sentence string             `json:"sentence"`
	Problems []string           `json:"problems"`
	Counts   document.Counts    `json:"counts"`
	Held     []document.Tripped `json:"held"` // brakes (limits on suspicious changes) that hold changes back
	Report   string             `json:"-"`    // complete report, for mail
	HTML     string             `json:"-"`    // the report as an HTML page; empty: send text only
}

// Result says how a run ended. Callers may choose the recipients of a message by its result.
type Result string

const (
	Fine     Result = "fine"     // the index did not change
	Changes  Result = "changes"  // the index changed
	Problems Result = "problems" // the exit code is not 0
)

// Timeout limits the time for sending a message in one way, such as by mail.
const Timeout = 30 * time.Second

// Mail holds the mail server, the sender and the recipients of messages.
type Mail struct {
	Host           string
	Port           int
	TLS            string // "starttls", "tls" or "none"
	User, Password string
	From           string
	To             []string       // empty: no mail
	Roots          *x509.CertPool // certificate authorities for the server; nil: those of this machine
}

// Notifier sends messages about runs. The zero value sends none.
type Notifier struct {
	Mail       Mail
	Hook       string            // URL; empty: none
	HookSecret string            // key that signs the body of the hook; empty: unsigned
	Command    []string          // program and arguments; empty: none
	Env        []string          // complete environment of the command
	Ping       string            // URL; empty: none
	Transport  http.RoundTripper // for hook and ping; nil: http.DefaultTransport
	Pause      time.Duration     // pause before the second try of hook and ping
	UserAgent  string
}

// Sent is the outcome of sending a message in one way, such as by mail.
type Sent struct {
	Key string // key in the configuration, such as "notify.mail"
	Err error
}

// Send sends the message by mail, hook and command, if they are configured.
func (n *Notifier) Send(ctx context.Context, m *Message) (all []Sent) {
	body, _ := json.Marshal(m) // JSON can express every value of a Message
	send := func(key string, way func(context.Context) error) {
		limited, cancel := context.WithTimeout(ctx, Timeout)
		defer cancel()
		all = append(all, Sent{key, way(limited)})
	}
	if len(n.Mail.To) > 0 {
		send("notify.mail", func(ctx context.Context) error { return n.Mail.send(ctx, m) })
	}
	if n.Hook != "" {
		send("notify.hook", func(ctx context.Context) error { return n.hook(ctx, body) })
	}
	if len(n.Command) > 0 {
		send("notify.command", func(ctx context.Context) error { return n.runCommand(ctx, body) })
	}
	return all
}

// Figures are the facts about the last run that WriteMetrics writes.
type Figures struct {
	Site      string
	End       time.Time
	Duration  time.Duration
	Exit      int
	Documents int  // documents in the index; negative: unknown
	Counted   bool // Summary has counts; false if the run ended before its changes were known
	Summary   document.Summary
}

//go:embed metrics.prom
var metrics string

// WriteMetrics writes the figures to the file at path, in the text format of Prometheus (version 0.0.4). It
// replaces an earlier file of figures in one step, and errs if path holds any other file. All users may read
// the file, because the program that collects it for Prometheus runs as another user. The names of the
// metrics must not change; docs/notify.md lists them.
func WriteMetrics(path string, f Figures) error {
	ours := func(head []byte) bool { return bytes.HasPrefix(head, []byte("# HELP sitesync_")) }
	if err := own.Replaceable(path, ours); err != nil {
		return err
	}
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
	label := func(v any) string { return escape.Replace(fmt.Sprint(v)) }
	page := template.Must(template.New("metrics").Funcs(template.FuncMap{"label": label}).Parse(metrics))
	return spool.WriteFile(path, 0o644, func(out io.Writer) error { return page.Execute(out, &f) })
}

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
	"net/url"
	"strings"
	"text/template"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/own"
	"sitesync/internal/spool"
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
	HTML     string             `json:"-"`    // the same as a page; empty: text alone
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

// Sent is how telling by one way went.
type Sent struct {
	Key string // of the configuration
	To  string // whom; of an address that may hold a token, the host
	Err error
}

// Send tells all that are configured but the ping.
func (n *Notifier) Send(ctx context.Context, m *Message) (all []Sent) {
	body, err := json.Marshal(m)
	host := ""
	if hook, err := url.Parse(n.Hook); err == nil {
		host = hook.Host
	}
	for _, way := range []struct {
		key, to string
		set     bool
		send    func(context.Context) error
	}{
		{"notify.mail", strings.Join(n.Mail.To, ", "), len(n.Mail.To) > 0, func(ctx context.Context) error { return n.Mail.send(ctx, m) }},
		{"notify.hook", host, n.Hook != "", func(ctx context.Context) error { return n.hook(ctx, body) }},
		{"notify.command", strings.Join(n.Command[:min(1, len(n.Command))], ""), len(n.Command) > 0, func(ctx context.Context) error { return n.run(ctx, body) }},
	} {
		if !way.set {
			continue
		}
		limited, cancel := context.WithTimeout(ctx, Timeout)
		if err == nil {
			err = way.send(limited)
		}
		cancel()
		all, err = append(all, Sent{way.key, way.to, err}), nil
	}
	return all
}

// Figures are those of the run that ended last.
type Figures struct {
	Site      string
	End       time.Time
	Duration  time.Duration
	Exit      int
	Documents int  // that the index holds; negative: not known
	Counted   bool // the run had a plan: Summary says what it did
	Summary   document.Summary
}

//go:embed metrics.prom
var metrics string

// WriteMetrics writes the figures into a file at once, in the text format of Prometheus
// (version 0.0.4), for the textfile collector of its node exporter, which is another user:
// others may read it. The names are a contract, and docs/notify.md lists them. It errs where
// the file holds anything else.
func WriteMetrics(path string, f Figures) error {
	ours := func(head []byte) bool { return bytes.HasPrefix(head, []byte("# HELP sitesync_")) }
	if err := own.Replaceable(path, ours); err != nil {
		return err
	}
	label := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
	page := template.Must(template.New("metrics").Funcs(template.FuncMap{"label": func(v any) string { return label.Replace(fmt.Sprint(v)) }}).Parse(metrics))
	return spool.WriteFile(path, 0o644, func(out io.Writer) error { return page.Execute(out, &f) })
}

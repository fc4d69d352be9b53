package record

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	"sitesync/internal/document"
	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/lease"
)

// Run is the stored record of one run of a site.
type Run struct {
	lease.Result
	Site   string             `json:"site"`
	New    int                `json:"new_failures"`
	Hosts  []document.Host    `json:"hosts"`
	Brakes []document.Tripped `json:"brakes"`
	Report string             `json:"report"` // standard output of the command "sitesync sync"
	Log    string             `json:"log"`    // standard error of the command "sitesync sync"
}

// Put stores the record of a run as the newest of its site. It shortens texts and lists to fit a message.
func Put(ctx context.Context, b *bus.Bus, r Run) error {
	hosts, brakes, report, log, stopped := r.Hosts, r.Brakes, r.Report, r.Log, r.Stopped
	raw := []byte(nil)
	for most := bus.MaxRun; most > 0 && (raw == nil || len(raw) > bus.MaxRun); most /= 2 {
		items := most >> 10 // one element of Hosts or Brakes takes about 1 KiB
		r.Hosts, r.Brakes = hosts[:min(len(hosts), items)], brakes[:min(len(brakes), items)]
		r.Report, r.Log, r.Stopped = Cut(report, most/2), Cut(log, most/2), Cut(stopped, most/8)
		var err error
		raw, err = json.Marshal(r)
		if err != nil {
			return fmt.Errorf("write the record of a run of %s: %w", r.Site, err)
		}
	}
	id := fmt.Sprintf("%s %s %d", r.Site, r.Run, r.Start.UnixNano())
	if _, err := b.JS.Publish(ctx, bus.Run(r.Site), raw, jetstream.WithMsgID(id)); err != nil {
		return fmt.Errorf("store the record of a run of %s: %w", r.Site, err)
	}
	return nil
}

// Cut shortens text to at most the given bytes. It replaces lines in the middle by one line, which says how
// many bytes are missing. That line comes on top of the limit.
func Cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	head, tail := text[:most/2], text[len(text)-most/2:]
	if end := strings.LastIndexByte(head, '\n'); end >= 0 {
		head = head[:end+1]
	}
	if _, lines, cut := strings.Cut(tail, "\n"); cut {
		tail = lines
	}
	left := document.Count(len(text)-len(head)-len(tail), "byte")
	return strings.ToValidUTF8(head, "") + fmt.Sprintf("… %s left out …\n", left) + strings.ToValidUTF8(tail, "")
}

// Read returns the last runs of a site, the newest first. It leaves out damaged records.
func Read(ctx context.Context, b *bus.Bus, site string) (runs []Run, err error) {
	for seq := uint64(1); ; seq++ {
		msg, err := b.Runs.GetMsg(ctx, seq, jetstream.WithGetMsgSubject(bus.Run(site)))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			slices.Reverse(runs)
			return runs, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read the runs of %s: %w", site, err)
		}
		seq = msg.Sequence
		var r Run
		if json.Unmarshal(msg.Data, &r) == nil {
			runs = append(runs, r)
		}
	}
}

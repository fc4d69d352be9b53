package bus

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Bus is an open connection to a fleet.
type Bus struct {
	Conn *nats.Conn
	JS   jetstream.JetStream

	Sites, States      jetstream.KeyValue
	SiteLog, StateLog  jetstream.Stream
	Queue, Files, Runs jetstream.Stream

	Seal Seal          // signs and checks the entries of Sites
	Skew time.Duration // how far the server's clock is ahead of this machine's
}

// Bounds of what a message may hold, in bytes.
const (
	MaxSite  = 256 << 10 // the same limit as in internal/config
	maxState = 64 << 10
	MaxRun   = 512 << 10 // the record of a run, including its text
	MaxPart  = 768 << 10 // a part of a file, or the list of the parts of a file of 4 GiB
)

// How much of the past of each site is kept.
const (
	keepChanges = 32
	keepRuns    = 30
)

// AckWait is how long a worker may be silent about a site before the queue offers the site to another.
// Workers report four times as often that they are at work.
const AckWait = 10 * time.Second

// streams returns the streams of a fleet, those of its buckets first. A replica may lag, so only for
// Files, where nothing is ever changed, may any replica answer. A full server refuses new messages; it
// drops none.
func streams() []jetstream.StreamConfig {
	sites := bucket(Sites, "sitesync: sites of the fleet", keepChanges, MaxSite+4<<10)
	sites.Compression = jetstream.S2Compression
	return []jetstream.StreamConfig{
		sites, bucket(States, "sitesync: state of each site", 1, maxState),
		{
			Name: Queue, Description: "sitesync: sites that are due", Subjects: []string{join("due", "*", "*"), join("at", "*")},
			Retention: jetstream.WorkQueuePolicy, MaxMsgsPerSubject: 1, MaxMsgSize: 4 << 10, AllowMsgSchedules: true,
		},
		{
			Name: Files, Description: "sitesync: ledgers and plans", Subjects: []string{join("file", ">")}, Discard: jetstream.DiscardNew,
			MaxMsgsPerSubject: 1, MaxMsgSize: MaxPart + 4<<10, AllowDirect: true,
		},
		{
			Name: Runs, Description: "sitesync: the last runs of each site", Subjects: []string{join("run", "*")}, Compression: jetstream.S2Compression,
			MaxMsgsPerSubject: keepRuns, MaxMsgSize: MaxRun + 4<<10,
		},
	}
}

// bucket returns the stream of a bucket as the client library makes it, without AllowDirect.
func bucket(name, description string, history int64, size int32) jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name: "KV_" + name, Description: description, Subjects: []string{"$KV." + name + ".>"}, Discard: jetstream.DiscardNew,
		MaxMsgsPerSubject: history, MaxMsgSize: size, AllowRollup: true, DenyDelete: true,
	}
}

// Setup makes the buckets and streams that are missing, with three replicas in a cluster. What is
// there stays as it is, so two operators may do it at once. It errs where a server has no JetStream,
// or is too old for schedules.
func Setup(ctx context.Context, conn *nats.Conn) error {
	js, err := ready(ctx, conn)
	if err != nil {
		return err
	}
	for _, config := range streams() {
		if conn.ConnectedClusterName() != "" {
			config.Replicas = 3
		}
		if _, err := js.CreateStream(ctx, config); err != nil && !errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
			return explain(conn, err, "make the stream "+config.Name)
		}
	}
	for _, p := range Priorities() {
		_, err := js.CreateConsumer(ctx, Queue, jetstream.ConsumerConfig{
			Durable: string(p), FilterSubject: Due(p, "*"), AckPolicy: jetstream.AckExplicitPolicy, AckWait: AckWait, MaxDeliver: -1, MaxAckPending: 10_000,
		})
		if err != nil && !errors.Is(err, jetstream.ErrConsumerExists) {
			return explain(conn, err, fmt.Sprintf("make the consumer %s of %s", p, Queue))
		}
	}
	sites, err := js.KeyValue(ctx, Sites)
	if err != nil {
		return err
	}
	if _, err := sites.Create(ctx, FormatKey, []byte(Format)); err != nil && !errors.Is(err, jetstream.ErrKeyExists) {
		return explain(conn, err, "mark the bucket "+Sites)
	}
	return nil
}

// ErrNoFleet says that a server has no fleet yet.
var ErrNoFleet = errors.New("there is no fleet on this server; sitesync fleet add FILE begins one")

// Open finds the buckets and streams of a fleet. It errs with ErrNoFleet before Setup has made all of
// them. It also errs if they are of another version, or not as Setup makes them.
func Open(ctx context.Context, conn *nats.Conn) (b *Bus, err error) {
	b = &Bus{Conn: conn}
	b.JS, err = ready(ctx, conn)
	if err != nil {
		return nil, err
	}
	b.Sites, err = b.JS.KeyValue(ctx, Sites)
	var format jetstream.KeyValueEntry
	if err == nil {
		format, err = b.Sites.Get(ctx, FormatKey) // Setup writes FormatKey last
	}
	switch {
	case errors.Is(err, jetstream.ErrBucketNotFound), errors.Is(err, jetstream.ErrKeyNotFound):
		return nil, ErrNoFleet
	case err != nil:
		return nil, explain(conn, err, "read the version of the fleet")
	case string(format.Value()) != Format:
		return nil, fmt.Errorf("the fleet is of format %.20q, and this sitesync knows %s alone: use the sitesync that wrote it, or a newer one", format.Value(), Format)
	}
	for i, into := range []*jetstream.Stream{&b.SiteLog, &b.StateLog, &b.Queue, &b.Files, &b.Runs} {
		config := streams()[i]
		*into, err = b.stream(ctx, config)
		if err != nil {
			return nil, explain(conn, err, "open the stream "+config.Name)
		}
	}
	b.States, err = b.JS.KeyValue(ctx, States)
	if err != nil {
		return nil, explain(conn, err, "open the bucket "+States)
	}
	return b, nil
}

// stream finds a stream, and errs where it differs from want in what the fleet relies on.
func (b *Bus) stream(ctx context.Context, want jetstream.StreamConfig) (jetstream.Stream, error) {
	began := time.Now()
	s, err := b.JS.Stream(ctx, want.Name)
	if err != nil {
		return nil, err
	}
	info := s.CachedInfo()
	b.Skew = info.TimeStamp.Sub(began.Add(time.Since(began) / 2))
	is := info.Config
	for what, differs := range map[string]bool{
		"its subjects":  !slices.Equal(is.Subjects, want.Subjects),
		"its retention": is.Retention != want.Retention,
		"how many messages it keeps of a subject":                    is.MaxMsgsPerSubject != want.MaxMsgsPerSubject,
		"what it drops when it is full":                              is.Discard != want.Discard,
		"how long it keeps messages":                                 is.MaxAge != 0,
		"that it has no message schedules":                           want.AllowMsgSchedules && !is.AllowMsgSchedules,
		"that replicas answer in place of its leader (allow_direct)": is.AllowDirect && !want.AllowDirect,
		"that it copies messages from elsewhere":                     is.Mirror != nil || len(is.Sources) > 0,
	} {
		if differs {
			return nil, fmt.Errorf("it is not as sitesync makes it: %s; mend it with the nats command, or use another account", what)
		}
	}
	return s, nil
}

// Entries calls each with the entries of sites in a bucket, given its log. It passes an entry that is
// changed meanwhile more than once. A replica that lags may answer, so Entries returns only after it
// has seen the newest entry that the leader had at the call.
func Entries(ctx context.Context, kv jetstream.KeyValue, log jetstream.Stream, each func(jetstream.KeyValueEntry)) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	newest, err := log.GetLastMsgForSubject(ctx, "$KV."+kv.Bucket()+".*")
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		newest, err = &jetstream.RawStreamMsg{}, nil
	}
	if err != nil {
		return err
	}
	w, err := kv.Watch(ctx, "*")
	if err != nil {
		return err
	}
	defer func() { _ = w.Stop() }()
	for seen, told := uint64(0), false; !told || seen < newest.Sequence; {
		select {
		case e, open := <-w.Updates():
			if !open {
				return errors.New("the connection to the fleet was closed")
			}
			if e == nil { // nil marks the end of the entries of this replica
				told = true
				continue
			}
			each(e)
			seen = e.Revision()
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// MaxSkew is how far the server's clock may be off before schedules suffer. Leases do not depend on it.
const MaxSkew = time.Minute

// The buckets. Each has one entry for each site. Sites also has FormatKey, and States has an entry
// for each Place.
const (
	Sites  = "sitesync-sites"  // configurations, with history
	States = "sitesync-states" // leases, ledgers and last results
)

// Place is the key in States of place i at a host or in a quota. name is the base64 text of that.
func Place(name string, i int) string { return fmt.Sprintf("place.%s.%d", name, i) }

// The streams.
const (
	Queue = "sitesync-queue" // sites that are due, and when others will be
	Files = "sitesync-files" // ledgers and plans
	Runs  = "sitesync-runs"  // the last runs of each site
)

// FormatKey is the entry of Sites that holds Format; no site has such a name.
const (
	FormatKey = "_format"
	Format    = "3"
)

// Priority is the order in which due sites are taken.
type Priority string

// The priorities. Each has a consumer of its own.
const (
	High   Priority = "high"
	Normal Priority = "normal"
	Low    Priority = "low"
)

// Priorities returns all priorities; sites of the first are taken first.
func Priorities() []Priority { return []Priority{High, Normal, Low} }

// maxName bounds the name of a site, in bytes.
const maxName = 64

var nameRule = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*$`)

// CheckName errs unless name may be the name of a site: letters a to z, digits and hyphens.
// So it is safe in a subject, a key and a file's name.
func CheckName(name string) error {
	if len(name) > maxName || !nameRule.MatchString(name) {
		return fmt.Errorf("%.80q can't be the name of a site: use letters a to z, digits and hyphens, %d at most", name, maxName)
	}
	return nil
}

// The subjects. A site has one message at most under each of Due and At.

// Due is the subject of the message that a site is due.
func Due(p Priority, site string) string { return join("due", string(p), site) }

// At is the subject of the message that the server will put under Due when its time comes.
func At(site string) string { return join("at", site) }

// File is the subject of a part of a file that a site stored under the lease with a number. kind is
// "ledger" or "plan".
func File(kind, site string, number uint64, part string) string {
	return join("file", kind, site, fmt.Sprint(number), part)
}

// FilesOf is the subject of all files of a site.
func FilesOf(site string) string { return join("file", "*", site, ">") }

// Run is the subject of the records of a site's runs.
func Run(site string) string { return join("run", site) }

// Cancel is the subject of a request to the worker that runs a site: to stop the run.
func Cancel(site string) string { return join("cancel", site) }

// Left is the subject of the message that a place at a host or in a quota is free. No stream keeps it.
func Left(name string) string { return join("left", name) }

func join(parts ...string) string { return "sitesync." + strings.Join(parts, ".") }

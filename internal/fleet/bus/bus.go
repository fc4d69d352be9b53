package bus

import (
	"cmp"
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

// Bus is a connection to the NATS server of a fleet (sites that workers on several machines crawl).
type Bus struct {
	Conn *nats.Conn
	JS   jetstream.JetStream

	Sites, States      jetstream.KeyValue
	SiteLog, StateLog  jetstream.Stream
	Queue, Files, Runs jetstream.Stream

	Seal Seal          // signs and checks the entries of the bucket Sites
	Skew time.Duration // how far the server's clock is ahead of this machine's
}

// The largest sizes of messages, in bytes.
const (
	MaxSite  = 256 << 10 // configuration of a site; internal/config has the same limit
	maxState = 64 << 10
	MaxRun   = 512 << 10 // record of a run (crawl of a site), with its report and log
	MaxPart  = 768 << 10 // part of a stored file, or the list of all parts of a file of at most 4 GiB
)

// AckWait is how long a worker may be silent about a message of the queue. After that, the queue offers the
// message to another worker. A worker that runs a site confirms the message four times in AckWait.
const AckWait = 10 * time.Second

// streams returns the settings of the streams. The two buckets (key-value stores) come first. Only Files lets
// replicas answer (AllowDirect): a replica may lag behind the leader, but messages of Files never change.
func streams() []jetstream.StreamConfig {
	sites := bucket(Sites, "sitesync: sites of the fleet", 32, MaxSite+4<<10)
	sites.Compression = jetstream.S2Compression
	return []jetstream.StreamConfig{
		sites, bucket(States, "sitesync: state of each site", 1, maxState),
		{
			Name: Queue, Description: "sitesync: sites that are due",
			Subjects: []string{join("due", "*", "*"), join("at", "*")}, MaxMsgsPerSubject: 1, MaxMsgSize: 4 << 10,
			Retention: jetstream.WorkQueuePolicy, AllowMsgSchedules: true,
		},
		{
			Name: Files, Description: "sitesync: ledgers and plans",
			Subjects: []string{join("file", ">")}, MaxMsgsPerSubject: 1, MaxMsgSize: MaxPart + 4<<10,
			Discard: jetstream.DiscardNew, AllowDirect: true,
		},
		{
			Name: Runs, Description: "sitesync: the last runs of each site",
			Subjects: []string{join("run", "*")}, MaxMsgsPerSubject: 30, MaxMsgSize: MaxRun + 4<<10,
			Compression: jetstream.S2Compression,
		},
	}
}

// bucket returns the settings that the NATS client gives to the stream of a bucket, but without AllowDirect.
func bucket(name, description string, history int64, size int32) jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name: "KV_" + name, Description: description,
		Subjects: []string{"$KV." + name + ".>"}, MaxMsgsPerSubject: history, MaxMsgSize: size,
		Discard: jetstream.DiscardNew, AllowRollup: true, DenyDelete: true,
	}
}

// Setup makes the buckets and streams of a fleet that are missing. In a cluster, each gets three replicas.
// Setup never changes an existing bucket or stream, so two operators may call it at once. It errs if the
// server has no JetStream, or is too old for message schedules.
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
			Durable: string(p), FilterSubject: Due(p, "*"), AckPolicy: jetstream.AckExplicitPolicy,
			AckWait: AckWait, MaxDeliver: -1, MaxAckPending: 10_000,
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

// ErrNoFleet means that buckets or streams of the fleet are missing, because Setup has not succeeded yet.
var ErrNoFleet = errors.New("there is no fleet on this server; sitesync fleet add FILE begins one")

// Open finds the buckets and streams of a fleet. It errs with ErrNoFleet until Setup has made all of them. It
// also errs if another version of sitesync made them in another format, or if their settings were changed.
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
		return nil, fmt.Errorf("the fleet is of format %.20q, and this sitesync knows %s alone: "+
			"use the sitesync that wrote it, or a newer one", format.Value(), Format)
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

func (b *Bus) stream(ctx context.Context, want jetstream.StreamConfig) (jetstream.Stream, error) {
	began := time.Now()
	s, err := b.JS.Stream(ctx, want.Name)
	if err != nil {
		return nil, err
	}
	info := s.CachedInfo()
	b.Skew = info.TimeStamp.Sub(began.Add(time.Since(began) / 2))
	is := info.Config
	for setting, differs := range map[string]bool{
		"subjects":             !slices.Equal(is.Subjects, want.Subjects),
		"retention":            is.Retention != want.Retention,
		"max_msgs_per_subject": is.MaxMsgsPerSubject != want.MaxMsgsPerSubject,
		"discard":              is.Discard != want.Discard,
		"max_age":              is.MaxAge != 0,
		"allow_msg_schedules":  want.AllowMsgSchedules && !is.AllowMsgSchedules,
		"allow_direct":         is.AllowDirect && !want.AllowDirect,
		"mirror or sources":    is.Mirror != nil || len(is.Sources) > 0,
	} {
		if differs {
			return nil, fmt.Errorf("its %s is not as sitesync sets it; mend it with the nats command, "+
				"or use another account", setting)
		}
	}
	return s, nil
}

// Entries calls visit for every entry of the bucket kv whose key has no dot. If an entry changes meanwhile,
// visit gets it again. log is the bucket's stream. The answer may come from a replica that lags behind the
// leader. So Entries waits for the newest entry that the leader had at the beginning.
func Entries(
	ctx context.Context, kv jetstream.KeyValue, log jetstream.Stream, visit func(jetstream.KeyValueEntry),
) error {
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
	seen, complete := uint64(0), false
	for e := range w.Updates() {
		if e == nil {
			complete = true
		} else {
			visit(e)
			seen = e.Revision()
		}
		if complete && seen >= newest.Sequence {
			return nil
		}
	}
	return cmp.Or(context.Cause(ctx), ErrClosed)
}

// ErrClosed says that a watch of a bucket ended because the connection was closed.
var ErrClosed = errors.New("the connection to the fleet was closed")

// MaxSkew is the largest harmless difference between the clocks of server and worker. With a larger
// difference, sites may run at wrong times. Leases (rights to run a site) work with any difference.
const MaxSkew = time.Minute

// The names of the buckets. Each has an entry for each site. States also has entries for places: see Place.
const (
	Sites  = "sitesync-sites"  // configurations of the sites, with history
	States = "sitesync-states" // each site's lease, ledger (what its index holds) and latest result

	FormatKey = "_format" // key under which Sites holds Format; CheckName allows no site of this name
	Format    = "4"       // format of the stored data; this version of sitesync uses no other
)

// Place returns the key, in the bucket States, of place number i of a host or of a customer's quota. If n
// sites may use a host at a time, it has n places. name is the host or quota in base64.
func Place(name string, i int) string { return fmt.Sprintf("place.%s.%d", name, i) }

// The names of the streams.
const (
	Queue = "sitesync-queue" // messages for due sites, and for the next due time of each site
	Files = "sitesync-files" // ledgers, and plans (changes to send)
	Runs  = "sitesync-runs"
)

// Priority decides which of the due sites workers run first.
type Priority string

const (
	High   Priority = "high"
	Normal Priority = "normal"
	Low    Priority = "low"
)

// Priorities returns all priorities, the highest first.
func Priorities() []Priority { return []Priority{High, Normal, Low} }

var nameRule = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}$`)

// CheckName errs unless name is valid for a site: safe in a subject, a key and the name of a file.
func CheckName(name string) error {
	if !nameRule.MatchString(name) {
		return fmt.Errorf("%.80q can't be the name of a site: use at most 64 letters a to z, digits and hyphens", name)
	}
	return nil
}

// Due returns the subject of messages that say that a site is due. The stream Queue keeps only the newest
// message of a subject.
func Due(p Priority, site string) string { return join("due", string(p), site) }

// At returns the subject of a site's scheduled message. When the site is due, the server moves the message to
// the subject that [Due] returns.
func At(site string) string { return join("at", site) }

// File returns the subject of a part of a site's file. kind is "ledger" or "plan". number is the number of
// the lease under which the part was stored.
func File(kind, site string, number uint64, part string) string {
	return join("file", kind, site, fmt.Sprint(number), part)
}

// FilesOf returns the subject of all files of a site.
func FilesOf(site string) string { return join("file", "*", site, ">") }

// Run returns the subject of the records of a site's runs.
func Run(site string) string { return join("run", site) }

// Cancel returns the subject of requests to stop the run of a site. The worker that runs the site answers.
func Cancel(site string) string { return join("cancel", site) }

// Left returns the subject of messages that say that a host or quota has a free place. No stream keeps them.
func Left(name string) string { return join("left", name) }

func join(parts ...string) string { return "sitesync." + strings.Join(parts, ".") }

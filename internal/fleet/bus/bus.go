package bus

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Bus is an open connection to a fleet.
type Bus struct {
	Conn *nats.Conn
	JS   jetstream.JetStream

	Sites, States, Limits jetstream.KeyValue
	Queue, Files, Runs    jetstream.Stream
}

// Bounds of what a message may hold, in bytes.
const (
	MaxSite  = 256 << 10 // of a configuration, as internal/config bounds it
	maxState = 64 << 10
	MaxRun   = 512 << 10 // of the record of a run, with its text
	MaxPart  = 512 << 10 // of a part of a file
)

// How much of the past is kept.
const (
	siteHistory = 32 // changes of a site
	KeepRuns    = 30 // runs of a site
)

// ackWait is how long a worker may be silent about a site before the queue offers it to
// another; workers say four times as often that they are at work.
const ackWait = 30 * time.Second

// Setup makes the buckets and streams that are missing, with so many replicas; what is there
// stays as it is. It errs where a server has no JetStream, or is too old for schedules.
func Setup(ctx context.Context, conn *nats.Conn, replicas int) error {
	js, err := jetstream.New(conn)
	if err != nil {
		return err
	}
	kv := []jetstream.KeyValueConfig{
		{Bucket: Sites, Description: "sitesync: sites of the fleet", History: siteHistory, MaxValueSize: MaxSite + 4<<10, Replicas: replicas},
		{Bucket: States, Description: "sitesync: state of each site", History: 1, MaxValueSize: maxState, Replicas: replicas},
		{Bucket: Limits, Description: "sitesync: hosts and quotas in use", History: 1, MaxValueSize: maxState, Replicas: replicas},
	}
	for _, config := range kv {
		if _, err := js.CreateKeyValue(ctx, config); err != nil && !errors.Is(err, jetstream.ErrBucketExists) {
			return fmt.Errorf("make the bucket %s: %w", config.Bucket, err)
		}
	}
	streams := []jetstream.StreamConfig{
		{
			Name: Queue, Description: "sitesync: sites that are due", Subjects: []string{join("due", "*", "*"), join("at", "*")},
			Retention: jetstream.WorkQueuePolicy, MaxMsgsPerSubject: 1, MaxMsgSize: 4 << 10, AllowMsgSchedules: true, AllowDirect: true, Replicas: replicas,
		},
		{
			Name: Files, Description: "sitesync: ledgers and plans", Subjects: []string{join("file", ">")},
			MaxMsgsPerSubject: 1, MaxMsgSize: MaxPart + 4<<10, AllowDirect: true, Replicas: replicas,
		},
		{
			Name: Runs, Description: "sitesync: the last runs of each site", Subjects: []string{join("run", "*")},
			MaxMsgsPerSubject: KeepRuns, MaxMsgSize: MaxRun + 4<<10, AllowDirect: true, Replicas: replicas,
		},
	}
	for _, config := range streams {
		if _, err := js.CreateStream(ctx, config); err != nil && !errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
			return fmt.Errorf("make the stream %s: %w", config.Name, err)
		}
	}
	for _, p := range Priorities() {
		_, err := js.CreateConsumer(ctx, Queue, jetstream.ConsumerConfig{
			Durable: string(p), FilterSubject: Due(p, "*"), AckPolicy: jetstream.AckExplicitPolicy, AckWait: ackWait, MaxDeliver: -1, MaxAckPending: 10_000,
		})
		if err != nil && !errors.Is(err, jetstream.ErrConsumerExists) {
			return fmt.Errorf("make the consumer %s of %s: %w", p, Queue, err)
		}
	}
	sites, err := js.KeyValue(ctx, Sites)
	if err != nil {
		return err
	}
	if _, err := sites.Create(ctx, FormatKey, []byte(Format)); err != nil && !errors.Is(err, jetstream.ErrKeyExists) {
		return fmt.Errorf("mark the bucket %s: %w", Sites, err)
	}
	return nil
}

// ErrNoFleet is returned where a server has no fleet yet.
var ErrNoFleet = errors.New("there is no fleet on this server; sitesync fleet add FILE begins one")

// Open finds the buckets and streams of a fleet. It errs with ErrNoFleet where there are none,
// and where they are of another version.
func Open(ctx context.Context, conn *nats.Conn) (b *Bus, err error) {
	b = &Bus{Conn: conn}
	b.JS, err = jetstream.New(conn)
	if err != nil {
		return nil, err
	}
	for name, into := range map[string]*jetstream.KeyValue{Sites: &b.Sites, States: &b.States, Limits: &b.Limits} {
		*into, err = b.JS.KeyValue(ctx, name)
		if errors.Is(err, jetstream.ErrBucketNotFound) {
			return nil, ErrNoFleet
		}
		if err != nil {
			return nil, fmt.Errorf("open the bucket %s: %w", name, err)
		}
	}
	for name, into := range map[string]*jetstream.Stream{Queue: &b.Queue, Files: &b.Files, Runs: &b.Runs} {
		*into, err = b.JS.Stream(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("open the stream %s: %w", name, err)
		}
	}
	format, err := b.Sites.Get(ctx, FormatKey)
	if err != nil {
		return nil, fmt.Errorf("read the version of the fleet: %w", err)
	}
	if string(format.Value()) != Format {
		return nil, fmt.Errorf("the fleet is of format %.20q, and this sitesync knows %s alone: use the sitesync that wrote it, or a newer one", format.Value(), Format)
	}
	return b, nil
}

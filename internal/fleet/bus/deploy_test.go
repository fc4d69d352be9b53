package bus_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/lease"
	"sitesync/internal/fleet/limit"
	"sitesync/internal/fleet/record"
	"sitesync/internal/fleet/site"
	"sitesync/internal/fleet/snapshot"
)

// steps plays one step after the other, each of which must succeed.
func steps(t *testing.T, all ...func() error) {
	t.Helper()
	for i, step := range all {
		if err := step(); err != nil {
			t.Fatalf("step %d: %v", i+1, err)
		}
	}
}

// aSite is a configuration as the operator has it.
func aSite(t *testing.T, name string) *site.Site {
	t.Helper()
	s, err := site.Read(name, name+".toml", fmt.Appendf(nil, "[site]\nstart = [\"https://%s.example.com/\"]\n[push]\nbase_url = \"https://api.example.com\"\ncustomer_id = 7\ncrawler_id = \"c\"\n", name))
	must(t, err)
	return &s
}

// TestRoles: with the very files of deploy/nats and three servers, operator and worker can do
// their work, and nothing beyond it.
func TestRoles(t *testing.T) {
	t.Parallel()
	h, ctx := start(t, 3), t.Context()
	setup(t, h)
	ob, wb := h.open(t, "operator"), h.open(t, "worker")
	if replicas := ob.Files.CachedInfo().Config.Replicas; replicas != 3 {
		t.Errorf("files are on %d servers", replicas)
	}
	operators, workers := site.New(ob), site.New(wb)
	b := aSite(t, "b")
	steps(t,
		func() error { return operators.Put(ctx, aSite(t, "a"), "add", "anna") },
		func() error { return operators.Put(ctx, b, "add", "anna") },
		func() error { b.Paused = true; return operators.Put(ctx, b, "pause", "anna") },
		func() error { return operators.Now(ctx, "a") },
		func() error {
			was, err := operators.Earlier(ctx, "b", 0)
			if err != nil {
				return err
			}
			return operators.Put(ctx, &was, "revert", "anna")
		},
		func() error { _, err := operators.List(ctx); return err },
	)
	work(t, h, wb)
	steps(t,
		func() error { return workers.Reconcile(ctx) },
		func() error { _, err := record.Read(ctx, ob, "a", 10); return err },
		func() error { return operators.Remove(ctx, "a", true) },
		func() error { return operators.Remove(ctx, "b", false) },
	)
	refused(t, ob.Conn, []string{
		"$JS.API.STREAM.DELETE.sitesync-runs", "$JS.API.STREAM.UPDATE.sitesync-queue", "$JS.API.STREAM.CREATE.other", "$JS.API.CONSUMER.DELETE.sitesync-queue.high",
		"$JS.API.STREAM.PURGE.KV_sitesync-sites", "sitesync.run.a", "$KV.sitesync-limits.x", "$JS.ACK.sitesync-queue.normal.1.1.1.1.1",
	}, []string{">", "_INBOX.x", "_INBOX_sitesync_worker.>", "$KV.>", "sitesync.>"})
	refused(t, wb.Conn, []string{
		"$KV.sitesync-sites.a", "$JS.API.STREAM.DELETE.sitesync-runs", "$JS.API.STREAM.UPDATE.sitesync-queue", "$JS.API.STREAM.CREATE.other", "$JS.API.STREAM.CREATE.sitesync-runs",
		"$JS.API.STREAM.PURGE.KV_sitesync-sites", "$JS.API.STREAM.PURGE.KV_sitesync-states", "$JS.API.STREAM.PURGE.sitesync-runs", "$JS.API.STREAM.MSG.DELETE.sitesync-runs",
		"$JS.API.STREAM.SNAPSHOT.KV_sitesync-sites", "$JS.API.CONSUMER.CREATE.sitesync-queue.x.sitesync.due.>", "$JS.API.CONSUMER.CREATE.sitesync-files.x.sitesync.file.>",
		"$JS.API.CONSUMER.DELETE.sitesync-queue.high", "$JS.API.CONSUMER.PAUSE.sitesync-queue.high", "sitesync.cancel.a", "elsewhere",
	}, []string{">", "_INBOX.x", "_INBOX_sitesync_operator.>", "$KV.>", "sitesync.>", "sitesync.file.>", "$JS.ACK.>"})
}

// TestReadsFollowWrites: whoever was told that a change stands reads it, whichever servers
// answer: the entry, the history, and the list.
func TestReadsFollowWrites(t *testing.T) {
	t.Parallel()
	h, ctx := start(t, 3), t.Context()
	setup(t, h)
	writer, reader, of := site.New(h.open(t, "operator")), site.New(h.open(t, "operator")), aSite(t, "a")
	must(t, writer.Put(ctx, of, "add", "anna"))
	for range 60 {
		of.Paused = !of.Paused
		must(t, writer.Put(ctx, of, "pause", "anna"))
		listed, listErr := reader.List(ctx)
		history, historyErr := reader.History(ctx, "a")
		got, err := reader.Get(ctx, "a")
		must(t, errors.Join(listErr, historyErr, err))
		if last := history[len(history)-1]; listed[0].Revision != of.Revision || last.Revision != of.Revision || got.Revision != of.Revision {
			t.Fatalf("after revision %d: listed %d, in the history %d, got %d", of.Revision, listed[0].Revision, last.Revision, got.Revision)
		}
	}
	must(t, writer.Remove(ctx, "a", false))
	if listed, err := reader.List(ctx); err != nil || len(listed) > 0 {
		t.Errorf("after the removal: %v, %v", listed, err)
	}
}

// setup begins the fleet once the cluster has a leader.
func setup(t *testing.T, h cluster) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	conn := h.dial(t, "operator")
	for {
		try, cancel := context.WithTimeout(ctx, 2*time.Second) // what is asked without a leader gets no answer
		err := bus.Setup(try, conn, 0)
		cancel()
		if err == nil {
			return
		}
		if ctx.Err() != nil {
			t.Fatal(err)
		}
	}
}

// work does what a run does, from the queue to the record.
func work(t *testing.T, h cluster, b *bus.Bus) {
	t.Helper()
	ctx, dir := t.Context(), t.TempDir()
	keeper, err := lease.Watch(ctx, b.States, lease.Options{Worker: "here"})
	must(t, err)
	defer keeper.Close()
	queue, err := b.Queue.Consumer(ctx, string(bus.Normal))
	must(t, err)
	msg, err := queue.Next(jetstream.FetchMaxWait(10 * time.Second))
	must(t, err)
	l, err := keeper.Take(ctx, "a")
	must(t, err)
	store, limiter := snapshot.New(b), limit.New(b.Limits, keeper.Ended)
	var f lease.File
	ledger := filepath.Join(dir, "ledger")
	write(t, ledger, []byte("ledger"))
	steps(t,
		func() error { return msg.InProgress() },
		func() error {
			release, err := limiter.Acquire(ctx, "a", l.Number(), []limit.Need{{Key: "a.example.com", Most: 1}})
			if err != nil {
				return err
			}
			return release(ctx)
		},
		func() (err error) { f, err = store.Put(ctx, "plan", "a", l.Number(), ledger, nil); return err },
		func() error { return store.Get(ctx, "plan", "a", f, filepath.Join(dir, "back")) },
		func() error { return b.PutFile(ctx, bus.File("mark", "a", l.Number(), "1"), []byte("x")) },
		func() error { _, err := b.ListFiles(ctx, "mark", "a"); return err },
		func() error { return b.DropFiles(ctx, bus.File("mark", "a", l.Number(), "*")) },
		func() (err error) { f, err = store.Put(ctx, "ledger", "a", l.Number(), ledger, nil); return err },
		func() error { return l.Release(ctx, func(s *lease.State) { s.Ledger = &f }) },
		func() error { return store.Sweep(ctx, "ledger", "a", f) },
		func() error { return record.Put(ctx, b, record.Run{Site: "a"}) },
		func() error { return msg.DoubleAck(ctx) },
	)
}

// refused checks that the server takes nothing of this connection under these subjects, and
// lets it listen to none of those.
func refused(t *testing.T, conn *nats.Conn, publish, subscribe []string) {
	t.Helper()
	said := make(chan string, 100)
	conn.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { said <- err.Error() })
	check := func(kind, subject string) {
		must(t, conn.Flush())
		select {
		case text := <-said:
			if !strings.Contains(text, kind+` to "`+subject+`"`) {
				t.Errorf("%s %s: %s", kind, subject, text)
			}
		case <-time.After(5 * time.Second):
			t.Errorf("%s %s is allowed", kind, subject)
		}
	}
	for _, subject := range publish {
		must(t, conn.Publish(subject, nil))
		check("Publish", subject)
	}
	for _, subject := range subscribe {
		_, err := conn.SubscribeSync(subject)
		must(t, err)
		check("Subscription", subject)
	}
}

// A server does not check where the answer to a request goes, so a worker can have its own text
// stored as a site. Other workers see that no operator has signed it.
func TestPlantedSite(t *testing.T) {
	t.Parallel()
	h, ctx := start(t, 1), t.Context()
	setup(t, h)
	ob, wb := h.open(t, "operator"), h.open(t, "worker")
	operators, workers := site.New(ob), site.New(wb)
	must(t, operators.Put(ctx, aSite(t, "a"), "add", "anna"))
	_, err := workers.Get(ctx, "a")
	must(t, err)
	evil := bus.File("plan", "evil", 1, "0")
	must(t, wb.PutFile(ctx, evil, []byte("{}\n[site]\n")))
	must(t, wb.Conn.PublishRequest("$JS.API.DIRECT.GET.sitesync-files."+evil, "$KV.sitesync-sites.a", nil))
	over := time.Now().Add(10 * time.Second)
	for time.Now().Before(over) {
		_, err := workers.Get(ctx, "a")
		if err == nil {
			continue
		}
		if !strings.Contains(err.Error(), "no operator has signed it") {
			t.Error(err)
		}
		return
	}
	t.Error("a worker runs what another one has planted")
}

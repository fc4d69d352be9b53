package bus_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"os"
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
	"sitesync/internal/testsite/deployed"
)

var must = deployed.Must

// cluster is what runs with the files of deploy/nats.
type cluster struct{ *deployed.Cluster }

func start(t *testing.T, nodes int) cluster {
	t.Helper()
	c, err := deployed.Start("../../../deploy/nats/nats.conf", t.TempDir(), nodes)
	must(t, err)
	t.Cleanup(c.Close)
	return cluster{c}
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	must(t, os.WriteFile(name, data, 0o600))
}

// dial connects as a role; a worker trusts the operator alone.
func (h cluster) dial(t *testing.T, role string) *nats.Conn {
	t.Helper()
	conn, err := bus.Dial(h.options(role))
	must(t, err)
	t.Cleanup(conn.Close)
	return conn
}

func (h cluster) options(role string) bus.Options {
	o := bus.Options{Servers: h.Servers, Nkey: filepath.Join(h.Dir, role+".nk"), Roots: h.Roots}
	if role == "worker" {
		o.Worker = "here"
	}
	return o
}

func (h cluster) open(t *testing.T, role string) *bus.Bus {
	t.Helper()
	b, err := bus.Open(t.Context(), h.dial(t, role))
	must(t, err)
	b.Seal, err = bus.NewSeal(h.options(role), []string{h.Public["operator"]})
	must(t, err)
	return b
}

// aSite is a configuration as the operator has it.
func aSite(t *testing.T, name string) *site.Site {
	t.Helper()
	s, err := site.Read(name, name+".toml", fmt.Appendf(nil, "[site]\nstart = [\"https://%s.example.com/\"]\n[push]\nbase_url = \"https://api.example.com\"\ncustomer_id = 7\ncrawler_id = \"c\"\n", name))
	must(t, err)
	return &s
}

// TestRolesCanDoTheirWorkAndNothingElse: with the very files of deploy/nats and three servers, operator and worker can do
// their work, and nothing beyond it.
func TestRolesCanDoTheirWorkAndNothingElse(t *testing.T) {
	t.Parallel()
	h, ctx := start(t, 3), t.Context()
	setup(t, h)
	ob, wb := h.open(t, "operator"), h.open(t, "worker")
	if replicas := ob.Files.CachedInfo().Config.Replicas; replicas != 3 {
		t.Errorf("files are on %d servers", replicas)
	}
	operators, workers := site.New(ob), site.New(wb)
	b := aSite(t, "b")
	must(t, operators.Put(ctx, aSite(t, "a"), "add", "anna"))
	must(t, operators.Put(ctx, b, "add", "anna"))
	b.Paused = true
	must(t, operators.Put(ctx, b, "pause", "anna"))
	must(t, operators.Now(ctx, "a"))
	was, err := operators.Earlier(ctx, "b", 0)
	must(t, err)
	must(t, operators.Put(ctx, &was, "revert", "anna"))
	_, err = operators.List(ctx)
	must(t, err)
	work(t, wb)
	must(t, workers.Reconcile(ctx))
	_, err = record.Read(ctx, ob, "a")
	must(t, err)
	must(t, operators.Remove(ctx, "a", true))
	must(t, operators.Remove(ctx, "b", false))
	refused(t, ob.Conn, []string{
		"$JS.API.STREAM.DELETE.sitesync-runs", "$JS.API.STREAM.UPDATE.sitesync-queue", "$JS.API.STREAM.CREATE.other", "$JS.API.CONSUMER.DELETE.sitesync-queue.high",
		"$JS.API.STREAM.PURGE.KV_sitesync-sites", "sitesync.run.a", "$KV.sitesync-states.place.x.0", "$JS.ACK.sitesync-queue.normal.1.1.1.1.1",
	}, []string{">", "_INBOX.x", "_INBOX_sitesync_worker.>", "$KV.>", "sitesync.>"})
	refused(t, wb.Conn, []string{
		"$KV.sitesync-sites.a", "$JS.API.STREAM.DELETE.sitesync-runs", "$JS.API.STREAM.UPDATE.sitesync-queue", "$JS.API.STREAM.CREATE.other", "$JS.API.STREAM.CREATE.sitesync-runs",
		"$JS.API.STREAM.PURGE.KV_sitesync-sites", "$JS.API.STREAM.PURGE.KV_sitesync-states", "$JS.API.STREAM.PURGE.sitesync-runs", "$JS.API.STREAM.MSG.DELETE.sitesync-runs",
		"$JS.API.STREAM.SNAPSHOT.KV_sitesync-sites", "$JS.API.CONSUMER.CREATE.sitesync-queue.x.sitesync.due.>", "$JS.API.CONSUMER.CREATE.sitesync-files.x.sitesync.file.>",
		"$JS.API.CONSUMER.DELETE.sitesync-queue.high", "$JS.API.CONSUMER.PAUSE.sitesync-queue.high", "sitesync.cancel.a", "elsewhere",
	}, []string{">", "_INBOX.x", "_INBOX_sitesync_operator.>", "$KV.>", "sitesync.>", "sitesync.file.>", "$JS.ACK.>"})
	key, err := nats.NkeyOptionFromSeed(filepath.Join(h.Dir, "backup.nk"))
	must(t, err)
	backup, err := nats.Connect(h.Servers[0], nats.Secure(&tls.Config{MinVersion: tls.VersionTLS12, RootCAs: h.Roots}), key)
	must(t, err)
	defer backup.Close()
	answer, err := backup.Request("$JS.API.STREAM.SNAPSHOT.sitesync-runs", []byte(`{"deliver_subject":"_INBOX.parts"}`), 10*time.Second)
	if err != nil || strings.Contains(string(answer.Data), `"error"`) {
		t.Errorf("no backup: %v, %s", err, answer.Data)
	}
	refused(t, backup, []string{"$KV.sitesync-sites.a", "sitesync.run.a", "$JS.API.STREAM.DELETE.sitesync-runs", "$JS.API.STREAM.PURGE.sitesync-files"}, []string{">", "$KV.>"})
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
		err := bus.Setup(try, conn)
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
func work(t *testing.T, b *bus.Bus) {
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
	store := snapshot.New(b)
	ledger := filepath.Join(dir, "ledger")
	write(t, ledger, []byte("ledger"))
	must(t, msg.InProgress())
	needs := []limit.Need{{Key: "a.example.com", Most: 1}}
	release, err := limit.Acquire(ctx, keeper, needs, func() {}, func(string) {})
	must(t, err)
	must(t, release(ctx))
	f, err := store.Put(ctx, "plan", "a", l.State().Number, ledger, nil)
	must(t, err)
	must(t, store.Get(ctx, "plan", "a", f, filepath.Join(dir, "back")))
	_, err = b.ListFiles(ctx, "plan", "a")
	must(t, err)
	must(t, b.DropFiles(ctx, bus.File("plan", "a", l.State().Number, "*")))
	f, err = store.Put(ctx, "ledger", "a", l.State().Number, ledger, nil)
	must(t, err)
	must(t, l.Release(ctx, func(s *lease.State) { s.Ledger = &f }))
	must(t, store.Sweep(ctx, "ledger", "a", f))
	must(t, record.Put(ctx, b, record.Run{Site: "a"}))
	must(t, msg.DoubleAck(ctx))
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
// stored as a site, or what an operator signed once. Other workers see that no operator has signed
// it, or that it does not follow; so does the history.
func TestPlantedSiteIsNotTrusted(t *testing.T) {
	t.Parallel()
	h, ctx := start(t, 1), t.Context()
	setup(t, h)
	ob, wb := h.open(t, "operator"), h.open(t, "worker")
	operators, workers := site.New(ob), site.New(wb)
	must(t, operators.Put(ctx, aSite(t, "a"), "add", "anna"))
	_, err := workers.Get(ctx, "a")
	must(t, err)
	added, err := ob.SiteLog.GetLastMsgForSubject(ctx, "$KV.sitesync-sites.a")
	must(t, err)
	paused := aSite(t, "a")
	paused.Revision, paused.Paused = added.Sequence, true
	must(t, operators.Put(ctx, paused, "pause", "anna"))
	after, of := jetstream.ExpectedLastSubjSeqHeader, jetstream.ExpectedLastSubjSeqSubjHeader
	for i, attack := range []struct {
		body   []byte
		header nats.Header
		want   string
	}{
		{[]byte("{}\n[site]\n"), nil, "no operator has signed it"},
		{added.Data, nil, "stored an earlier entry again"},
		{added.Data, nats.Header{of: {"$KV.sitesync-sites.b"}, after: {"0"}}, "stored an earlier entry again"},
	} {
		evil := bus.File("plan", "evil", 1, fmt.Sprint(i))
		_, err := wb.JS.PublishMsg(ctx, &nats.Msg{Subject: evil, Data: attack.body, Header: attack.header})
		must(t, err)
		before, _ := workers.Get(ctx, "a")
		must(t, wb.Conn.PublishRequest("$JS.API.DIRECT.GET.sitesync-files."+evil, "$KV.sitesync-sites.a", nil))
		now, over := before, time.Now().Add(10*time.Second)
		for now.Revision == before.Revision && time.Now().Before(over) {
			now, err = workers.Get(ctx, "a")
		}
		if now.Revision == before.Revision || err == nil || !strings.Contains(err.Error(), attack.want) {
			t.Errorf("attack %d: %v, and the site is %+v", i, err, now)
		}
		history, err := operators.History(ctx, "a")
		if last := history[len(history)-1]; err != nil || i > 0 && !strings.Contains(last.Damaged, attack.want) {
			t.Errorf("attack %d: the history ends with %+v (%v)", i, last, err)
		}
	}
}

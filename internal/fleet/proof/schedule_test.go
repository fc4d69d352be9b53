//go:build linux

package proof

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"sitesync/internal/fleet/bus"
	fleetsite "sitesync/internal/fleet/site"
)

// Sites that are due while the node that keeps their schedule dies are due once, at another
// node; each message comes once although the schedule was published twice.
func TestScheduleSurvivesItsLeader(t *testing.T) {
	if *nodesFlag < 3 {
		t.Skip("SKIPPED: a cluster is not asked for; -fleet.nodes 3")
	}
	t.Parallel()
	const count = 20
	c := newCluster(t, 3, false)
	conn := c.connect()
	defer conn.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	must(t, bus.Setup(ctx, conn))
	b, err := bus.Open(ctx, conn)
	must(t, err)
	at := time.Now().Add(4 * time.Second).UTC()
	for i := range count {
		name := fmt.Sprintf("site-%d", i)
		raw, err := json.Marshal(fleetsite.Due{Site: name, At: at})
		must(t, err)
		for range 2 { // two workers say so
			eventually(t, 20*time.Second, "a schedule is stored", func() error {
				_, err := b.JS.Publish(ctx, bus.At(name), raw, jetstream.WithScheduleAt(at), jetstream.WithScheduleTarget(bus.Due(bus.Normal, name)))
				return err
			})
		}
	}
	c.kill(c.leader(ctx, b.Queue))
	var queue jetstream.Consumer
	eventually(t, 30*time.Second, "another node leads", func() (err error) {
		try, end := context.WithTimeout(ctx, 2*time.Second)
		defer end()
		queue, err = b.Queue.Consumer(try, string(bus.Normal))
		return err
	})
	seen := map[string]int{}
	for len(seen) < count && ctx.Err() == nil {
		batch, err := queue.Fetch(count, jetstream.FetchMaxWait(time.Second))
		if err != nil {
			continue
		}
		for m := range batch.Messages() {
			d, err := fleetsite.ReadDue(m.Data())
			must(t, err)
			seen[d.Site]++
			must(t, m.DoubleAck(ctx))
		}
	}
	if len(seen) != count {
		t.Errorf("%d of %d sites were due", len(seen), count)
	}
	eventually(t, 20*time.Second, "nothing is left", func() error {
		info, err := b.Queue.Info(ctx, jetstream.WithSubjectFilter(">"))
		if err == nil && info.State.Msgs > 0 {
			err = fmt.Errorf("there are %v", info.State.Subjects)
		}
		return err
	})
	for name, n := range seen {
		if n != 1 {
			t.Errorf("%s was due %d times", name, n)
		}
	}
}

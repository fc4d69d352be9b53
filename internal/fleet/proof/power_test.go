//go:build linux

package proof

import (
	"context"
	"encoding/binary"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"
)

var cutsFlag = flag.Int("fleet.cuts", 0, "power cuts of TestPowerCut: after each, workers wait some 20 seconds for answers that are lost")

// powerCut takes a node's power: what it had not acknowledged is lost, in the midst of a
// record where there is one. What it had acknowledged was on disk, by sync_interval: always.
func (p *proof) powerCut(n *node) (lost int64) {
	p.note("power cut", everybody)
	wires := p.wires()
	for _, w := range wires {
		w.deafen(true) // it writes, and its acknowledgements do not leave
	}
	<-time.After(p.length / 4) // leases are renewed more often than that
	p.cluster.kill(n)
	streams, err := filepath.Glob(filepath.Join(n.Dir, "jetstream", "$G", "streams", "*"))
	must(p.t, err)
	for _, stream := range streams {
		name := filepath.Base(stream)
		blocks, err := filepath.Glob(filepath.Join(stream, "msgs", "*.blk"))
		must(p.t, err)
		for _, block := range blocks {
			lost += p.cutBlock(block, p.acks.of(name))
		}
	}
	for _, w := range wires {
		w.deafen(false)
		w.hangUp()
	}
	p.cluster.start(n)
	return lost
}

// wires returns those of all workers, and the test's own.
func (p *proof) wires() []*wire {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := []*wire{p.wire}
	for _, w := range p.workers {
		all = append(all, w.wire)
	}
	return all
}

// cutBlock ends a file of messages in the midst of the first one that was not acknowledged,
// and returns how many bytes that took. A record is its length, its number and more, see
// filestore.go of nats-server.
func (p *proof) cutBlock(block string, acknowledged uint64) int64 {
	const header, hasHeaders, erased, tombstone = 22, 1 << 31, 1 << 63, 1 << 62
	raw, err := os.ReadFile(block)
	must(p.t, err)
	for at := 0; at+header <= len(raw); {
		length := int(binary.LittleEndian.Uint32(raw[at:]) &^ hasHeaders)
		number := binary.LittleEndian.Uint64(raw[at+4:])
		if length < header || at+length > len(raw) {
			return 0 // it wrote when it was stopped
		}
		if number&(erased|tombstone) == 0 && number > acknowledged {
			keep := at + length/2
			must(p.t, os.Truncate(block, int64(keep)))
			return int64(len(raw) - keep)
		}
		at += length
	}
	return 0
}

// A node with sync_interval: always, and nobody beside it, loses its power while sites are
// sent: no change is lost and no delete is wrong. What has cost is at most
// that a run, or a batch of it, is repeated.
func TestPowerCut(t *testing.T) {
	if *cutsFlag == 0 {
		t.Skip("SKIPPED: no power cuts are asked for; -fleet.cuts 1")
	}
	t.Parallel()
	p := newProof(t, 6, 8, newCluster(t, 1, true), 2)
	p.recorder.slow = 50 * time.Millisecond
	p.night("first night", false, nil)
	for i, s := range p.sites {
		s.change(i)
	}
	var lost int64
	cuts := 0
	p.night("a night of power cuts", false, func(ctx context.Context) {
		for ; cuts < *cutsFlag && ctx.Err() == nil; cuts++ {
			called := make(chan struct{})
			p.atCall(2, "", func(*crew, string) { close(called) })
			select {
			case <-called:
				lost += p.powerCut(p.cluster.nodes[0])
			case <-ctx.Done():
			}
		}
	})
	t.Logf("in %d power cuts, %d bytes were lost that nobody had acknowledged", cuts, lost)
	if lost == 0 {
		t.Error("nothing was lost: the power never failed while a node wrote")
	}
}

//go:build linux

package proof

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// shake troubles the fleet each little while, in all the ways there are.
func (p *proof) shake(ctx context.Context) {
	ticker := time.NewTicker(*everyFlag)
	defer ticker.Stop()
	kinds := []func(context.Context){p.inCall(p.killed), p.pause, p.kill, p.cutOff, p.inCall(p.paused), p.loseLeader, p.inCall(p.killed), p.fill}
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			kinds[n%len(kinds)](ctx)
		}
	}
}

// victim picks a worker that is well. It returns nil if only one is left.
func (p *proof) victim() *crew {
	p.mu.Lock()
	defer p.mu.Unlock()
	var well []*crew
	for _, w := range p.workers {
		if !w.idle {
			well = append(well, w)
		}
	}
	if len(well) == 0 {
		return nil
	}
	return well[p.random.IntN(len(well))]
}

// inCall does something to whoever calls the service soon.
func (p *proof) inCall(strike func(*crew, string)) func(context.Context) {
	return func(context.Context) { p.atCall(1+p.random.IntN(3), "", strike) }
}

func (p *proof) setIdle(w *crew, idle bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	w.idle = idle
}

func (p *proof) kill(context.Context) {
	w := p.victim()
	if w == nil {
		return
	}
	p.note("kill", w.name)
	p.dismiss(w)
	p.hire("")
}

// lasting does something to a worker for a while, longer than its lease.
func (p *proof) lasting(ctx context.Context, kind string, begin, end func(w *crew)) {
	w := p.victim()
	if w == nil {
		return
	}
	p.note(kind, w.name)
	p.setIdle(w, true)
	begin(w)
	p.group.Go(func() {
		select {
		case <-time.After(p.length * 5 / 2):
		case <-ctx.Done():
		}
		end(w)
		p.setIdle(w, false)
	})
}

func (p *proof) pause(ctx context.Context) {
	p.lasting(ctx, "pause", func(w *crew) { _ = w.cmd.Process.Signal(syscall.SIGSTOP) }, func(w *crew) { _ = w.cmd.Process.Signal(syscall.SIGCONT) })
}

// cutOff takes a worker's network: neither servers nor service hear of it.
func (p *proof) cutOff(ctx context.Context) {
	p.lasting(ctx, "cut", func(w *crew) {
		w.wire.set(true)
		p.recorder.setCut(w.name, true)
	}, func(w *crew) {
		p.recorder.setCut(w.name, false)
		w.wire.set(false)
	})
}

// electionPause lets the servers elect a leader and catch up: they take up to nine seconds to
// see that one is gone.
const electionPause = 25 * time.Second

// loseLeader kills the node that leads a stream, and starts it again.
func (p *proof) loseLeader(ctx context.Context) {
	if len(p.cluster.nodes) < 3 || time.Since(p.calm) < electionPause {
		return
	}
	p.calm = time.Now()
	n := p.cluster.leader(ctx, p.bus.Queue)
	if n == nil {
		return
	}
	p.note("leader killed", everybody)
	p.cluster.kill(n)
	p.group.Go(func() {
		select {
		case <-time.After(p.length / 2):
		case <-ctx.Done():
		}
		p.cluster.start(n)
	})
}

// fill hires a worker on a small disk, if there is none, or takes the disk's room.
func (p *proof) fill(ctx context.Context) {
	disk := filepath.Join(p.dir, "small")
	if err := os.Mkdir(disk, 0o700); err == nil {
		if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=12m"); err != nil {
			p.t.Logf("SKIPPED: a small disk can't be mounted here: %v", err)
			return
		}
		p.t.Cleanup(func() { _ = syscall.Unmount(disk, syscall.MNT_DETACH) })
	}
	p.mu.Lock()
	var on *crew
	for _, w := range p.workers {
		if w.dir == disk {
			on = w
		}
	}
	p.mu.Unlock()
	if on == nil {
		if v := p.victim(); v != nil {
			p.note("kill", v.name)
			p.dismiss(v)
		}
		on = p.hire(disk)
	}
	if on == nil {
		return
	}
	p.note("full disk", on.name)
	p.group.Go(func() {
		var fillers []string
		end := time.After(2 * p.length)
		for n := 0; ; n++ { // what a run frees is taken as well, but for a few pages
			var stat syscall.Statfs_t
			if syscall.Statfs(disk, &stat) == nil {
				name := filepath.Join(disk, fmt.Sprint("filler-", n))
				room := int64(stat.Bavail)*stat.Bsize - 8192
				if room > 0 && os.WriteFile(name, make([]byte, room), 0o600) == nil {
					fillers = append(fillers, name)
				}
			}
			select {
			case <-time.After(p.length / 4):
				continue
			case <-ctx.Done():
			case <-end:
			}
			break
		}
		for _, name := range fillers {
			_ = os.Remove(name)
		}
	})
}

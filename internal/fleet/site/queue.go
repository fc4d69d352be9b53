package site

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"sitesync/internal/fleet/bus"
)

// Schedule queues the site for its first due time after t, on the NATS server's clock. The new schedule
// replaces an earlier one. A paused site leaves the queue. If somebody changes the site meanwhile, Schedule
// uses the changed site. After a run, t must be at least the due time of that run. Otherwise the site would
// be due again at once.
func (s *Sites) Schedule(ctx context.Context, site Site, t time.Time) error {
	for {
		err := s.settle(ctx, &site, t)
		if err != nil {
			return err
		}
		now, err := s.Get(ctx, site.Name)
		if errors.Is(err, ErrUnknown) {
			return nil
		}
		if err != nil || now.Revision <= site.Revision {
			return err
		}
		site = now
	}
}

func (s *Sites) settle(ctx context.Context, site *Site, t time.Time) error {
	next := site.Fleet.Next(site.Name, t)
	if site.Paused || next.IsZero() {
		return s.unschedule(ctx, site.Name)
	}
	due := bus.Due(bus.Priority(site.Fleet.Priority), site.Name)
	return s.publish(ctx, bus.At(site.Name), Due{Site: site.Name, At: next},
		jetstream.WithScheduleAt(next), jetstream.WithScheduleTarget(due))
}

// Now makes a site due at once. It errs with ErrUnknown or ErrPaused.
func (s *Sites) Now(ctx context.Context, name string) error {
	site, err := s.Get(ctx, name)
	if err != nil {
		return err
	}
	if site.Paused {
		return fmt.Errorf("%s: %w", name, ErrPaused)
	}
	now, err := s.Clock(ctx)
	if err != nil {
		return err
	}
	return s.publish(ctx, bus.Due(bus.Priority(site.Fleet.Priority), name), Due{Site: name, At: now})
}

func (s *Sites) publish(ctx context.Context, subject string, d Due, opts ...jetstream.PublishOpt) error {
	raw, err := json.Marshal(d)
	if err == nil {
		_, err = s.bus.JS.PublishMsg(ctx, &nats.Msg{Subject: subject, Data: raw, Header: nats.Header{}}, opts...)
	}
	if err != nil {
		return fmt.Errorf("schedule the site %s: %w", d.Site, err)
	}
	return nil
}

// Clock returns the time of the NATS server. This clock decides when a site is due.
func (s *Sites) Clock(ctx context.Context) (time.Time, error) {
	info, err := s.bus.Queue.Info(ctx)
	if err != nil {
		return time.Time{}, fmt.Errorf("ask the server for the time: %w", err)
	}
	return info.TimeStamp.UTC(), nil
}

func (s *Sites) unschedule(ctx context.Context, name string) error {
	for _, subject := range []string{bus.At(name), bus.Due("*", name)} {
		err := s.bus.Queue.Purge(ctx, jetstream.WithPurgeSubject(subject))
		if err != nil {
			return fmt.Errorf("take the site %s out of the queue: %w", name, err)
		}
	}
	return nil
}

// Reconcile schedules the sites that have no message in the queue, and takes paused and removed sites out of
// it. After a failure it continues with other sites, and returns the first error.
func (s *Sites) Reconcile(ctx context.Context) error {
	// The queue is read before the sites. Otherwise a site that is added meanwhile would look like a removed one.
	info, err := s.bus.Queue.Info(ctx, jetstream.WithSubjectFilter(">"))
	if err != nil {
		return fmt.Errorf("read the queue: %w", err)
	}
	sites, err := s.List(ctx)
	if err != nil {
		return err
	}
	gone := map[string]bool{}
	for subject := range info.State.Subjects {
		gone[subject[strings.LastIndexByte(subject, '.')+1:]] = true
	}
	var g errgroup.Group
	g.SetLimit(16)
	for _, site := range sites {
		if !site.Paused {
			delete(gone, site.Name)
		}
		if site.Paused || site.Damaged != "" || info.State.Subjects[bus.At(site.Name)] > 0 {
			continue
		}
		g.Go(func() error { return s.settle(ctx, &site, info.TimeStamp) })
	}
	for name := range gone {
		g.Go(func() error { return s.unschedule(ctx, name) })
	}
	return g.Wait()
}

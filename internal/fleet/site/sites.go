package site

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/nats-io/nats.go/jetstream"

	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/lease"
)

var (
	// ErrUnknown is returned for a name that no site of the fleet has.
	ErrUnknown = errors.New("the fleet has no such site; sitesync fleet list shows all")
	// ErrKnown is returned if a site is added under a name that the fleet has already.
	ErrKnown = errors.New("the fleet has this site already; change it with sitesync fleet set")
	// ErrChanged is returned if somebody else changed a site since it was read.
	ErrChanged = errors.New("somebody changed it at the same time; look at sitesync fleet history, and try again")
	// ErrPaused is returned by Now for a paused site.
	ErrPaused = errors.New("the site is paused; sitesync fleet resume lets it run")
)

// Sites reads and changes the sites of a fleet (many sites that workers on several machines run).
type Sites struct{ bus *bus.Bus }

// New returns the Sites of a fleet.
func New(b *bus.Bus) *Sites { return &Sites{b} }

// Get returns a site. It errs with ErrUnknown, or if the entry is damaged.
func (s *Sites) Get(ctx context.Context, name string) (Site, error) {
	err := bus.CheckName(name)
	if err != nil {
		return Site{}, err
	}
	msg, err := s.bus.SiteLog.GetLastMsgForSubject(ctx, subject(name))
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return Site{}, fmt.Errorf("%s: %w", name, ErrUnknown)
	}
	if err != nil {
		return Site{}, fmt.Errorf("read the site %s: %w", name, err)
	}
	site := s.decode(Zones{}, name, msg)
	if site.Removed {
		return site, fmt.Errorf("%s: %w", name, ErrUnknown)
	}
	return site, site.Fault()
}

func subject(name string) string { return "$KV." + bus.Sites + "." + name }

// decode decodes an entry. It refuses an earlier entry that somebody stored again with the stolen key of a
// worker. The signed body and the header of a message must name the same replaced revision. The server stores
// a message with such a header only if it names the newest revision. The body of an earlier entry names an
// older one.
func (s *Sites) decode(z Zones, name string, msg *jetstream.RawStreamMsg) Site {
	if msg.Header.Get("KV-Operation") != "" {
		return Site{Name: name, Revision: msg.Sequence, Removed: true, Why: "remove", At: msg.Time}
	}
	site := z.Decode(s.bus.Seal, name, msg.Sequence, msg.Data)
	after := msg.Header.Get(jetstream.ExpectedLastSubjSeqHeader)
	of := msg.Header.Get(jetstream.ExpectedLastSubjSeqSubjHeader)
	if site.Damaged == "" && (after != fmt.Sprint(site.After) || of != "") {
		return Site{Name: name, Revision: msg.Sequence, Damaged: "somebody stored an earlier entry again"}
	}
	return site
}

// List returns all sites that were not removed, including Damaged ones, in the order of their last changes.
func (s *Sites) List(ctx context.Context) (all []Site, err error) {
	found, z := map[string]Site{}, Zones{}
	err = bus.Entries(ctx, s.bus.Sites, s.bus.SiteLog, func(e jetstream.KeyValueEntry) {
		switch {
		case e.Operation() != jetstream.KeyValuePut:
			delete(found, e.Key())
		case e.Key() != bus.FormatKey:
			found[e.Key()] = z.Decode(s.bus.Seal, e.Key(), e.Revision(), e.Value())
		}
	})
	if err != nil {
		return nil, fmt.Errorf("list the sites: %w", err)
	}
	byChange := func(a, b Site) int { return cmp.Compare(a.Revision, b.Revision) }
	return slices.SortedFunc(maps.Values(found), byChange), nil
}

// History returns the stored changes of a site, the newest last. The site may be removed. History errs with
// ErrUnknown if there are no changes.
func (s *Sites) History(ctx context.Context, name string) (all []Site, err error) {
	err = bus.CheckName(name)
	if err != nil {
		return nil, err
	}
	z, next := Zones{}, jetstream.WithGetMsgSubject(subject(name))
	for seq := uint64(1); ; seq++ {
		msg, err := s.bus.SiteLog.GetMsg(ctx, seq, next)
		switch {
		case errors.Is(err, jetstream.ErrMsgNotFound) && len(all) == 0:
			return nil, fmt.Errorf("%s: %w", name, ErrUnknown)
		case errors.Is(err, jetstream.ErrMsgNotFound):
			return all, nil
		case err != nil:
			return nil, fmt.Errorf("read the history of %s: %w", name, err)
		}
		all, seq = append(all, s.decode(z, name, msg)), msg.Sequence
	}
}

// Earlier returns a site as it was at a revision of its history. Revision 0 means the second newest revision.
// [Sites.Put] can store the result in place of the newest revision, even if the site is removed. Earlier errs
// if the history lacks the revision. It also errs if the revision removed the site or is damaged.
func (s *Sites) Earlier(ctx context.Context, name string, revision uint64) (Site, error) {
	history, err := s.History(ctx, name)
	if err != nil {
		return Site{}, err
	}
	if last := len(history) - 1; revision == 0 && last > 0 {
		revision = history[last-1].Revision
	}
	at := slices.IndexFunc(history, func(was Site) bool {
		return was.Revision == revision && !was.Removed && was.Damaged == ""
	})
	if at < 0 {
		return Site{}, fmt.Errorf("%s: the history of the site holds no revision %d to go back to; "+
			"sitesync fleet history %s shows those it holds", name, revision, name)
	}
	was := history[at]
	was.Revision = history[len(history)-1].Revision
	return was, nil
}

// Put stores site in place of the revision site.Revision, and schedules the site. Revision 0 adds a new site.
// why is the kind of change, and by is the user. Put errs with ErrKnown or ErrChanged if the fleet has
// another revision. If the site is already due, a new priority has no effect on its next run.
func (s *Sites) Put(ctx context.Context, site *Site, why, by string) error {
	now, err := s.Clock(ctx)
	if err != nil {
		return err
	}
	site.Why, site.By, site.At, site.After = why, by, now, site.Revision
	if site.Revision == 0 {
		is, err := s.Get(ctx, site.Name)
		if !errors.Is(err, ErrUnknown) {
			return cmp.Or(err, fmt.Errorf("%s: %w", site.Name, ErrKnown))
		}
		site.After = is.Revision // the revision that removed an earlier site of that name; 0: there was none
	}
	head, err := json.Marshal(site)
	if err != nil {
		return err
	}
	value, err := s.bus.Seal.Put(site.Name, slices.Concat(head, []byte("\n"), []byte(site.TOML)))
	if err != nil {
		return err
	}
	revision, err := s.bus.Sites.Update(ctx, site.Name, value, site.After)
	if errors.Is(err, jetstream.ErrKeyExists) || errors.Is(err, jetstream.ErrKeyRevisionMismatch) {
		err = ErrChanged
	}
	if err != nil {
		return fmt.Errorf("%s: %w", site.Name, err)
	}
	site.Revision = revision
	if err := s.Schedule(ctx, *site, now); err != nil {
		return fmt.Errorf("%s was stored; a worker will schedule it within minutes: %w", site.Name, err)
	}
	return nil
}

// Remove takes a site out of the fleet. Its history stays. If purge is true, Remove also deletes the site's
// state and its ledger (the database of what its index holds). Otherwise a new site of that name uses them.
func (s *Sites) Remove(ctx context.Context, name string, purge bool) error {
	err := bus.CheckName(name)
	if err == nil {
		err = s.bus.Sites.Delete(ctx, name)
	}
	if err != nil {
		return fmt.Errorf("remove the site %s: %w", name, err)
	}
	err = s.unschedule(ctx, name)
	if err == nil && purge {
		err = s.purge(ctx, name)
	}
	if err != nil {
		return fmt.Errorf("%s was removed, but not all that the fleet has of it: %w", name, err)
	}
	return nil
}

// purge removes the files and runs of a site, and resets its state. The new state has a higher fencing token
// than the newest lease (right to run the site). So a worker that still runs the site can't send or commit.
func (s *Sites) purge(ctx context.Context, name string) error {
	err := s.bus.Files.Purge(ctx, jetstream.WithPurgeSubject(bus.FilesOf(name)))
	if err == nil {
		err = s.bus.Runs.Purge(ctx, jetstream.WithPurgeSubject(bus.Run(name)))
	}
	if err != nil {
		return err
	}
	e, err := s.bus.States.Get(ctx, name)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	var was lease.State
	_ = json.Unmarshal(e.Value(), &was) // a damaged state is replaced too
	raw, err := json.Marshal(lease.State{Number: was.Number + 1, Reset: true})
	if err == nil {
		_, err = s.bus.States.Update(ctx, name, raw, e.Revision())
	}
	return err
}

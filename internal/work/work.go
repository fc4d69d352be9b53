package work

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"sitesync/internal/own"
	"sitesync/internal/spool"
)

// State identifies the run that a work folder belongs to: a run resumes an earlier one
// only when everything except Run, Start and Command is the same.
type State struct {
	Command    string    `json:"-"` // that the run was started with
	Run        string    `json:"run"`
	Start      time.Time `json:"start"`
	Config     string    `json:"config"`
	Ledger     string    `json:"ledger"` // its identity
	Generation uint64    `json:"generation"`
}

func (s State) holder() Holder { return Holder{Command: s.Command, Since: s.Start} }

// Folder is a run's work folder: the run lock, the frontier, sightings and drafts.
// All of it can be thrown away at no cost but fetching again.
type Folder struct {
	Dir     string
	State   State
	Resumed bool
	Table   *spool.Table
	Group   *spool.Group

	release   func() error // of the lock
	sightings *spool.Log
	drafts    *spool.Log
	temporary bool
	failed    bool // there is nothing to resume
}

// saved is what the folder says of its run.
type saved struct {
	State
	// Looked is how many pages had been looked at when the run was resumed last. Where a
	// run dies of what it found, it does so again: one that was resumed and got no further
	// is not resumed again. noMatter: it was not resumed, or ended by itself.
	Looked int `json:"looked"`
	// Boot is the start of the machine since which the run works. Of one that a power cut
	// ended the disk may hold what came later without what it refers to: it is not resumed.
	// Empty: it ended by itself, or the system does not tell.
	Boot string `json:"boot,omitempty"`
}

const noMatter = -1

// boot returns what this start of the machine is called; empty where only Linux would tell.
func boot() string {
	id, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(id))
}

// Open locks the work folder dir, creating it with mode 0700, and makes it ready for the run that state
// describes. It resumes an earlier run, whose State it then has, if that had the same configuration and
// ledger, began less than resume ago, and neither failed nor died after it was resumed. It errs with
// *LockedError when another run has the folder.
func Open(dir string, state State, resume time.Duration) (*Folder, error) {
	release, err := Lock(dir, state.holder())
	if err != nil {
		return nil, err
	}
	sweep(dir)
	w := &Folder{Dir: dir, State: state, release: release}
	if err := w.begin(resume); err != nil {
		return nil, errors.Join(err, release())
	}
	return w, nil
}

// Temporary makes a work folder of its own beside dir, removed by Close: for
// dry runs.
func Temporary(dir string, state State) (*Folder, error) {
	own, remove, err := Scratch(dir, state.holder())
	if err != nil {
		return nil, err
	}
	w := &Folder{Dir: own, State: state, release: remove, temporary: true}
	if err := w.begin(0); err != nil {
		return nil, errors.Join(err, remove())
	}
	return w, nil
}

// begin resumes an earlier run, or clears the folder for a new one: also when
// what is there can't be read, for all of it can be fetched again.
func (w *Folder) begin(resume time.Duration) error {
	fresh := w.State
	earlier, err := readJSON[saved](w.statePath())
	age := fresh.Start.Sub(earlier.Start)
	same := earlier.Config == fresh.Config && earlier.Ledger == fresh.Ledger && earlier.Generation == fresh.Generation
	if err == nil && same && age >= 0 && age < resume && (earlier.Boot == "" || earlier.Boot == boot()) {
		w.State, w.Resumed = earlier.State, true
		if err := w.open(earlier.Looked); err == nil {
			return nil
		}
		w.State, w.Resumed = fresh, false
	}
	_ = w.closeLogs() // nothing in them is wanted
	if err := w.clear(); err != nil {
		return err
	}
	return w.open(noMatter)
}

func (w *Folder) statePath() string { return filepath.Join(w.Dir, "state.json") }

// open opens the logs, and tells the table what an interrupted run looked at already: so
// many pages when it was resumed last.
func (w *Folder) open(before int) (err error) {
	w.Table = spool.NewTable()
	w.Group, err = spool.OpenGroup(filepath.Join(w.Dir, "sizes.log"))
	if err != nil {
		return err
	}
	w.drafts, err = spool.OpenLog(filepath.Join(w.Dir, "drafts.log"))
	if err != nil {
		return err
	}
	w.sightings, err = spool.OpenLog(filepath.Join(w.Dir, "sightings.log"))
	if err != nil {
		return err
	}
	w.Group.Add(w.drafts, false)
	w.Group.Add(w.sightings, false)
	looked := 0
	for s, err := range w.Sightings() {
		if err == nil && s.Draft > w.drafts.Size() {
			err = spool.ErrCorrupt
		}
		if err != nil {
			return err
		}
		flags := spool.Sighted | spool.Queued
		if s.URL == "" {
			flags |= spool.Kept
		}
		if w.Table.Mark(s.Fingerprint, flags)&spool.Sighted == 0 {
			looked++
		}
	}
	switch {
	case !w.Resumed:
		looked = noMatter
	case looked == before:
		return errors.New("the run was resumed before and got no further")
	}
	return writeJSON(w.statePath(), saved{w.State, looked, boot()})
}

// Fail notes that the run failed with err: what was resumed, or can't be read, is not
// resumed again.
func (w *Folder) Fail(err error) { w.failed = w.Resumed || errors.Is(err, spool.ErrCorrupt) }

// clear removes what an earlier run left, except the lock: first what says that there is
// something to resume.
func (w *Folder) clear() error {
	err := os.Remove(w.statePath())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("clear work folder: %w", err)
	}
	if err := own.Work.Clear(w.Dir, "lock", "holder.json"); err != nil {
		return fmt.Errorf("clear work folder: %w", err)
	}
	return nil
}

// Finish clears the folder: the run it belonged to is over.
func (w *Folder) Finish() error {
	if err := w.closeLogs(); err != nil {
		return err
	}
	return w.clear()
}

// Close releases the folder; a temporary one is removed.
func (w *Folder) Close() error {
	left := w.drafts != nil // for the next run
	_ = w.closeLogs()       // what they lack is fetched again
	var err error
	switch {
	case w.temporary: // there is nothing to keep
	case w.failed:
		err = w.clear()
	case left:
		err = writeJSON(w.statePath(), saved{w.State, noMatter, ""})
	}
	return errors.Join(err, w.release())
}

func (w *Folder) closeLogs() error {
	var errs []error
	if w.Group != nil {
		errs = append(errs, w.Group.Close())
	}
	for _, log := range []*spool.Log{w.drafts, w.sightings} {
		if log != nil {
			errs = append(errs, log.Close())
		}
	}
	w.Group, w.drafts, w.sightings = nil, nil, nil
	return cmp.Or(errs...)
}

func readJSON[T any](path string) (v T, err error) {
	raw, err := os.ReadFile(path) //nolint:gosec // a file of our own
	if err == nil {
		err = json.Unmarshal(raw, &v)
	}
	return v, err
}

func writeJSON(path string, v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		return fmt.Errorf("write work folder: %w", err)
	}
	return nil
}

// RunID returns the identity of a run: a ULID of its start and of what it starts
// from, so that the same start from the same ledger has the same one.
func RunID(start time.Time, config string, generation uint64) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s/%d", config, generation))
	var id ulid.ULID
	_ = id.SetTime(ulid.Timestamp(start)) // errs past the year 10889 only
	_ = id.SetEntropy(sum[:10])           // errs unless there are ten bytes
	return id.String()
}

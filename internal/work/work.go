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

// State identifies a run. A run is resumed only with the same Config, Ledger and Generation.
type State struct {
	Command    string    `json:"-"`
	Run        string    `json:"run"`
	Start      time.Time `json:"start"`
	Config     string    `json:"config"`     // fingerprint of the configuration
	Ledger     string    `json:"ledger"`     // ID of the ledger, the database of what the index holds
	Generation uint64    `json:"generation"` // number of plans (lists of changes) begun with the ledger
}

func (s State) holder() Holder { return Holder{Command: s.Command, Since: s.Start} }

// Folder is the work folder of a run. It logs sightings (what the run saw at each URL) and drafts (documents
// before the site's common text is removed).
type Folder struct {
	Dir     string
	State   State
	Resumed bool
	Table   *spool.Table // the URLs that the run has seen
	Group   *spool.Group // the logs of sightings and drafts, which are flushed together

	release       func() error
	sightings     *spool.Log
	drafts        *spool.Log
	temporary     bool
	mustNotResume bool
}

type saved struct {
	State
	// Looked is the number of pages that the run had visited when it was last resumed, or noMatter. A page
	// may crash the run each time. So a run is not resumed again if it made no progress since then.
	Looked int `json:"looked"`
	// Boot is the boot ID of the machine. It is empty if the run ended normally or the system has no boot ID.
	// A run of another boot is not resumed, because after a power cut data may be missing on the disk.
	Boot string `json:"boot,omitempty"`
}

// noMatter is the value of Looked for a run that was not resumed, or that ended normally.
const noMatter = -1

func boot() string {
	id, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(id))
}

// Open locks the work folder dir, and prepares it for the run that state describes. It resumes the folder's
// earlier run if its configuration and ledger are the same, and it began less than resume ago. [Folder.Fail]
// can prevent this. The Folder of a resumed run has the State of the earlier run. Open errs with *LockedError
// if another run has locked the folder.
func Open(dir string, state State, resume time.Duration) (*Folder, error) {
	release, err := Lock(dir, state.holder())
	if err != nil {
		return nil, err
	}
	sweep(dir)
	w := &Folder{Dir: dir, State: state, release: release}
	if err := w.resumeOrClear(resume); err != nil {
		return nil, errors.Join(err, release())
	}
	return w, nil
}

// Temporary makes a work folder beside dir for a dry run. Close removes it.
func Temporary(dir string, state State) (*Folder, error) {
	own, remove, err := Scratch(dir, state.holder())
	if err != nil {
		return nil, err
	}
	w := &Folder{Dir: own, State: state, release: remove, temporary: true}
	if err := w.resumeOrClear(0); err != nil {
		return nil, errors.Join(err, remove())
	}
	return w, nil
}

func (w *Folder) resumeOrClear(resume time.Duration) error {
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
	_ = w.closeLogs() // an error does no harm: clear removes the logs
	if err := w.clear(); err != nil {
		return err
	}
	return w.open(noMatter)
}

func (w *Folder) statePath() string { return filepath.Join(w.Dir, "state.json") }

func (w *Folder) open(lookedBefore int) (err error) {
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
	case looked == lookedBefore:
		return errors.New("the run was resumed before and got no further")
	}
	return writeJSON(w.statePath(), saved{w.State, looked, boot()})
}

// Fail notes that the run failed with err. A run that was resumed, or has damaged logs, is not resumed again.
func (w *Folder) Fail(err error) { w.mustNotResume = w.Resumed || errors.Is(err, spool.ErrCorrupt) }

func (w *Folder) clear() error {
	err := os.Remove(w.statePath()) // remove it first, because it says that a run can be resumed
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("clear work folder: %w", err)
	}
	if err := own.Work.Clear(w.Dir, "lock", "holder.json"); err != nil {
		return fmt.Errorf("clear work folder: %w", err)
	}
	return nil
}

// Finish clears the folder after a complete run.
func (w *Folder) Finish() error {
	if err := w.closeLogs(); err != nil {
		return err
	}
	return w.clear()
}

// Close unlocks the folder. It removes a temporary folder.
func (w *Folder) Close() error {
	left := w.drafts != nil // true if the run is incomplete: it may be resumed
	_ = w.closeLogs()       // pages that were not written are fetched again
	var err error
	switch {
	case w.temporary: // w.release removes the folder
	case w.mustNotResume:
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
	raw, err := os.ReadFile(path) //nolint:gosec // the path comes from sitesync itself
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

// RunID returns the ID of a run: a ULID of its start and a hash of config and generation, without randomness.
func RunID(start time.Time, config string, generation uint64) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s/%d", config, generation))
	var id ulid.ULID
	_ = id.SetTime(ulid.Timestamp(start)) // errs only after the year 10889
	_ = id.SetEntropy(sum[:10])           // errs unless it gets ten bytes
	return id.String()
}

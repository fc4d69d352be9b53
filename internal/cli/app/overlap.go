package app

import (
	"fmt"
	"os"
	"path/filepath"

	"sitesync/crawl/scout"
	"sitesync/diffstore"
	"sitesync/internal/config"
	"sitesync/internal/document"
)

const warnOverlap = "overlap"

// overlapSteps bounds how long two ledgers are compared: a tenth of a second or so.
const overlapSteps = 100_000

// Overlaps warns of other ledgers in the folder of ours that describe the same index and
// hold a document of ours: each of the two configurations would delete and overwrite
// what the other one pushes. What is no ledger, damaged, or being written is passed
// over.
func Overlaps(cfg *config.Config, ours *diffstore.Ledger) (warnings []document.Warning) {
	dir, own := filepath.Split(cfg.Store.Path)
	files, _ := os.ReadDir(filepath.Clean(dir))
	for _, entry := range files {
		if filepath.Ext(entry.Name()) != ".db" || entry.Name() == own {
			continue
		}
		file := filepath.Join(dir, entry.Name())
		if id := overlap(file, cfg, ours); id != "" {
			warnings = append(warnings, document.Warning{Kind: warnOverlap, URL: id, Text: fmt.Sprintf(
				"is also in the ledger %s, which describes the same index: the two configurations overwrite and delete each other's documents; "+
					"make their scopes disjoint, or give one of them another crawler ID", entry.Name())})
		}
	}
	return warnings
}

// overlap returns the first document that the ledger in file shares with ours.
func overlap(file string, cfg *config.Config, ours *diffstore.Ledger) string {
	theirs, err := diffstore.Peek(file)
	if err != nil {
		return ""
	}
	defer func() { _ = theirs.Close() }()
	pinned, found, err := theirs.Target()
	if err != nil || !found || !SameIndex(pinned, Target(cfg, nil)) {
		return ""
	}
	last, ran, err := theirs.Run("")
	if err != nil {
		return ""
	}
	if _, known, _ := ours.Run(last.Run); ran && known {
		return "" // an older copy of ours
	}
	id, _ := diffstore.Shared(ours, theirs, overlapSteps)
	return id
}

// CheckOverlap looks at the other ledgers in the folder of ours.
func CheckOverlap(cfg *config.Config) (found []scout.Finding) {
	ours, err := diffstore.OpenRead(cfg.Store.Path)
	if err != nil {
		return nil // told already
	}
	defer func() { _ = ours.Close() }()
	for _, w := range Overlaps(cfg, ours) {
		found = append(found, scout.Finding{Subject: "ledger", Of: cfg.Store.Path, Text: w.URL + " " + w.Text, Next: "make the scopes disjoint"})
	}
	return found
}

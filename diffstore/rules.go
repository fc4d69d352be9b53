package diffstore

import "sitesync/internal/document"

// Rules returns what made every document when a run was last complete; nil when none
// was.
func (l *Ledger) Rules() (rules document.Rules, err error) {
	_, err = l.get(bucketMeta, "rules", &rules)
	return rules, err
}

// Package diffstore keeps the ledger, the file that records what the search index holds. It has a record for
// each known URL, the acknowledged documents, approvals of held changes (changes that a limit stopped), and
// facts about hosts and runs. Diff compares a document with its record. The inner package plan reads and
// writes plans (files of changes to send). The inner package pages keeps facts about each crawled page.
//
// A record becomes "ok" only when Step is told that the service acknowledged the change. Every write is one
// transaction. A ledger opened for reading can't be written. Other packages decide which changes are due, and
// send the changes.
//
// CheckApart looks for damage in a child process, because reading a damaged file may crash. KeepCopy leaves
// an undamaged copy, from which a damaged ledger can be restored.
//
// Many goroutines may read a Ledger at once. Begin, Step and Finish are for one goroutine.
package diffstore

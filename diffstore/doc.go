// Package diffstore keeps the ledger, the file that records what the search index holds. The ledger has a
// record for each known URL, the text of acknowledged documents, approvals of held changes (changes that a
// limit stopped), and facts about hosts and runs. The package in the folder plan reads and writes plans
// (files of changes to send). The package in the folder pages keeps facts about each crawled page.
//
// A record becomes "ok" only after the service acknowledged the change. Each write is one transaction. A
// ledger opened for reading can't be written. Other packages decide which changes are due, and send the
// changes.
//
// CheckApart looks for damage in a child process, because reading a damaged file may crash. KeepCopy keeps an
// undamaged copy, from which a damaged ledger can be restored.
//
// Many goroutines may read a Ledger at once. Only one goroutine may call Begin, Step and Finish.
package diffstore

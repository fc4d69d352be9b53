// Package push is the client of the Site Search Service. Client makes the calls of
// index management (specification section 4.1): documents are put, patched and deleted,
// deleted in bulk by a filter, and URLs are queued for the hosted crawler. Tools makes
// those of search tools (section 4.2).
//
// It guarantees that a change is called acknowledged only on the service's own
// word (see Client.Apply), that whatever may have reached the service without such
// a word is in doubt, that a call which can do harm by its shape is refused before
// it is made, and that the key goes to the configured address alone and into no
// error, log or printed value. Calls are made one at a time and in order; a failed
// one is tried again with growing, jittered waits that Retry-After can lengthen, but
// never a create that may have been carried out. The error of a call is an *Error,
// typed first by the shape of the answer (section 7).
//
// It leaves to others what is sent and in which order of operations, what an
// outcome means for the ledger, strikes and parking, the forecast that a bulk delete
// is compared with, and which hosts a queued URL may have. The options are taken as they
// are: the configuration checks them.
//
// A Client counts failures and empty deletes across its calls and is made for one
// run: use it from one goroutine at a time.
//
// Events reports searches, clicks and feedback (sections 4.3 and 4.4): checked before
// they are sent, sent at most once, and never with the API key.
package push

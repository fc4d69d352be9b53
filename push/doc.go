// Package push is the client of the Site Search Service. Client calls the index-management endpoints
// (specification section 4.1). It puts, patches and deletes documents, deletes in bulk by a filter, and
// queues URLs for the hosted crawler. Tools calls the endpoints of search tools (section 4.2).
//
// A change is acknowledged only if the service's answer says so (see Client.Apply). A change that may have
// reached the service without such an answer is in doubt. A call that is dangerous by its shape, such as an
// empty bulk-delete filter, is refused before it is sent. The API key is sent to the configured address
// only, and appears in no error, log or printed value.
//
// Calls are made one at a time and in order. A failed call is retried with growing, jittered waits, which
// Retry-After can lengthen. A create that may have been carried out is never retried. The error of a call
// is an *Error, classified first by the shape of the answer (section 7).
//
// Other packages choose what is sent and in which order, what an outcome means for the ledger, and which
// hosts a queued URL may have. They also forecast the size of a bulk delete. Options are used unchecked:
// the configuration has checked them.
//
// A Client counts failures and empty deletes across its calls. Use a new one for each run, from one
// goroutine.
//
// Events reports searches, clicks and feedback (sections 4.3 and 4.4). An event is checked before it is
// sent, sent at most once, and never with the API key.
package push

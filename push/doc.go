// Package push is the client of the Site Search Service. Client puts, patches and deletes documents, deletes
// in bulk by a filter, and queues URLs for the hosted crawler (specification section 4.1). Tools calls the
// endpoints of search tools (section 4.2). Events reports searches, clicks and feedback of visitors (sections
// 4.3 and 4.4).
//
// A change is acknowledged only if the service's answer says so (see Client.Apply). A change that may have
// reached the service without such an answer is in doubt. A dangerous call, such as a bulk delete with an
// empty filter, is refused before it is sent. The API key is sent only to the configured address. It appears
// in no error, log or printed value.
//
// Calls are made one at a time and in order. A failed call is retried with growing, jittered waits, which
// Retry-After can lengthen. A create that may have been carried out is never retried. The error of a call is
// an *Error, classified first by the form of the answer's body (section 7). An event is checked before it is
// sent, sent at most once, and never with the API key.
//
// Other packages choose what is sent, in which order, and which hosts a queued URL may have. They decide how
// an outcome changes the ledger (the database of what the index holds). They also check Options. A Client
// counts failures and empty deletes across its calls. Use a new Client for each run, from one goroutine.
package push

// Package push is the client of the Site Search Service. Client puts, patches and deletes documents, deletes
// in bulk by a filter, and queues URLs for the hosted crawler (specification section 4.1). Tools calls the
// endpoints of search tools (section 4.2). Events reports searches, clicks and feedback of visitors (sections
// 4.3 and 4.4).
//
// A change is acknowledged only if the service's answer says so (see Client.Apply). Without such an answer, a
// change that may have reached the service is in doubt. A dangerous call, such as a bulk delete with an empty
// filter, is never sent. The API key is sent only to the configured address. No error, log or printed value
// shows the key.
//
// Calls are made one at a time. A failed call is retried after growing, random waits, which Retry-After can
// lengthen. A create is retried only if the service certainly did not carry it out. The error of a call is an
// *Error. An event is checked first, sent without the API key, and recorded at most once.
//
// Other packages choose what is sent, and in which order. They record the outcomes, and check Options. A
// Client counts failures and empty deletes over all its calls. Use a new Client for each run, from one
// goroutine.
package push

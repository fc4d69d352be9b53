// Package journal records how far a plan was sent, so that another worker can send the rest.
// Each batch's outcomes are a mark in the stream bus.Files; a mark is acknowledged before the
// ledger hears of the outcomes, and before the next batch is sent.
//
// It guarantees that whoever takes a plan over sends nothing again but the one batch that was
// under way; that this batch is in doubt although it was acknowledged, as the call of the holder
// before may arrive late; and that what an earlier holder marks after that counts for
// nothing. It leaves to others that a worker whose lease is over sends nothing (internal/fleet/lease),
// and the ledger, which is the one that was committed before the plan.
//
// A plan that can't be resumed is abandoned (Journal.Abandon). Where the plan or a mark can't be
// read, any document may have been touched: open the committed ledger, call its DoubtAll and
// commit it. A document that this plan was the first to send, and whose page is gone by then,
// stays in the index until sitesync adopt is told of it.
//
// A Journal is not safe for concurrent use.
package journal

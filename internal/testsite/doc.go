// Package testsite serves web sites on loopback for tests and benchmarks, over
// real HTTP and nothing less.
//
// Site is a small site that a test edits while it runs and that can be told to
// misbehave. It answers as a good static host does (ETag, Last-Modified and 304,
// gzip for who asks, a not-found page) until a Fault says otherwise, and it keeps
// a log of what it was asked. A page's key is the request target as it stands in
// the request line, so "/a%2Fb", "/a/b" and "/a/b?" are three pages.
//
// Huge is a large site for benchmarks, whose pages are made as they are asked
// for. StartHuge runs one in a process of its own, so that the figures are the
// client's alone.
//
// A Site does not depend on the clock: its dates go on by an hour with every
// edit, and what is slow waits for a channel of the test. All methods are safe
// for concurrent use, except HugeChild's. Left to others: what a crawler should
// make of all this.
//
// # Faults
//
// Times and After limit a fault to the first requests or to all later ones. A
// few faults need no function of their own: a wrong charset or media type and
// odd bytes are a Header, a redirect loop is two calls of Redirect.
//
// # Scripts
//
// Script takes the same things as lines of text. PATTERN is as in Site.Fault,
// TEXT and other markup as it is; BODY, PAGES, VALUE, the text of series, the BYTES of
// answer and the TEXT of robots may be a Go string literal, for line breaks and
// odd bytes.
//
//	set PATH TITLE|TEXT|LINKS|HEAD        a page; LINKS with spaces between, HEAD is markup
//	raw PATH BODY                         a page, byte for byte
//	pdf PATH TITLE|PAGES                  a PDF file; between the texts of its pages stands "|"
//	series PATH N BEFORE|UNIT|AFTER       a page; in each UNIT its number stands for "%d"
//	edit PATH OLD|NEW                     replaces text in a page
//	remove PATH
//	redirect FROM TO [STATUS]             301 unless given
//	robots TEXT
//	sitemap on|off                        the automatic one
//	soft404 on|off
//	lost CODE TITLE|TEXT                  for pages that do not exist; "%p" is the path, "%x" the request's ID
//	astray LOCATION [STATUS]              such pages redirect there, with 302 unless given
//	validators on|off
//	calendar PATH [TEXT]                  PATH1 leads to PATH2 and so on; without TEXT all say the same
//	repeat PATH                           below PATH/ each page leads one segment deeper
//	maintenance on|off                    503 on every path
//	login on|off                          every path leads to /login
//	botguard on|off                       403 and a challenge on every path
//	status PATTERN CODE [RETRY-AFTER]
//	say PATTERN CODE TITLE|TEXT
//	stand PATTERN KIND                    bot-guard, login-wall, login-redirect, or maintenance (200)
//	vanish PATTERN [CODE]                 as if the page did not exist, with another status if given
//	answer PATTERN BYTES                  in place of an HTTP answer
//	headers PATTERN N BYTES               so many more headers of so many bytes
//	header PATTERN NAME [VALUE]           without a value: the header is left out
//	auth PATTERN USER PASSWORD            401 for all others
//	cut PATTERN BYTES
//	truncate PATTERN BYTES                the same without a length: it looks whole
//	reset PATTERN BYTES                   -1: before the first byte of the answer
//	oversize PATTERN BYTES
//	bomb PATTERN BYTES                    size when inflated
//	sessions PATTERN NAME                 links carry a session's ID, another one on each page
//	endless PATTERN
//	visit FORM                            links carry a session: FORM with "%p" for the path; earlier ones stay good
//	hold PATTERN                          no answer until release
//	stall PATTERN                         headers, then nothing until release
//	release PATTERN                       ends hold and stall
//	heal PATTERN                          ends any other fault
//	times N FAULT                         a fault's line, for the first N requests only
//	after N FAULT                         for all but the first N requests
//	many N COMMAND                        N times, with the number, from 0, in place of "%d"
//	forget                                empties the log
//	count PATH N                          errs unless PATH was asked for N times
package testsite

// Package record stores the last runs of each site: figures, report and messages. A record fits into one
// message of the server, because long texts are cut in the middle. The server limits how many runs of a site
// it keeps. Callers must remove control characters before a terminal shows the texts. Put and Read are safe
// for concurrent use.
package record

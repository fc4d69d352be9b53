package calls

import (
	"github.com/spf13/cobra"

	"sitesync/internal/cli/app"
	"sitesync/internal/wire"
	"sitesync/push"
)

func trackCommand(a *app.App) *cobra.Command {
	return eventGroup(a, "track", "Report what visitors searched and clicked",
		eventKind{kind: wire.EventQuery, name: "query", short: "Report a search: --query and --qid are needed", flags: queryFlags},
		eventKind{kind: wire.EventClick, name: "click", short: "Report a click on a result or a banner: --source is needed", flags: clickFlags},
	)
}

// queryFlags are the keys of specification section 2.9.
func queryFlags(keys push.EventKeys) []eventFlag {
	return append(searchFlags(keys),
		eventFlag{"results", "rc", "number of results"},
		eventFlag{"corrected", "fquery", "corrected query, where its results were shown"},
		eventFlag{"banners", "ban", "number of banners shown"},
		eventFlag{"banner-ids", "bnrs", "IDs of the banners shown"},
		eventFlag{"time", "rt", "milliseconds that the service took"},
		eventFlag{"quicklink", "ql", "ID of the quicklink that led to the search"},
	)
}

// clickFlags are the keys of section 2.10.
func clickFlags(keys push.EventKeys) []eventFlag {
	return append(searchFlags(keys),
		eventFlag{"source", keys.Source, "searchresult or banner"},
		eventFlag{"url", "clurl", "address of the result"},
		eventFlag{"rank", "cli", "rank of the result in the list"},
		eventFlag{"title", "title", "title of the result"},
		eventFlag{"banner", "cloi", "ID of the banner"},
	)
}

// searchFlags are the keys that both kinds have.
func searchFlags(keys push.EventKeys) []eventFlag {
	return []eventFlag{
		{"query", "sw", "what the visitor searched for"},
		{"qid", "qid", "QueryId of the search's answer"},
		{"page", "pn", "number of the page of results"},
		{"device", keys.Device, "mobile, tablet or desktop"},
		{"session", "sid", "ID of the visit"},
		{"query-session", "qsid", "ID of the query session"},
		{"host", "hn", "host name of the page"},
		{"from-title", "refpt", "title of the page that the visitor came from"},
		{"language", "brl", "language of the browser"},
		{"resolution", "sz", "resolution of the screen, such as 1920x1080"},
		{"referrer", "refurl", "address that the visitor came from; personal"},
		{"user-agent", "ua", "user agent of the browser; personal"},
		{"ip", "ip", "address of the visitor's machine; personal"},
	}
}

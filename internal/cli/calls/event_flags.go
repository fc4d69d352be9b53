package calls

import (
	"slices"

	"github.com/spf13/cobra"

	"sitesync/internal/cli/app"
	"sitesync/internal/wire"
	"sitesync/push"
)

// eventCommands are track and feedback.
func eventCommands(a *app.App) []*cobra.Command {
	return []*cobra.Command{
		group("track", "Report what visitors searched and clicked",
			eventCommand(a, "query", wire.EventQuery, "Report a search: --query and --qid are needed"),
			eventCommand(a, "click", wire.EventClick, "Report a click on a result or a banner: --source is needed"),
		),
		group("feedback", "Report what visitors think of results, summaries and answers",
			eventCommand(a, "search", wire.EventFeedback, "Report an opinion on search results"),
			eventCommand(a, "summary", wire.EventSummaryFeedback, "Report an opinion on a summary: --summary is needed"),
			eventCommand(a, "answer", wire.EventAnswerFeedback, "Report an opinion on an answer: --conversation, --exchange, and one of --rating, --reason and --comment are needed"),
			eventCommand(a, "answer-click", wire.EventAnswerClick, "Report a click on a link of an answer: --conversation, --exchange and --url are needed"),
		),
	}
}

// eventFlag is a readable name for a key of an event; the key is empty where nobody
// knows it.
type eventFlag struct{ name, key, usage string }

// eventFlags are the keys of a kind of events (specification sections 2.8 to 2.11).
func eventFlags(kind string, keys push.EventKeys) []eventFlag {
	opinion := func(rating string) []eventFlag {
		return []eventFlag{{"rating", rating, "positive or negative"}, {"reason", "reason", "reason that the visitor chose"}, {"comment", "comment", "what the visitor wrote"}}
	}
	exchange := []eventFlag{
		{"conversation", "conversationId", "ID of the conversation, from the answer"},
		{"exchange", "exchangeId", "ID of the exchange, from the answer"},
	}
	switch kind {
	case wire.EventQuery:
		return append(searchFlags(keys),
			eventFlag{"results", "rc", "number of results"},
			eventFlag{"corrected", "fquery", "corrected query, where its results were shown"},
			eventFlag{"banners", "ban", "number of banners shown"},
			eventFlag{"banner-ids", "bnrs", "IDs of the banners shown"},
			eventFlag{"time", "rt", "milliseconds that the service took"},
			eventFlag{"quicklink", "ql", "ID of the quicklink that led to the search"},
		)
	case wire.EventClick:
		return append(searchFlags(keys),
			eventFlag{"source", keys.Source, "searchresult or banner"},
			eventFlag{"url", "clurl", "address of the result"},
			eventFlag{"rank", "cli", "rank of the result in the list"},
			eventFlag{"title", "title", "title of the result"},
			eventFlag{"banner", "cloi", "ID of the banner"},
		)
	case wire.EventSummaryFeedback:
		return append(opinion(keys.Rating), eventFlag{"summary", "summaryId", "ID of the summary"})
	case wire.EventAnswerFeedback:
		return slices.Concat(opinion("rating"), exchange, []eventFlag{{"language", keys.Language, "language of the opinion"}})
	case wire.EventAnswerClick:
		return append(exchange, eventFlag{"url", "url", "address of the link"})
	}
	return append(opinion("rating"),
		eventFlag{"url", "url", "page on which the opinion was given"},
		eventFlag{"id", "feedbackId", "UUID of the opinion; left out: one is made"},
		eventFlag{"session", "sessionId", "ID of the visit"},
		eventFlag{"device", "deviceType", "such as desktop, mobile, tablet"},
		eventFlag{"language", "browserLanguage", "language of the browser"},
		eventFlag{"resolution", "screenResolution", "resolution of the screen, such as 1920x1080"},
		eventFlag{"application", "applicationName", "name of the application"},
		eventFlag{"application-version", "applicationVersion", "version of the application"},
		eventFlag{"user-agent", "userAgent", "user agent of the browser; personal"},
		eventFlag{"ip", "ip", "address of the visitor's machine; personal"},
	)
}

// searchFlags are the keys that query and click events have.
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

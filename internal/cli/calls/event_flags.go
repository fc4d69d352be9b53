package calls

import (
	"slices"

	"github.com/spf13/cobra"

	"sitesync/internal/cli/app"
	"sitesync/internal/wire"
	"sitesync/push"
)

func trackCommand(a *app.App) *cobra.Command {
	return group("track", "Report what visitors searched and clicked",
		eventCommand(a, "query", wire.EventQuery, "Report a search: --query and --qid are needed", queryFlags),
		eventCommand(a, "click", wire.EventClick, "Report a click on a result or a banner: --source is needed", clickFlags),
	)
}

func feedbackCommand(a *app.App) *cobra.Command {
	return group("feedback", "Report what visitors think of results, summaries and answers",
		eventCommand(a, "search", wire.EventFeedback, "Report an opinion on search results", resultFlags),
		eventCommand(a, "summary", wire.EventSummaryFeedback, "Report an opinion on a summary: --summary is needed", summaryFlags),
		eventCommand(a, "answer", wire.EventAnswerFeedback, "Report an opinion on an answer: --conversation, --exchange, and one of --rating, --reason and --comment are needed", answerFlags),
		eventCommand(a, "answer-click", wire.EventAnswerClick, "Report a click on a link of an answer: --conversation, --exchange and --url are needed", answerClickFlags),
	)
}

// eventFlag is a readable name for a key of an event; the key is empty where nobody
// knows it.
type eventFlag struct{ name, key, usage string }

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

// resultFlags are the keys of section 2.8.
func resultFlags(push.EventKeys) []eventFlag {
	return append(opinionFlags("rating"),
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

func summaryFlags(keys push.EventKeys) []eventFlag {
	return append(opinionFlags(keys.Rating), eventFlag{"summary", "summaryId", "ID of the summary"})
}

func answerFlags(keys push.EventKeys) []eventFlag {
	return slices.Concat(opinionFlags("rating"), exchangeFlags(), []eventFlag{{"language", keys.Language, "language of the opinion"}})
}

func answerClickFlags(push.EventKeys) []eventFlag {
	return append(exchangeFlags(), eventFlag{"url", "url", "address of the link"})
}

func opinionFlags(rating string) []eventFlag {
	return []eventFlag{{"rating", rating, "positive or negative"}, {"reason", "reason", "reason that the visitor chose"}, {"comment", "comment", "what the visitor wrote"}}
}

func exchangeFlags() []eventFlag {
	return []eventFlag{
		{"conversation", "conversationId", "ID of the conversation, from the answer"},
		{"exchange", "exchangeId", "ID of the exchange, from the answer"},
	}
}

package calls

import (
	"github.com/spf13/cobra"

	"sitesync/internal/cli/app"
	"sitesync/internal/wire"
	"sitesync/push"
)

func feedbackCommand(a *app.App) *cobra.Command {
	return eventGroup(a, "feedback", "Report what visitors think of results, summaries and answers",
		eventKind{kind: wire.EventFeedback, name: "search", short: "Report an opinion on search results", flags: resultFlags},
		eventKind{kind: wire.EventSummaryFeedback, name: "summary", short: "Report an opinion on a summary: --summary is needed", flags: summaryFlags},
		eventKind{kind: wire.EventAnswerFeedback, name: "answer", short: "Report an opinion on an answer: --conversation, --exchange, and one of --rating, --reason and --comment are needed", flags: answerFlags},
		eventKind{kind: wire.EventAnswerClick, name: "answer-click", short: "Report a click on a link of an answer: --conversation, --exchange and --url are needed", flags: answerClickFlags},
	)
}

// resultFlags are the keys of specification section 2.8.
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
	return append(opinionFlags("rating"), append(exchangeFlags(), eventFlag{"language", keys.Language, "language of the opinion"})...)
}

func answerClickFlags(push.EventKeys) []eventFlag {
	return append(exchangeFlags(), eventFlag{"url", "url", "address of the link"})
}

func opinionFlags(rating string) []eventFlag {
	return []eventFlag{
		{"rating", rating, "positive or negative"},
		{"reason", "reason", "reason that the visitor chose"},
		{"comment", "comment", "what the visitor wrote"},
	}
}

func exchangeFlags() []eventFlag {
	return []eventFlag{
		{"conversation", "conversationId", "ID of the conversation, from the answer"},
		{"exchange", "exchangeId", "ID of the exchange, from the answer"},
	}
}

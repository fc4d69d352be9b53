package calls

import (
	_ "embed"
	"slices"
	"strings"

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

//go:embed events.txt
var eventTable string

// eventFlags are the keys of a kind of events.
func eventFlags(kind string, keys push.EventKeys) (flags []eventFlag) {
	track := map[string]string{"$device": keys.Device, "$source": keys.Source, "$rating": keys.Rating, "$language": keys.Language}
	for line := range strings.Lines(eventTable) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		if !slices.Contains(strings.Fields(cells[0]), kind) {
			continue
		}
		flag := eventFlag{cells[1], cells[2], cells[3]}
		if key, ok := track[flag.key]; ok {
			flag.key = key
		}
		flags = append(flags, flag)
	}
	return flags
}

package query

import (
	"cmp"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"sitesync/internal/service/passage"
	"sitesync/internal/service/search"
	"sitesync/internal/service/store"
	"sitesync/internal/service/web"
	"sitesync/internal/wire"
)

// Bounds of answers and of the work for one.
const (
	maxQuestion  = 1000      // bytes
	answerBytes  = 600       // of an answer's text
	summaryBytes = 1200      // of a summary's
	maxSources   = 10        // documents that are read for one
	sourceBytes  = 256 << 10 // that are read of each: ten so long take half a second
)

// question is the body of both requests. A conversation that was begun here may be gone
// on with; what was asked in it before is not remembered.
type question struct {
	Query          string `json:"query"`
	ConversationID string `json:"conversationId"`
}

// citation is a passage of a document, as it stands there: plain text, which a page
// has to escape.
type citation struct {
	URL   string `json:"url"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// chat answers a question with the passages that match it best.
func (f *Finder) chat(c *web.Call) (web.Reply, error) {
	asked, err := decodeQuestion(c.Body)
	if err != nil {
		return web.Reply{}, err
	}
	conversation := cmp.Or(asked.ConversationID, f.Signer.Issue(web.IDConversation, c.Customer, c.Engine, ""))
	if customer, engine, ok := f.Signer.Issued(conversation, web.IDConversation, ""); !ok || customer != c.Customer || engine != c.Engine {
		return web.Reply{}, web.BadRequest("conversationId is not that of a conversation with this engine")
	}
	text, citations, err := f.quote(c, asked.Query, answerBytes)
	return web.OK(struct {
		ConversationID string     `json:"conversationId"`
		ExchangeID     string     `json:"exchangeId"`
		Answer         string     `json:"answer"`
		Citations      []citation `json:"citations"`
		NotSpecified   bool       `json:"notSpecified"`
	}{conversation, f.Signer.Issue(web.IDExchange, c.Customer, c.Engine, conversation), text, citations, true}, err)
}

// summarize sums up what is found for a query by its best passages.
func (f *Finder) summarize(c *web.Call) (web.Reply, error) {
	asked, err := decodeQuestion(c.Body)
	if err != nil {
		return web.Reply{}, err
	}
	text, citations, err := f.quote(c, asked.Query, summaryBytes)
	return web.OK(struct {
		SummaryID    string     `json:"summaryId"`
		Summary      string     `json:"summary"`
		Citations    []citation `json:"citations"`
		NotSpecified bool       `json:"notSpecified"`
	}{f.Signer.Issue(web.IDSummary, c.Customer, c.Engine, ""), text, citations, true}, err)
}

func decodeQuestion(body []byte) (asked question, err error) {
	switch err := json.Unmarshal(body, &asked); {
	case err != nil:
		return question{}, web.BadRequest("the body must be an object of strings with query")
	case strings.TrimSpace(asked.Query) == "":
		return question{}, web.BadRequest("query is required")
	case len(asked.Query) > maxQuestion:
		return question{}, web.BadRequest("query is longer than %d bytes", maxQuestion)
	}
	return asked, nil
}

// quote returns the passages that match a query best, of the documents that do, as one
// text of limit bytes at most and a citation each; empty when nothing matches.
func (f *Finder) quote(c *web.Call, query string, limit int) (string, []citation, error) {
	ctx, citations := c.Request.Context(), []citation{}
	index, err := f.Store.Searched(c.Customer)
	if index == nil || err != nil {
		return "", citations, cmp.Or(err, ctx.Err())
	}
	synonyms, err := f.synonyms(c.Customer)
	if err != nil {
		return "", nil, err
	}
	found, err := index.Search(ctx, search.Query{Text: query, Synonyms: synonyms, Crawlers: f.Feeds[c.Engine], Size: maxSources})
	if err != nil {
		return "", nil, err
	}
	var sources []passage.Doc
	var addresses []string
	err = f.Store.Stored(ctx, c.Customer, found.Hits, func(doc wire.Document) {
		text := head(cmp.Or(store.First(doc, "Content"), store.First(doc, "Description")))
		sources, addresses = append(sources, passage.Doc{Title: store.First(doc, "Title"), Text: text}), append(addresses, store.First(doc, "Url"))
	})
	if err != nil {
		return "", nil, err
	}
	var texts []string
	for _, p := range passage.Best(query, sources, limit) {
		texts = append(texts, p.Text)
		citations = append(citations, citation{addresses[p.Doc], sources[p.Doc].Title, p.Text})
	}
	return strings.Join(texts, " "), citations, ctx.Err()
}

// head returns the part of a text that is read.
func head(text string) string {
	return strings.ToValidUTF8(strings.Clone(text[:min(len(text), sourceBytes)]), "")
}

// The bounds of an autocompletion.
const (
	defaultCompletions = 5
	maxCompletions     = 50
)

// completed is the answer to autocomplete.
type completed struct {
	Results          []completedResult `json:"results"`
	Suggestions      []string          `json:"suggestions"`
	TotalResults     int               `json:"totalResults"`
	TotalSuggestions int               `json:"totalSuggestions"`
	QueryID          string            `json:"queryId"`
}

type completedResult struct {
	ID     string            `json:"id"`
	Fields map[string]string `json:"fields"`
}

// autocomplete is GET autocomplete: what begins with the last word of a query, which comes
// once, as does the number of results.
func (f *Finder) autocomplete(c *web.Call) (web.Reply, error) {
	values, err := url.ParseQuery(c.Request.URL.RawQuery)
	texts, size := values["query"], defaultCompletions
	if err != nil || len(texts) != 1 || strings.TrimSpace(texts[0]) == "" || !utf8.ValidString(texts[0]) {
		return web.Reply{}, web.BadRequest("query is required, once")
	}
	if sizes, given := values["results"]; given {
		size, err = strconv.Atoi(sizes[0])
		if err != nil || len(sizes) > 1 || size < 1 || size > maxCompletions {
			return web.Reply{}, web.BadRequest("results must be one number, 1 to %d", maxCompletions)
		}
	}
	a := completed{Results: []completedResult{}, Suggestions: []string{}, QueryID: f.Signer.Issue(web.IDQuery, c.Customer, c.Engine, "")}
	index, err := f.Store.Searched(c.Customer)
	if index == nil || err != nil {
		return web.OK(a, err)
	}
	found, err := index.Complete(c.Request.Context(), search.Query{Text: texts[0], Crawlers: f.Feeds[c.Engine], Size: size}, size)
	if err != nil {
		return web.Reply{}, err
	}
	room := answerRoom
	err = f.Store.Stored(c.Request.Context(), c.Customer, found.Hits, func(doc wire.Document) {
		fields := map[string]string{}
		for name := range doc.Fields {
			fields[name] = room.take(store.First(doc, name))
		}
		a.Results = append(a.Results, completedResult{doc.ID, fields})
	})
	a.Suggestions = append(a.Suggestions, found.Texts...)
	a.TotalResults, a.TotalSuggestions = found.Total, found.Count
	return web.OK(a, err)
}

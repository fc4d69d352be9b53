package query

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"sitesync/internal/service/search"
	"sitesync/internal/service/store"
	"sitesync/internal/service/web"
	"sitesync/internal/wire"
)

// Bounds of answers and of the work for one.
const (
	maxQuestion  = 1000 // bytes
	answerBytes  = 600  // of an answer's text
	summaryBytes = 1200 // of a summary's
	maxSources   = 10   // documents that are read for one
	maxQuote     = 300  // bytes that are quoted of each
)

// question is the body of both requests. A conversation that was begun here may be gone
// on with; what was asked in it before is not remembered.
type question struct {
	Query          string `json:"query"`
	ConversationID string `json:"conversationId"`
}

// citation is what a document says of itself: plain text, which a page has to escape.
type citation struct {
	URL   string `json:"url"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// chat answers a question with the documents that match it best.
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

// summarize sums up what is found for a query by the documents that match it best.
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

// quote returns the descriptions of the documents that match a query best, or the beginnings of
// their texts, as one text of limit bytes at most and a citation each.
func (f *Finder) quote(c *web.Call, query string, limit int) (string, []citation, error) {
	ctx, citations := c.Request.Context(), []citation{}
	q := search.Query{Text: query, Size: maxSources}
	if _, err := f.scope(&q, c.Customer, c.Engine); err != nil {
		return "", nil, err
	}
	found, err := search.Search(ctx, f.Store, c.Customer, q)
	if err != nil {
		return "", nil, err
	}
	var texts []string
	err = f.Store.Stored(ctx, c.Customer, found.Hits, func(doc wire.Document) {
		text := strings.TrimSpace(head(cmp.Or(store.Text(doc, "Description"), store.Text(doc, "Content")), maxQuote))
		if text == "" || limit <= len(text) || slices.Contains(texts, text) {
			return
		}
		limit -= len(text) + 1
		texts = append(texts, text)
		citations = append(citations, citation{store.Text(doc, "Url"), store.Text(doc, "Title"), text})
	})
	return strings.Join(texts, " "), citations, err
}

// head returns the beginning of a text, as many bytes at most.
func head(text string, size int) string {
	if len(text) <= size {
		return text
	}
	return strings.ToValidUTF8(strings.Clone(text[:size]), "")
}

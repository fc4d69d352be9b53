package query

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
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

// question is the body of all requests. A conversation that was begun here may be gone
// on with; what was asked in it before is not remembered.
type question struct {
	Query          string `json:"query"`
	Question       string `json:"question"` // in place of the query, as the vendor's components have it
	ConversationID string `json:"conversationId"`

	Sources   []struct{ ID string }
	Citations bool `json:"includeCitations"`
}

// citation is what a document says of itself: plain text, which a page has to escape.
type citation struct {
	URL   string `json:"url"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// chat answers a question with the documents that match it best.
func (f *Finder) chat(c *web.Call) (web.Reply, error) {
	asked, err := decodeQuestion(c)
	if err != nil {
		return web.Reply{}, err
	}
	conversation := cmp.Or(asked.ConversationID, f.Signer.Issue(web.IDConversation, c.Customer, c.Engine, ""))
	if customer, engine, ok := f.Signer.Issued(conversation, web.IDConversation, ""); !ok || customer != c.Customer || engine != c.Engine {
		return web.Reply{}, web.BadRequest("conversationId is not that of a conversation with this engine")
	}
	text, citations, err := f.quote(c, asked, answerBytes)
	type value struct {
		ConversationID string `json:"conversationId"`
		ExchangeID     string `json:"exchangeId"`
		Answer         string `json:"answer"`
		URL            string `json:"url"` // of the page that matches best
	}
	v := value{conversation, f.Signer.Issue(web.IDExchange, c.Customer, c.Engine, conversation), text, ""}
	if len(citations) > 0 {
		v.URL = citations[0].URL
	}
	return web.OK(struct {
		value
		Citations    []citation `json:"citations"`
		NotSpecified bool       `json:"notSpecified"`
		Status       string     `json:"status"`
		StatusCode   int        `json:"statusCode"`
		Value        value      `json:"value"` // again, where the vendor's components look for it
		Messages     [0]string  `json:"messages"`
	}{v, citations, true, "OK", http.StatusOK, v, [0]string{}}, err)
}

// summarize sums up what is found for a query by the documents that match it best.
func (f *Finder) summarize(c *web.Call) (web.Reply, error) {
	asked, err := decodeQuestion(c)
	if err != nil {
		return web.Reply{}, err
	}
	text, citations, err := f.quote(c, asked, summaryBytes)
	return web.OK(struct {
		SummaryID    string     `json:"summaryId"`
		Summary      string     `json:"summary"`
		Citations    []citation `json:"citations"`
		NotSpecified bool       `json:"notSpecified"`
	}{f.Signer.Issue(web.IDSummary, c.Customer, c.Engine, ""), text, citations, true}, err)
}

// stream is summarize with a plain text as its answer: with links to what it quotes where
// citations are asked for, as [NUMBER](ADDRESS).
func (f *Finder) stream(c *web.Call) (web.Reply, error) {
	asked, err := decodeQuestion(c)
	if err != nil {
		return web.Reply{}, err
	}
	text, citations, err := f.quote(c, asked, summaryBytes)
	if asked.Citations {
		var texts []string
		for i, one := range citations {
			texts = append(texts, fmt.Sprintf("%s [%d](%s)", one.Text, i+1, one.URL))
		}
		text = strings.Join(texts, " ")
	}
	return web.Reply{Status: http.StatusOK, Body: []byte(text), Summary: f.Signer.Issue(web.IDSummary, c.Customer, c.Engine, "")}, err
}

func decodeQuestion(c *web.Call) (asked question, err error) {
	err = json.Unmarshal(c.Body, &asked)
	if !c.Strict {
		asked.Query = cmp.Or(asked.Query, asked.Question)
	}
	switch {
	case err != nil:
		return question{}, web.BadRequest("the body must be an object of strings with query")
	case strings.TrimSpace(asked.Query) == "":
		return question{}, web.BadRequest("query is required")
	case len(asked.Query) > maxQuestion:
		return question{}, web.BadRequest("query is longer than %d bytes", maxQuestion)
	}
	return asked, nil
}

// quote returns the descriptions of the documents that match a query best, of its sources where
// it names any, or the beginnings of their texts, as one text of limit bytes at most and a
// citation each.
func (f *Finder) quote(c *web.Call, asked question, limit int) (string, []citation, error) {
	ctx, citations := c.Request.Context(), []citation{}
	q := search.Query{Text: asked.Query, Size: maxSources}
	for _, source := range asked.Sources[:min(len(asked.Sources), maxSources)] {
		q.Only = append(q.Only, source.ID)
	}
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

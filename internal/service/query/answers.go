package query

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"sitesync/internal/service/search"
	"sitesync/internal/service/store"
	"sitesync/internal/service/web"
	"sitesync/internal/wire"
)

const (
	maxAnswerBytes     = 600
	maxSummaryBytes    = 1200
	maxQuotedDocuments = 10
	maxQuoteBytes      = 300
)

// question is the request body of answers and summaries. Earlier questions of a conversation are not stored.
type question struct {
	Query          string `json:"query"`
	Question       string `json:"question"` // the key that the vendor's web components send instead of "query"
	ConversationID string `json:"conversationId"`

	Sources   []struct{ ID string }
	Citations bool `json:"includeCitations"`

	answer    string
	citations []citation
}

// citation is a quoted document. Its texts are plain text, so a web page must escape them.
type citation struct {
	URL   string `json:"url"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

func (f *Finder) chat(c *web.Call) (web.Reply, error) {
	q, err := f.quote(c, maxAnswerBytes)
	if err != nil {
		return web.Reply{}, err
	}
	conversation := cmp.Or(q.ConversationID, f.Signer.Issue(web.IDConversation, c.Customer, c.Engine, ""))
	customer, engine, ok := f.Signer.Issued(conversation, web.IDConversation, "")
	if !ok || customer != c.Customer || engine != c.Engine {
		return web.Reply{}, web.BadRequest("conversationId is not that of a conversation with this engine")
	}
	value := map[string]any{
		"conversationId": conversation, "answer": q.answer, "url": "",
		"exchangeId": f.Signer.Issue(web.IDExchange, c.Customer, c.Engine, conversation),
	}
	if len(q.citations) > 0 {
		value["url"] = q.citations[0].URL
	}
	answer := map[string]any{
		"citations": q.citations, "notSpecified": true, "status": "OK", "statusCode": http.StatusOK,
		"messages": []string{}, "value": value, // the vendor's web components read the answer from "value"
	}
	maps.Copy(answer, value)
	return web.JSON(http.StatusOK, answer)
}

func (f *Finder) summarize(c *web.Call) (web.Reply, error) {
	q, err := f.quote(c, maxSummaryBytes)
	return web.OK(map[string]any{
		"summaryId": f.Signer.Issue(web.IDSummary, c.Customer, c.Engine, ""),
		"summary":   q.answer, "citations": q.citations, "notSpecified": true,
	}, err)
}

// stream serves POST search/summarize/stream, with plain text as its response. If the client requests
// citations, each quote ends with a Markdown link to its page: [NUMBER](URL).
func (f *Finder) stream(c *web.Call) (web.Reply, error) {
	q, err := f.quote(c, maxSummaryBytes)
	if q.Citations {
		var texts []string
		for i, one := range q.citations {
			texts = append(texts, fmt.Sprintf("%s [%d](%s)", one.Text, i+1, one.URL))
		}
		q.answer = strings.Join(texts, " ")
	}
	id := f.Signer.Issue(web.IDSummary, c.Customer, c.Engine, "")
	return web.Reply{Status: http.StatusOK, Body: []byte(q.answer), Summary: id}, err
}

func decodeQuestion(c *web.Call) (asked question, err error) {
	err = json.Unmarshal(c.Body, &asked)
	if !c.Strict {
		asked.Query = cmp.Or(asked.Query, asked.Question)
	}
	if err != nil || strings.TrimSpace(asked.Query) == "" {
		return question{}, web.BadRequest("the body must be an object of strings with query")
	}
	return asked, nil
}

// quote answers a question. It quotes the descriptions of the best matching documents, or the beginnings of
// their texts. If the question lists sources, only these are searched. The answer has at most limit bytes.
func (f *Finder) quote(c *web.Call, limit int) (asked question, err error) {
	asked, err = decodeQuestion(c)
	if err != nil {
		return asked, err
	}
	q := search.Query{Text: asked.Query, Size: maxQuotedDocuments}
	var sources []string
	for _, source := range asked.Sources[:min(len(asked.Sources), maxQuotedDocuments)] {
		sources = append(sources, source.ID)
	}
	if sources != nil {
		q.Filters = append(q.Filters, search.Named(c.Customer, sources))
	}
	result, _, err := f.run(c.Request.Context(), c.Customer, c.Engine, q, false)
	if err != nil {
		return asked, err
	}
	asked.citations = []citation{}
	var texts []string
	err = f.Store.Stored(c.Request.Context(), c.Customer, result.Hits, func(doc wire.Document) {
		text := cmp.Or(store.Text(doc, "Description"), store.Text(doc, "Content"))
		text = strings.TrimSpace(head(text, maxQuoteBytes))
		if text == "" || limit <= len(text) || slices.Contains(texts, text) {
			return
		}
		limit -= len(text) + 1
		texts = append(texts, text)
		asked.citations = append(asked.citations, citation{store.Text(doc, "Url"), store.Text(doc, "Title"), text})
	})
	asked.answer = strings.Join(texts, " ")
	return asked, err
}

func head(text string, size int) string {
	return strings.ToValidUTF8(text[:min(len(text), size)], "")
}

package service

import (
	"cmp"
	"encoding/json"
	"strings"

	"sitesync/internal/service/passage"
)

// Bounds of answers and of the work for one.
const (
	maxQuestion  = 1000      // bytes
	answerBytes  = 600       // of an answer's text
	summaryBytes = 1200      // of a summary's
	maxSources   = 10        // documents that are read for one
	sourceBytes  = 256 << 10 // that are read of each: ten so long take half a second
)

// answerRoutes are those of AI chat answer and AI summary generation, whose paths alone the
// specification gives (sections 4.5 and 9). Schemes, requests and answers are ours,
// and the answers say so.
func (s *Service) answerRoutes() []route {
	const search = "POST /api/v4/{customer}/{engine}/search/"
	return []route{
		{search + "answer", EndpointAnswer, takesSiteKey | takesBasic, s.chatAnswer},
		{search + "summarize", EndpointSummarize, takesSiteKey | takesBasic, s.summarize},
	}
}

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

// chatAnswer answers a question with the passages that match it best.
func (s *Service) chatAnswer(c *call) (reply, error) {
	asked, err := decodeQuestion(c.body)
	if err != nil {
		return reply{}, err
	}
	conversation := cmp.Or(asked.ConversationID, s.issue(idConversation, c.customer, c.engine, ""))
	if customer, engine, ok := s.issued(conversation, idConversation, ""); !ok || customer != c.customer || engine != c.engine {
		return reply{}, badRequest("conversationId is not that of a conversation with this engine")
	}
	text, citations, err := s.quote(c, asked.Query, answerBytes)
	return okReply(struct {
		ConversationID string     `json:"conversationId"`
		ExchangeID     string     `json:"exchangeId"`
		Answer         string     `json:"answer"`
		Citations      []citation `json:"citations"`
		NotSpecified   bool       `json:"notSpecified"`
	}{conversation, s.issue(idExchange, c.customer, c.engine, conversation), text, citations, true}, err)
}

// summarize sums up what is found for a query by its best passages.
func (s *Service) summarize(c *call) (reply, error) {
	asked, err := decodeQuestion(c.body)
	if err != nil {
		return reply{}, err
	}
	text, citations, err := s.quote(c, asked.Query, summaryBytes)
	return okReply(struct {
		SummaryID    string     `json:"summaryId"`
		Summary      string     `json:"summary"`
		Citations    []citation `json:"citations"`
		NotSpecified bool       `json:"notSpecified"`
	}{s.issue(idSummary, c.customer, c.engine, ""), text, citations, true}, err)
}

func decodeQuestion(body []byte) (asked question, err error) {
	switch err := json.Unmarshal(body, &asked); {
	case err != nil:
		return question{}, badRequest("the body must be an object of strings with query")
	case strings.TrimSpace(asked.Query) == "":
		return question{}, badRequest("query is required")
	case len(asked.Query) > maxQuestion:
		return question{}, badRequest("query is longer than %d bytes", maxQuestion)
	}
	return asked, nil
}

// quote returns the passages that match a query best, of the documents that do, as one
// text of limit bytes at most and a citation each; empty when nothing matches.
func (s *Service) quote(c *call, query string, limit int) (string, []citation, error) {
	hits, err := s.find(c.r.Context(), c.customer, c.engine, query, maxSources)
	if err := cmp.Or(err, c.r.Context().Err()); err != nil {
		return "", nil, err
	}
	docs := make([]passage.Doc, len(hits))
	for i, h := range hits {
		docs[i] = passage.Doc{Title: h.fields["Title"], Text: head(cmp.Or(h.fields["Content"], h.fields["Description"]))}
	}
	var texts []string
	citations := []citation{}
	for _, p := range passage.Best(query, docs, limit) {
		texts = append(texts, p.Text)
		citations = append(citations, citation{hits[p.Doc].fields["Url"], hits[p.Doc].fields["Title"], p.Text})
	}
	return strings.Join(texts, " "), citations, nil
}

// head returns the part of a text that is read.
func head(text string) string {
	return strings.ToValidUTF8(text[:min(len(text), sourceBytes)], "")
}

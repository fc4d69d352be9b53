package wire

// Message is the error shape {message} of section 7: an invalid request, an
// unauthorised one, or a failed operation on a search tool.
type Message struct {
	Message string `json:"message"`
}

// Unauthorized is the text of Message when credentials are missing or wrong.
const Unauthorized = "unauthorized"

// ServerError is the error shape of an unexpected server error, section 7; a
// message holds the support reference ID.
type ServerError struct {
	Status   string   `json:"status"`
	Code     int      `json:"code"`
	Messages []string `json:"messages"`
}

// FieldErrors is the error shape of section 7 for search tools: messages keyed
// by field path.
type FieldErrors map[string][]string

package push

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"sitesync/internal/wire"
)

// List returns the tools of Options.Engine, as the service answers them. Lists are
// beyond the specification: the error is KindNotOffered where there is none, and
// always for synonym groups, which have no engine (see ListSynonyms).
func (t *Tools) List(ctx context.Context, kind wire.Kind) ([][]byte, error) {
	engine := strconv.FormatInt(t.o.Engine, 10)
	path := kind.Path() + "/site/" + engine
	if kind == wire.KindQuicklink {
		path = "/api/engine/" + engine + "/quicklinks"
	}
	r := t.request(opList, kind, http.MethodGet, path)
	switch {
	case kind == wire.KindSynonyms:
		return nil, t.dress(&Error{Kind: KindNotOffered, Message: "synonym groups are listed by language alone"}, r)
	case t.o.Engine <= 0:
		return nil, t.dress(&Error{Kind: KindInvalid, Message: "there is no engine to list for", next: "set push.engine_id"}, r)
	}
	tools, err := t.list(ctx, kind, r)
	var failure *Error
	if kind == wire.KindRanking && errors.As(err, &failure) && failure.NotOffered() {
		return t.list(ctx, kind, t.request(opList, kind, http.MethodGet, kind.Path()))
	}
	return tools, err
}

// ListSynonyms returns the synonym groups of a language, two letters, beyond the
// specification as List is.
func (t *Tools) ListSynonyms(ctx context.Context, language string) ([][]byte, error) {
	path := wire.KindSynonyms.Path() + "/" + url.PathEscape(language)
	return t.list(ctx, wire.KindSynonyms, t.request(opList, wire.KindSynonyms, http.MethodGet, path))
}

// list returns the tools of an array that have an ID and are not of another engine.
func (t *Tools) list(ctx context.Context, kind wire.Kind, r request) ([][]byte, error) {
	got, failure := t.call(ctx, r)
	var rows []json.RawMessage
	if failure == nil && (json.Unmarshal(got.body, &rows) != nil || rows == nil) {
		failure = t.unknown(r, got, "the answer is no list")
	}
	tools := make([][]byte, 0, len(rows))
	for _, row := range rows {
		tool, _ := wire.ParseObject(row)
		if idOf(kind, row) > 0 && (kind == wire.KindSynonyms || engineFault(tool, t.o.Engine) == "") {
			tools = append(tools, row)
		}
	}
	return tools, t.settle(ctx, failure, kind, 0, got)
}

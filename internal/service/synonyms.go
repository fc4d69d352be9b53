package service

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"sitesync/internal/wire"
)

// deleteSynonyms is DELETE synonymsgroup?groupIds=, section 4.2: IDs with commas between
// them, the parameter repeated, or both; all of them go, or none where one is not there.
func (s *Service) deleteSynonyms(k toolKind) handler {
	return func(c *call) (reply, error) {
		query, err := url.ParseQuery(c.r.URL.RawQuery)
		var ids []int64
		for part := range strings.SplitSeq(strings.Join(query["groupIds"], ","), ",") {
			id, ok := decimal(part)
			if err != nil || !ok {
				return reply{}, badRequest("groupIds must be IDs with commas between them")
			}
			ids = append(ids, id)
		}
		slices.Sort(ids)
		return toolReply(nil, s.removeTools(c, k, slices.Compact(ids)...))
	}
}

// replaceSynonyms is PUT synonymsgroup, with the ID in the body.
func (s *Service) replaceSynonyms(k toolKind) handler {
	return func(c *call) (reply, error) {
		tool, err := k.read(c)
		if err != nil {
			return reply{}, err
		}
		var id int64
		var values map[string]json.RawMessage
		_ = json.Unmarshal(c.body, &values) // it was read before
		if json.Unmarshal(take(values, k.id), &id) != nil || id < 1 {
			return reply{}, badRequest("groupId must be the ID of a synonym group")
		}
		return toolReply(s.setTool(c, k, id, tool))
	}
}

// getSynonyms is GET synonymsgroup/{groupId}, an object, and
// GET synonymsgroup/{language}, an array.
func (s *Service) getSynonyms(k toolKind) handler {
	return func(c *call) (reply, error) {
		which := c.r.PathValue("id")
		if isLanguage(which) {
			return s.listed(c.customer, k.kind, func(stored []byte) bool {
				var group wire.SynonymGroup
				return json.Unmarshal(stored, &group) == nil && strings.EqualFold(group.Language, which)
			})
		}
		group, err := s.tool(c, k)
		if err == nil && c.switches.SynonymArrays {
			group = slices.Concat([]byte("["), group, []byte("]"))
		}
		return toolReply(group, err)
	}
}

// isLanguage reports whether s has the form of a language, two letters.
func isLanguage(s string) bool {
	letter := func(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }
	return len(s) == 2 && letter(s[0]) && letter(s[1])
}

package folder

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"golang.org/x/net/http/httpguts"

	"sitesync/internal/weburl"
)

// headerRule gives header fields to the paths that match.
type headerRule struct {
	paths  weburl.Wildcard
	fields http.Header
}

// readHeaders reads _headers: lines with a path, in which "*" stands for any
// text, each followed by indented lines "Name: value".
func (f *Folder) readHeaders() error {
	return f.readRules(headersFile, func(line string) error {
		if line[0] == ' ' || line[0] == '\t' {
			return f.addHeaderField(strings.TrimSpace(line))
		}
		if err := checkRulePath(line); err != nil {
			return err
		}
		f.headers = append(f.headers, headerRule{weburl.NewWildcard(comparablePath(line), true), http.Header{}})
		return nil
	})
}

func (f *Folder) addHeaderField(line string) error {
	if len(f.headers) == 0 {
		return errors.New("a header field comes before the first path")
	}
	name, value, found := strings.Cut(line, ":")
	value = strings.TrimSpace(value)
	if !found || !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
		return fmt.Errorf("%q is not a header field; write \"Name: value\"", line)
	}
	f.headers[len(f.headers)-1].fields.Add(name, value)
	return nil
}

// headersFor returns the fields of every rule that matches path, in the order
// of the file.
func (f *Folder) headersFor(path string) http.Header {
	fields := http.Header{}
	for _, rule := range f.headers {
		if !rule.paths.Match(path) {
			continue
		}
		for name, values := range rule.fields {
			fields[name] = append(fields[name], values...)
		}
	}
	return fields
}

package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/http/httpguts"

	"sitesync/internal/weburl"
)

const (
	redirectsFile = "_redirects"
	headersFile   = "_headers"
)

// readRules calls take for each line of the named file, without white space at its end. It skips blank lines
// and comments. A missing file is no error. An error of take is returned with file and line number.
func (f *Folder) readRules(name string, take func(line string) error) error {
	data, err := f.root.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	file := filepath.Join(f.root.Name(), name)
	if err != nil {
		return fmt.Errorf("read %s: %w", file, err)
	}
	for i, line := range strings.Split(strings.TrimPrefix(string(data), "\uFEFF"), "\n") {
		line = strings.TrimRight(line, " \t\r")
		if rest := strings.TrimLeft(line, " \t"); rest == "" || rest[0] == '#' {
			continue
		}
		if err := take(line); err != nil {
			return fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
	}
	return nil
}

func checkRulePath(path string) error {
	if !strings.HasPrefix(path, "/") {
		return fmt.Errorf("%q does not begin with \"/\"", path)
	}
	if strings.Contains(path, "/:") {
		return fmt.Errorf("%q has a placeholder; only \"*\" is understood", path)
	}
	return nil
}

type headerRule struct {
	paths  weburl.Wildcard
	fields http.Header
}

// addHeaderLine reads one line of _headers. The line is a path, in which "*" stands for any text, or an
// indented header field "Name: value" for the nearest path above.
func (f *Folder) addHeaderLine(line string) error {
	if line[0] != ' ' && line[0] != '\t' {
		paths := weburl.NewWildcard(line, true)
		for i, piece := range paths.Pieces { // "%2A" is a literal star, not a wildcard
			paths.Pieces[i] = weburl.Normalize(piece, false)
		}
		f.headers = append(f.headers, headerRule{paths, http.Header{}})
		return checkRulePath(line)
	}
	if len(f.headers) == 0 {
		return errors.New("a header field comes before the first path")
	}
	line = strings.TrimSpace(line)
	name, value, found := strings.Cut(line, ":")
	value = strings.TrimSpace(value)
	if !found || !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
		return fmt.Errorf("%q is not a header field; write \"Name: value\"", line)
	}
	f.headers[len(f.headers)-1].fields.Add(name, value)
	return nil
}

// redirectRule is a line of _redirects in the form FROM TO [STATUS[!]].
type redirectRule struct {
	from   string // FROM, normalized and without its "*"
	splat  bool   // FROM ends with "*"
	to     string // TO, a path or address; ":splat" stands for the text that "*" matched
	status int
	force  bool // the rule applies even if a file exists at the path
}

const splatName = ":splat"

var targetStart = regexp.MustCompile(`^(?:/|https?://)`)

// parseRedirect reads one line. The default status is 301. With status 200, the answer is the file at TO.
// With 404 and 410, TO is optional and names the file for the body. All other statuses redirect to TO.
func parseRedirect(line string) (redirectRule, error) {
	words := strings.Fields(line)
	if comment := slices.IndexFunc(words, func(w string) bool { return w[0] == '#' }); comment > 0 {
		words = words[:comment]
	}
	rule := redirectRule{status: http.StatusMovedPermanently}
	if err := checkRulePath(words[0]); err != nil {
		return rule, err
	}
	from, splat := strings.CutSuffix(words[0], "*")
	if strings.ContainsAny(from, "*?") {
		return rule, fmt.Errorf("%q: \"*\" may stand at the end only, and no rule can ask for a query", from)
	}
	rule.from, rule.splat, words = weburl.Normalize(from, false), splat, words[1:]
	if len(words) > 0 && targetStart.MatchString(words[0]) {
		rule.to, words = words[0], words[1:]
	}
	if len(words) > 0 {
		status, forced := strings.CutSuffix(words[0], "!")
		number, err := strconv.Atoi(status)
		if err != nil || !slices.Contains([]int{200, 301, 302, 303, 307, 308, 404, 410}, number) {
			return rule, fmt.Errorf("%q is not a status; write 200, 301, 302, 303, 307, 308, 404 or 410", status)
		}
		rule.status, rule.force, words = number, forced, words[1:]
	}
	if len(words) > 0 {
		return rule, fmt.Errorf("%q is one word too many", words[0])
	}
	return rule, rule.checkTarget()
}

func (r *redirectRule) checkTarget() error {
	refuses := r.status == http.StatusNotFound || r.status == http.StatusGone
	switch {
	case r.to == "" && !refuses:
		return errors.New("there is no target; write FROM TO [STATUS], with TO a path or a full address")
	case r.to != "" && (refuses || r.status == http.StatusOK) && r.to[0] != '/':
		return fmt.Errorf("with status %d the target must be a path in the folder, not %q", r.status, r.to)
	case !r.splat && strings.Contains(r.to, splatName):
		return fmt.Errorf("%q has %s, but the path has no \"*\" at its end", r.to, splatName)
	case strings.Contains(strings.ReplaceAll(r.to, splatName, ""), "/:"):
		return fmt.Errorf("%q has a placeholder; only %s is understood", r.to, splatName)
	}
	return nil
}

// redirectFor returns the first matching rule and its target for this request. As on static hosts, the query
// of the request is added to a target without a query.
func (f *Folder) redirectFor(path string, u *url.URL) (rule redirectRule, target string, ok bool) {
	for _, rule := range f.redirects {
		splat, ok := strings.CutPrefix(path, rule.from)
		if !ok || splat != "" && !rule.splat {
			continue
		}
		target := strings.ReplaceAll(rule.to, splatName, splat)
		if !strings.Contains(target, "?") {
			target = withQuery(target, u.RawQuery)
		}
		return rule, target, true
	}
	return redirectRule{}, "", false
}

func withQuery(target, query string) string {
	if query == "" {
		return target
	}
	hash := strings.IndexByte(target+"#", '#')
	return target[:hash] + "?" + query + target[hash:]
}

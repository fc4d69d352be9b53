package folder

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// redirectRule is a line of _redirects: FROM [key=value ...] TO [STATUS[!]].
type redirectRule struct {
	from   string      // in the form of comparablePath, without the "*"
	splat  bool        // FROM ends with "*"
	query  [][2]string // keys and values that the request must have
	to     string      // path or address; ":splat" stands for what "*" matched
	status int
	force  bool // also where a file is
}

const splatName = ":splat"

func (f *Folder) readRedirects() error {
	return f.readRules(redirectsFile, func(line string) error {
		rule, err := parseRedirect(line)
		f.redirects = append(f.redirects, rule)
		return err
	})
}

// parseRedirect reads one line. The status is 301 unless given: 301, 302, 303,
// 307, 308 redirect, 200 rewrites, 404 and 410 refuse, with the file at TO as
// body or without TO.
func parseRedirect(line string) (redirectRule, error) {
	words := strings.Fields(line)
	if comment := slices.IndexFunc(words, func(w string) bool { return w[0] == '#' }); comment > 0 {
		words = words[:comment]
	}
	rule := redirectRule{status: http.StatusMovedPermanently}
	rule.from, words = words[0], words[1:]
	if err := rule.readFrom(); err != nil {
		return rule, err
	}
	words, err := rule.readQuery(words)
	if err != nil {
		return rule, err
	}
	if len(words) > 0 && isTarget(words[0]) {
		rule.to, words = words[0], words[1:]
	}
	if len(words) > 0 {
		if err := rule.readStatus(words[0]); err != nil {
			return rule, err
		}
		words = words[1:]
	}
	if len(words) > 0 {
		return rule, fmt.Errorf("%q is one word too many", words[0])
	}
	return rule, rule.checkTarget()
}

func (r *redirectRule) readFrom() error {
	if err := checkRulePath(r.from); err != nil {
		return err
	}
	r.from, r.splat = strings.CutSuffix(r.from, "*")
	if strings.ContainsAny(r.from, "*?") {
		return fmt.Errorf("%q: \"*\" may stand at the end only, and a query is written as key=value after the path", r.from)
	}
	r.from = comparablePath(r.from)
	return nil
}

// readQuery takes the conditions off words.
func (r *redirectRule) readQuery(words []string) ([]string, error) {
	for len(words) > 0 && !isTarget(words[0]) && strings.Contains(words[0], "=") {
		key, value, _ := strings.Cut(words[0], "=")
		key, keyErr := url.QueryUnescape(key)
		value, valueErr := url.QueryUnescape(value)
		if err := errors.Join(keyErr, valueErr); err != nil {
			return nil, fmt.Errorf("read the condition %q: %w", words[0], err)
		}
		if strings.HasPrefix(value, ":") {
			return nil, fmt.Errorf("%q has a placeholder; a condition is an exact key=value", words[0])
		}
		r.query = append(r.query, [2]string{key, value})
		words = words[1:]
	}
	return words, nil
}

func (r *redirectRule) readStatus(word string) error {
	word, r.force = strings.CutSuffix(word, "!")
	status, err := strconv.Atoi(word)
	if err != nil || !slices.Contains([]int{200, 301, 302, 303, 307, 308, 404, 410}, status) {
		return fmt.Errorf("%q is not a status; it is one of 200, 301, 302, 303, 307, 308, 404 and 410", word)
	}
	r.status = status
	return nil
}

func (r *redirectRule) checkTarget() error {
	refuses := r.status == http.StatusNotFound || r.status == http.StatusGone
	switch {
	case r.to == "" && !refuses:
		return errors.New("there is no target; write FROM TO [STATUS], with TO a path or a full address")
	case r.to != "" && !r.redirects() && r.to[0] != '/':
		return fmt.Errorf("with status %d the target must be a path in the folder, not %q", r.status, r.to)
	case !r.splat && strings.Contains(r.to, splatName):
		return fmt.Errorf("%q has %s, but the path has no \"*\" at its end", r.to, splatName)
	case strings.Contains(strings.ReplaceAll(r.to, splatName, ""), "/:"):
		return fmt.Errorf("%q has a placeholder; only %s is understood", r.to, splatName)
	}
	return nil
}

func (r *redirectRule) redirects() bool { return r.status >= 300 && r.status < 400 }

func isTarget(word string) bool {
	return strings.HasPrefix(word, "/") || strings.HasPrefix(word, "https://") || strings.HasPrefix(word, "http://")
}

// redirectFor returns the first rule that matches, and its target for this
// request. As static hosts do, a redirect keeps the query of the request unless
// the rule deals with queries itself.
func (f *Folder) redirectFor(path string, u *url.URL) (rule redirectRule, target string, ok bool) {
	for _, rule := range f.redirects {
		splat, ok := rule.match(path, u)
		if !ok {
			continue
		}
		target := strings.ReplaceAll(rule.to, splatName, splat)
		if len(rule.query) == 0 && !strings.Contains(target, "?") {
			target = withQuery(target, u.RawQuery)
		}
		return rule, target, true
	}
	return redirectRule{}, "", false
}

func (r *redirectRule) match(path string, u *url.URL) (splat string, ok bool) {
	rest, ok := strings.CutPrefix(path, r.from)
	if !ok || rest != "" && !r.splat {
		return "", false
	}
	if len(r.query) > 0 {
		query := u.Query()
		for _, want := range r.query {
			if !slices.Contains(query[want[0]], want[1]) {
				return "", false
			}
		}
	}
	return rest, true
}

// withQuery adds a query to a target, before its fragment.
func withQuery(target, query string) string {
	if query == "" {
		return target
	}
	target, fragment, has := strings.Cut(target, "#")
	target += "?" + query
	if has {
		target += "#" + fragment
	}
	return target
}

// targetPath returns the path of a target in the folder.
func targetPath(target string) string {
	if end := strings.IndexAny(target, "?#"); end >= 0 {
		target = target[:end]
	}
	return comparablePath(target)
}

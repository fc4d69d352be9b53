package papers

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"sitesync/crawl/folder"
	"sitesync/internal/config"
	"sitesync/internal/tools"
)

// languages are those that a block may name; text is what is only looked at.
var languages = []string{"sh", "toml", "json", "text", "html", "javascript", "css", "csv", "yaml", "ini", "xml", "powershell", "mermaid", "go", "crontab", "dockerfile", "ruby"}

// TestBlocks: every block of code names its language, those in TOML load, those in JSON are JSON.
func TestBlocks(t *testing.T) {
	loaded := 0
	for _, p := range pages(t) {
		for _, b := range p.blocks {
			switch {
			case !slices.Contains(languages, b.language):
				t.Errorf("%s: the language %q; write one of %q", b.at(), b.language, languages)
			case b.language == "json":
				if err := validJSON(b.text); err != nil {
					t.Errorf("%s: %v", b.at(), err)
				}
			case b.language == "toml":
				loaded++
				if err := loads(t.TempDir(), b.text); err != nil {
					t.Errorf("%s: %v", b.at(), err)
				}
			}
		}
	}
	if loaded == 0 {
		t.Error("no configuration was loaded")
	}
	if err := loads(t.TempDir(), "[fetch]\ndelays = \"1s\"\n"); err == nil {
		t.Error("an unknown key passes")
	}
}

// validJSON errs unless a text is JSON values, one after the other.
func validJSON(text string) error {
	dec := json.NewDecoder(strings.NewReader(text))
	for {
		var v any
		if err := dec.Decode(&v); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// least is what a part of a configuration is put into.
const least = `
[site]
start = ["https://www.example.com/"]
[push]
base_url = "https://api.example.com"
customer_id = 10000001
engine_id = 1
crawler_id = "site"
api_key = "key"
`

// loads loads a configuration, or a part of one; or a file of search tools.
func loads(dir, text string) error {
	var part, whole map[string]any
	if err := toml.Unmarshal([]byte(text), &part); err != nil {
		return err
	}
	file := filepath.Join(dir, "sitesync.toml")
	for _, key := range []string{"ranking", "quicklink", "banner", "synonyms"} {
		if part[key] != nil {
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				return err
			}
			var declared tools.File
			return config.ReadStrict(file, &declared, declared.Check)
		}
	}
	if err := toml.Unmarshal([]byte(least), &whole); err != nil {
		return err
	}
	for section, keys := range part {
		into, has := whole[section].(map[string]any)
		from, is := keys.(map[string]any)
		if !has || !is {
			whole[section] = keys
			continue
		}
		if from["api_key_file"] != nil {
			delete(into, "api_key")
		}
		maps.Copy(into, from)
	}
	raw, err := toml.Marshal(whole)
	if err == nil {
		err = os.WriteFile(file, raw, 0o600)
	}
	if err == nil {
		_, err = config.Load(file, func(name string) string { return "https://www.example.com/" + name })
	}
	return err
}

var keyName = regexp.MustCompile(`^(?:site|fetch|extract|store|push|delete|serve|notify|metrics|tools|fleet)(?:\.(?:section|field|retention|mail|hook|limits))?\.[a-z_]+$`)

// TestKeysNamed: every key of the configuration that a text names is one.
func TestKeysNamed(t *testing.T) {
	raw, err := os.ReadFile(top + "config.example.toml")
	must(t, err)
	section, known := "", map[string]bool{}
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimPrefix(line, "# ")
		if found := regexp.MustCompile(`^\[+([a-z.]+)\]`).FindStringSubmatch(line); found != nil {
			section = found[1]
		} else if found := regexp.MustCompile(`^([a-z_]+) *=`).FindStringSubmatch(line); found != nil {
			known[section+"."+found[1]] = true
			for _, inner := range regexp.MustCompile(`[{,] *([a-z_]+) =`).FindAllStringSubmatch(line, -1) {
				known[section+"."+found[1]+"."+inner[1]] = true
			}
		}
		known[section] = true
	}
	seen := 0
	for _, p := range pages(t) {
		for _, b := range p.inline() {
			name, _, _ := strings.Cut(b.text, " = ")
			if keyName.MatchString(name) && filepath.Ext(name) != ".md" && filepath.Ext(name) != ".toml" {
				if seen++; !known[name] {
					t.Errorf("%s: `%s`: there is no such key", b.at(), b.text)
				}
			}
		}
	}
	if seen < 50 {
		t.Errorf("%d keys: are they named otherwise now?", seen)
	}
}

// TestFolderRules: the files _redirects and _headers that docs/folder.md shows are understood.
func TestFolderRules(t *testing.T) {
	raw, err := os.ReadFile(top + "docs/folder.md")
	must(t, err)
	names, dir := []string{"_redirects", "_headers"}, t.TempDir()
	for _, b := range parse("docs/folder.md", string(raw)).blocks {
		if b.language == "text" && len(names) > 0 {
			must(t, os.WriteFile(filepath.Join(dir, names[0]), []byte(b.text), 0o600))
			names = names[1:]
		}
	}
	site, err := folder.Open(dir, "https://www.example.com")
	if err != nil || len(names) > 0 {
		t.Fatalf("%v; no block for %q", err, names)
	}
	if err := site.Close(); err != nil {
		t.Error(err)
	}
}

package config

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// maxFile bounds a configuration file, so that a wrong -c stays harmless.
const maxFile = 256 << 10

// Load reads the configuration file at path; getenv is os.Getenv but for tests.
// When the file can be read but not used the error is a *Faults that holds every
// fault.
func Load(path string, getenv func(string) string) (*Config, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the configuration (name another file with -c): %w", err)
	}
	c, literal, err := parse(path, data, getenv)
	if err != nil {
		return nil, err
	}
	c.warn(literal)
	return c, nil
}

func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("%s is larger than 256 KiB", path)
	}
	return data, err
}

// parse reads a configuration; file serves faults and relative paths. literal
// names a secret that data holds in clear.
func parse(file string, data []byte, getenv func(string) string) (c *Config, literal string, err error) {
	c, r := read(file, data, getenv)
	if len(r.faults) > 0 {
		return nil, "", asError(r.faults)
	}
	c.file, c.lines, c.pending = file, r.lines, r.pending
	c.settle(filepath.Dir(file))
	return c, r.literal, nil
}

// read returns the values as they are written, and the reader with the faults.
func read(file string, data []byte, getenv func(string) string) (*Config, *reader) {
	values := Default()
	c := &values
	keys := c.schema()
	r := &reader{file: file, getenv: getenv, known: knownKeys("", keys), lines: map[string]int{}, origins: map[string]int{}}
	root, faults := parseTree(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))) // Windows editors put a mark first
	for _, f := range faults {
		r.fault(f.Line, f.Key, "%s", f.Text)
		r.broken = r.broken || f.Key == ""
	}
	r.table("", root, keys)
	c.readDefaultKey(r)
	if !r.broken {
		c.check(r)
	}
	return c, r
}

// readDefaultKey reads the default of push.api_key, which is a variable and so
// takes a reading.
func (c *Config) readDefaultKey(r *reader) {
	if r.lines["push.api_key"] == 0 && c.Push.APIKeyFile == "" && !r.touched("push.api_key_file") {
		secret(&c.Push.APIKey)(r, "push.api_key", &node{kind: unstable.String, line: lineOf(r.lines, "push.api_key"), text: apiKeyDefault})
	}
}

// settle fills what depends on other keys and on where the file lies.
func (c *Config) settle(dir string) {
	c.folder = c.Site.Folder
	for _, path := range []*string{&c.Site.Folder, &c.Store.Path, &c.Store.Work, &c.Push.APIKeyFile, &c.Serve.Path} {
		if *path != "" && !filepath.IsAbs(*path) {
			*path = filepath.Join(dir, *path)
		}
	}
	if c.Store.Work == "" {
		c.Store.Work = c.Store.Path + ".work"
	}
	if c.Serve.Path == "" {
		c.Serve.Path = c.Store.Path + ".service"
	}
	c.Push.settle()
}

// settle gives "local" what it needs to run without an account.
func (p *Push) settle() {
	if p.Local() && p.CustomerID == 0 {
		p.CustomerID = localCustomer
	}
	if p.Local() && p.EngineID == 0 {
		p.EngineID = 1
	}
	if p.Local() && p.CrawlerID == "" {
		p.CrawlerID = localCrawler
	}
	if p.QueueCrawlerID == "" {
		p.QueueCrawlerID = p.CrawlerID
	}
}

// lineOf returns where key stands; if it is missing, where its section does; if
// that is missing too, 1.
func lineOf(lines map[string]int, key string) int {
	for key != "" {
		if line := lines[key]; line > 0 {
			return line
		}
		key = key[:max(0, strings.LastIndexByte(key, '.'))]
	}
	return 1
}

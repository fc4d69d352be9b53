package cli_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/klauspost/compress/zstd"
	bolt "go.etcd.io/bbolt"

	"sitesync/internal/cli"
)

// leaked is the exit code of a run that printed or stored what it must not.
const leaked = 99

// guardedRun is the program as main.go runs it, but that nothing it prints or
// leaves in its folder may hold a secret, and nothing it prints a character that
// moves a terminal's cursor. $EXIT_FILE gets the exit code, $TEE what it printed.
func guardedRun() {
	cli.Tune(os.Getenv)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	code := guarded(ctx, os.Args[1:], os.Stdin, tee(os.Stdout), os.Stderr)
	_ = os.WriteFile(os.Getenv("EXIT_FILE"), []byte(strconv.Itoa(code)), 0o600)
	os.Exit(code)
}

func guarded(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	code := cli.Run(ctx, args, stdin, &guard{out: stdout}, &guard{out: stderr}, os.Getenv)
	if err := searchFolder("."); err != nil {
		fmt.Fprintln(stderr, "a secret is in", err)
		code = leaked
	}
	return code
}

func tee(out io.Writer) io.Writer {
	name := os.Getenv("TEE")
	if name == "" {
		return out
	}
	file, err := os.Create(name)
	if err != nil {
		panic(err)
	}
	return io.MultiWriter(out, file)
}

// guard ends the process when what goes through it holds what must not be seen.
type guard struct {
	out  io.Writer
	last []byte // the end of what was written, for what comes in two pieces
}

func (g *guard) Write(p []byte) (int, error) {
	seen := append(g.last, p...)
	if what := unseemly(seen); what != "" {
		fmt.Fprintf(os.Stderr, "\nprinted %s: %q\n", what, seen)
		os.Exit(leaked)
	}
	g.last = slices.Clone(seen[max(0, len(seen)-64):])
	return g.out.Write(p)
}

func unseemly(seen []byte) string {
	if secret := secretIn(seen); secret != "" {
		return "a secret"
	}
	for _, r := range string(seen) {
		if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r == '\u202e' {
			return fmt.Sprintf("the character %U", r)
		}
	}
	return ""
}

// canary is what every secret of the tests begins with.
const canary = "canary-"

// secretIn returns the secret that text holds: as it is, percent-encoded, or inside
// base64, where it may begin at any of the three bytes of a group.
func secretIn(text []byte) string {
	percent := ""
	for _, b := range []byte(canary) {
		percent += fmt.Sprintf("%%%02x", b)
	}
	forms := []string{canary, percent, strings.ToUpper(percent)}
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		for before := range 3 {
			encoded := encoding.EncodeToString([]byte("xx"[:before] + canary))
			forms = append(forms, encoded[(before*8+5)/6:(before+len(canary))*8/6]) // without what its neighbours decide
		}
	}
	for _, form := range forms {
		if bytes.Contains(text, []byte(form)) {
			return form
		}
	}
	return ""
}

// searchFolder errs with the name of the first file that holds a secret. Files of
// the script itself may: configurations, and what ends in ".secret".
func searchFolder(dir string) error {
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return err
	}
	defer dec.Close()
	holds := func(raw []byte) bool {
		plain, err := dec.DecodeAll(raw, nil) // errs for what is not compressed
		return secretIn(raw) != "" || err == nil && secretIn(plain) != ""
	}
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || slices.Contains([]string{".toml", ".secret"}, filepath.Ext(path)) {
			return nil
		}
		raw, err := os.ReadFile(path)
		if err == nil && holds(raw) || filepath.Base(path) == "sitesync.db" && ledgerHolds(path, holds) {
			return fmt.Errorf("%s", path)
		}
		return nil
	})
}

// ledgerHolds searches every key and value of a ledger; one that another process
// has open is searched when that process ends, a damaged one not at all.
func ledgerHolds(path string, holds func([]byte) bool) (found bool) {
	defer func() { _ = recover() }() // bbolt panics on some damaged pages
	db, err := bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true, Timeout: time.Millisecond})
	if err != nil {
		return false
	}
	defer db.Close()
	_ = db.View(func(tx *bolt.Tx) error {
		return tx.ForEach(func(_ []byte, b *bolt.Bucket) error {
			return b.ForEach(func(k, v []byte) error {
				found = found || holds(k) || holds(v)
				return nil
			})
		})
	})
	return found
}

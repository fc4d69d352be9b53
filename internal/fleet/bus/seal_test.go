package bus_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nkeys"

	"sitesync/internal/fleet/bus"
	"sitesync/internal/testsite/deployed"
)

// seed writes the seed of a new user to a file, and returns that and the public key.
func seed(t *testing.T, dir, name string) (file, public string) {
	t.Helper()
	file = filepath.Join(dir, name+".nk")
	public, err := deployed.Seed(file)
	must(t, err)
	return file, public
}

func newSeal(t *testing.T, nkey, worker string, trusted ...string) bus.Seal {
	t.Helper()
	s, err := bus.NewSeal(bus.Options{Nkey: nkey, Worker: worker}, trusted)
	must(t, err)
	return s
}

// A worker takes what an operator whom it trusts has signed for that very site, and nothing else.
func TestOnlyTrustedEntriesPass(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ours, public := seed(t, dir, "operator")
	theirs, other := seed(t, dir, "worker")
	const body = "{\"by\":\"anna\"}\n[site]\n"
	operator := newSeal(t, ours, "")
	entry, err := operator.Put("a", []byte(body))
	must(t, err)
	foreign, err := newSeal(t, theirs, "").Put("a", []byte(body))
	must(t, err)
	plain, err := newSeal(t, theirs, "here").Put("a", []byte(body)) // a worker signs nothing
	if err != nil || string(plain) != body {
		t.Fatalf("a worker wrote %q, %v", plain, err)
	}
	mine := newSeal(t, theirs, "here", public)
	for name, c := range map[string]struct {
		seal  bus.Seal
		site  string
		entry []byte
		err   string
	}{
		"signed":                     {mine, "a", entry, ""},
		"signed, nobody asks":        {bus.Seal{}, "a", entry, ""},
		"plain, nobody asks":         {bus.Seal{}, "a", plain, ""},
		"plain":                      {mine, "a", plain, "no operator has signed it"},
		"empty":                      {mine, "a", nil, "no operator has signed it"},
		"of another site":            {mine, "b", entry, "signature is wrong"},
		"changed":                    {mine, "a", append(entry[:len(entry):len(entry)], 'x'), "signature is wrong"},
		"cut":                        {mine, "a", []byte(public + " AAAA\n" + body), "signature is wrong"},
		"no signature":               {mine, "a", []byte(public + " \n" + body), "signature is wrong"},
		"signed by somebody else":    {mine, "a", foreign, other + `" has signed it`},
		"somebody else's, our name":  {mine, "a", []byte(strings.Replace(string(foreign), other, public, 1)), "signature is wrong"},
		"one of several is trusted":  {newSeal(t, theirs, "here", public, other), "a", foreign, ""},
		"the signer reads it itself": {operator, "a", entry, ""},
	} {
		got, err := c.seal.Body(c.site, c.entry)
		switch {
		case c.err == "" && (err != nil || string(got) != body):
			t.Errorf("%s: %q, %v", name, got, err)
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s: %v, and not %q", name, err, c.err)
		}
	}
}

func TestSealRefusesWrongKeys(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty")
	must(t, os.WriteFile(empty, []byte("NOT-A-SEED"), 0o600))
	_, err := bus.NewSeal(bus.Options{Nkey: empty}, nil)
	if err == nil || strings.Contains(err.Error(), "NOT-A-SEED") {
		t.Errorf("a file without a seed: %v", err)
	}
	if _, err := bus.NewSeal(bus.Options{}, []string{"NOT-A-SEED"}); err == nil {
		t.Error("a seed passes for a public key")
	}
}

func FuzzSeal(f *testing.F) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		f.Fatal(err)
	}
	public, _ := pair.PublicKey()
	seal, err := bus.NewSeal(bus.Options{}, []string{public})
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(public + " AAAA\n{}"))
	f.Add([]byte("{}\n"))
	f.Fuzz(func(t *testing.T, entry []byte) {
		if body, err := seal.Body("a", entry); err == nil {
			t.Errorf("%q passes as %q", entry, body)
		}
	})
}

package diffstore_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"sitesync/diffstore"
	"sitesync/internal/document"
)

// kills is how often TestKilled kills a writer.
const kills = 20

// scripted returns the n-th batch of a writer that never ends: outcomes for what
// was sent last, and what is sent next. The same n gives the same batch.
func scripted(n int, sent []document.Change) document.Batch {
	random := rand.New(rand.NewPCG(uint64(n), 7))
	var batch document.Batch
	for _, c := range sent {
		states := []document.State{document.Acknowledged, document.Acknowledged, document.Refused, document.InDoubt}
		batch.Settled = append(batch.Settled, settled(c, states[random.IntN(len(states))], fmt.Sprint("reason ", n)))
	}
	for _, i := range random.Perm(120)[:20] {
		ops := []document.Op{document.Put, document.Put, document.Patch, document.Delete}
		fields := map[string]string{"Title": fmt.Sprint("Version ", n), "Content": strings.Repeat("word ", random.IntN(500))}
		c := change(ops[random.IntN(len(ops))], pageID(i), fields)
		if c.Op == document.Delete && i%2 == 0 {
			c.Next = &document.Record{ID: c.ID, Canonical: pageID(i + 1)}
		}
		batch.Intents = append(batch.Intents, c)
	}
	for range 3 {
		id := fmt.Sprintf("https://www.example.com/other/%d", random.IntN(20))
		batch.Observed = append(batch.Observed, document.Observation{ID: id, Next: &document.Record{ID: id, Misses: 1 + n}})
	}
	batch.Observed[2].Next = nil
	return batch
}

// writeForever is the child's part: batches from the given one on, the number of
// each told once its Step has returned.
func writeForever(path, first string) int {
	ledger, err := diffstore.Open(path, true)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	generation, err := ledger.Generation()
	if err == nil {
		err = beginIn(ledger, generation, testTarget())
	}
	var n int
	if _, scanErr := fmt.Sscan(first, &n); err != nil || scanErr != nil {
		fmt.Println(err, scanErr)
		return 1
	}
	var sent []document.Change
	for ; ; n++ {
		batch := scripted(n, sent)
		if err := ledger.Step("run", batch); err != nil {
			fmt.Println(err)
			return 1
		}
		fmt.Println(n)
		sent = batch.Intents
	}
}

// TestKilled kills a writer at random moments. Each time the ledger must hold
// exactly the batches that were told, or one more: nothing acknowledged is lost,
// nothing is half written, and nothing is ok that was not acknowledged.
func TestKilled(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	expected := newModel()
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	next, told := 0, 0
	for kill := range kills {
		last := writeUntilKilled(t, path, next, random.IntN(6), time.Duration(random.IntN(20_000))*time.Microsecond)
		told += last - next + 1
		var sent []document.Change
		for ; next <= last; next++ {
			batch := scripted(next, sent)
			expected.apply("run", batch)
			sent = batch.Intents
		}
		ledger, err := diffstore.OpenRead(path)
		if err != nil {
			t.Fatalf("kill %d: %v", kill, err)
		}
		if difference := expected.compare(ledger); difference != "" {
			expected.apply("run", scripted(next, sent))
			next++
			if more := expected.compare(ledger); more != "" {
				t.Fatalf("kill %d: after batch %d: %s; after one more: %s", kill, last, difference, more)
			}
		}
		if err := ledger.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if told == 0 {
		t.Error("no writer wrote anything before it was killed")
	}
}

// writeUntilKilled runs a writer from the given batch on, kills it a while after it
// told of some batches, and returns the last batch that it told of.
func writeUntilKilled(t *testing.T, path string, first, batches int, after time.Duration) int {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], path, fmt.Sprint(first))
	cmd.Env = append(os.Environ(), roleVariable+"=write")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := func() { time.AfterFunc(after, func() { _ = cmd.Process.Kill() }) }
	last := first - 1
	if batches == 0 {
		kill()
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if _, err := fmt.Sscan(lines.Text(), &last); err != nil {
			t.Errorf("the writer said %q", lines.Text())
		}
		if last == first+batches-1 {
			kill()
		}
	}
	if err := cmd.Wait(); err == nil {
		t.Fatal("the writer ended by itself")
	}
	return last
}

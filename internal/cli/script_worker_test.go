package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"sitesync/internal/cli"
)

// workerArgument makes the test binary a worker: it runs sitesync for scripts, one
// run after the other. To start a program costs more than most runs do.
const workerArgument = "run-for-scripts"

// order is a run that a script wants, outcome its end.
type (
	order   struct{ Env, Args []string }
	outcome struct {
		Code           int
		Stdout, Stderr []byte
	}
)

type worker struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *json.Decoder
	stderr bytes.Buffer
}

// workers are those that wait for a run; there are never more than scripts that run
// at once.
type workers chan *worker

func startWorker() (*worker, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	w := &worker{cmd: exec.Command(program, workerArgument)}
	w.cmd.Stderr = &w.stderr
	w.in, err = w.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	w.out = json.NewDecoder(out)
	return w, w.cmd.Start()
}

// run has one of the workers do it. One that ended, because of a panic or because
// its guard saw a secret, is an error with its last words.
func (free workers) run(o order) (got outcome, err error) {
	var w *worker
	select {
	case w = <-free:
	default:
		w, err = startWorker()
	}
	if err != nil {
		return got, err
	}
	err = json.NewEncoder(w.in).Encode(o)
	if err == nil {
		err = w.out.Decode(&got)
	}
	if err != nil {
		return got, errors.Join(err, w.end(), errors.New(w.stderr.String()))
	}
	free <- w
	return got, nil
}

func (w *worker) end() error { return errors.Join(w.in.Close(), w.cmd.Wait()) }

func (free workers) end(t *testing.T) {
	close(free)
	for w := range free {
		if err := w.end(); err != nil {
			t.Errorf("a worker ended with %v\n%s", err, &w.stderr)
		}
	}
}

// work is what a worker does, in the folder and with the environment of each order.
func work(ctx context.Context, in io.Reader, out io.Writer) error {
	cli.Tune(os.Getenv)
	for orders := json.NewDecoder(in); ; {
		var o order
		if err := orders.Decode(&o); err != nil {
			return err
		}
		os.Clearenv()
		for _, pair := range o.Env {
			name, value, _ := strings.Cut(pair, "=")
			if err := os.Setenv(name, value); err != nil {
				return err
			}
		}
		if err := os.Chdir(os.Getenv("WORK")); err != nil {
			return err
		}
		var stdout, stderr bytes.Buffer
		code := guarded(ctx, o.Args, strings.NewReader(""), &stdout, &stderr)
		if err := json.NewEncoder(out).Encode(outcome{code, stdout.Bytes(), stderr.Bytes()}); err != nil {
			return err
		}
	}
}

// changing are the variables that scripts set and a run reads anew.
var changing = []string{"SERVICE", "SITESYNC_API_KEY", "SITESYNC_NATS", "SOURCE_DATE_EPOCH"}

// needsProcess reports that the runs of a script need a process each: it sets
// variables that a process may read but once, or gives a run its standard input.
func needsProcess(script string) bool {
	for line := range strings.Lines(script) {
		command, rest, _ := strings.Cut(line, " ")
		name, _, _ := strings.Cut(rest, "=")
		if command == "stdin" || command == "tls" || command == "cd" || command == "env" && !slices.Contains(changing, name) {
			return true
		}
	}
	return false
}

// sitesync runs the program for a script and returns its exit code.
func (w *world) sitesync(ts *testscript.TestScript, args []string) (code int) {
	if w.apart {
		if err := ts.Exec("sitesync", args...); err != nil {
			if _, serr := fmt.Sscanf(err.Error(), "exit status %d", &code); serr != nil {
				ts.Fatalf("run sitesync: %v", err)
			}
		}
		return code
	}
	o := order{Env: slices.Clone(w.env), Args: args}
	for _, name := range changing {
		o.Env = append(o.Env, name+"="+ts.Getenv(name))
	}
	got, err := w.workers.run(o)
	ts.Check(err)
	_, err = ts.Stdout().Write(got.Stdout)
	ts.Check(err)
	_, err = ts.Stderr().Write(got.Stderr)
	ts.Check(err)
	return got.Code
}

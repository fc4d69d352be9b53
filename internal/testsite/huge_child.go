package testsite

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
)

// childVariable carries the options of the Huge site that a child is to serve.
const childVariable = "TESTSITE_HUGE"

// MaybeServe turns the process that StartHuge started into the site's server
// and does not return there; anywhere else it does nothing. Every TestMain
// whose package uses StartHuge calls it first.
func MaybeServe() {
	text := os.Getenv(childVariable)
	if text == "" {
		return
	}
	if err := serveHuge(text, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "testsite:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// serveHuge serves until in ends. It writes the site's origin as the first line
// of out, and Stats in JSON as the answer to each line of in.
func serveHuge(options string, in io.Reader, out io.Writer) error {
	var o HugeOptions
	if err := json.Unmarshal([]byte(options), &o); err != nil {
		return fmt.Errorf("read %s: %w", childVariable, err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen on a loopback port: %w", err)
	}
	h := NewHuge(o)
	server := &http.Server{Handler: h}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = server.Serve(listener)
	}()
	fmt.Fprintf(out, "http://%s\n", listener.Addr())
	err = h.obey(in, out)
	_ = server.Close()
	<-served
	return err
}

// obey carries out what the parent writes: "bump FROM TO", "reset" and "stats".
func (h *Huge) obey(in io.Reader, out io.Writer) error {
	answers := json.NewEncoder(out)
	for lines := bufio.NewScanner(in); lines.Scan(); {
		var from, to int
		if _, err := fmt.Sscanf(lines.Text(), "bump %d %d", &from, &to); err == nil {
			h.Bump(from, to)
		} else if lines.Text() == "reset" {
			h.Reset()
		}
		if err := answers.Encode(h.Stats()); err != nil {
			return fmt.Errorf("answer the parent: %w", err)
		}
	}
	return nil
}

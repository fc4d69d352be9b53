package bus

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// ErrMissing says that the stream Files has no message under the requested subject.
var ErrMissing = errors.New("it is missing on the server")

// oneTry limits one request, and patience limits all tries of a call together. Retries help, because a stream
// that has lost its leader gets a new leader within seconds.
const (
	oneTry   = 10 * time.Second
	patience = time.Minute
)

// PutFile stores data under a subject of the stream Files, and returns after the server's acknowledgement. It
// retries for a minute. The data may be stored although PutFile errs.
func (b *Bus) PutFile(ctx context.Context, subject string, data []byte) error {
	return patiently(ctx, func(ctx context.Context) error {
		_, err := b.JS.Publish(ctx, subject, data)
		return err
	})
}

// GetFile returns the data under a subject of the stream Files. It retries for a minute. The answer may come
// from an outdated replica. So GetFile errs with ErrMissing only if the stream's leader lacks the data too.
func (b *Bus) GetFile(ctx context.Context, subject string) (data []byte, err error) {
	err = patiently(ctx, func(ctx context.Context) error {
		msg, err := b.Files.GetLastMsgForSubject(ctx, subject)
		if err == nil {
			data = msg.Data
			return nil
		}
		if !errors.Is(err, jetstream.ErrMsgNotFound) {
			return err
		}
		info, asked := b.Files.Info(ctx, jetstream.WithSubjectFilter(subject))
		if asked == nil && len(info.State.Subjects) == 0 {
			return ErrMissing
		}
		return errors.Join(err, asked)
	})
	return data, err
}

// ListFiles returns the names of the stored parts of a site's files of a kind: "ledger" or "plan". The map
// key is the number of the lease (right to crawl the site) under which a part was stored.
func (b *Bus) ListFiles(ctx context.Context, kind, site string) (parts map[uint64][]string, err error) {
	parts = map[uint64][]string{}
	err = patiently(ctx, func(ctx context.Context) error {
		info, err := b.Files.Info(ctx, jetstream.WithSubjectFilter(join("file", kind, site, "*", "*")))
		if err != nil {
			return err
		}
		for subject := range info.State.Subjects {
			tokens := strings.Split(subject, ".")
			if number, err := strconv.ParseUint(tokens[len(tokens)-2], 10, 64); err == nil {
				parts[number] = append(parts[number], tokens[len(tokens)-1])
			}
		}
		return nil
	})
	return parts, err
}

// DropFiles removes all data under a subject that File returned. The last token of the subject may be "*".
func (b *Bus) DropFiles(ctx context.Context, subject string) error {
	return patiently(ctx, func(ctx context.Context) error {
		return b.Files.Purge(ctx, jetstream.WithPurgeSubject(subject))
	})
}

func patiently(ctx context.Context, call func(context.Context) error) error {
	_, err := backoff.Retry(ctx, func() (none struct{}, err error) {
		try, cancel := context.WithTimeout(ctx, oneTry)
		defer cancel()
		err = call(try)
		var api *jetstream.APIError
		refused := errors.As(err, &api) && api.Code < 500 && !errors.Is(err, jetstream.ErrMsgNotFound)
		switch {
		case refused, errors.Is(err, ErrMissing), errors.Is(err, nats.ErrConnectionClosed),
			errors.Is(err, nats.ErrMaxPayload), errors.Is(err, nats.ErrAuthorization):
			err = backoff.Permanent(err)
		case err != nil:
			err = fmt.Errorf("no good answer from the NATS server: %w", err)
		}
		return none, err
	}, backoff.WithBackOff(backoff.NewConstantBackOff(200*time.Millisecond)), backoff.WithMaxElapsedTime(patience))
	return err
}

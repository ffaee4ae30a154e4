// Writes entries to a new log of Tessera on a POSIX file system, and prints how many a second became durable. Each
// writer waits until its entry is in the log and on disk before it adds the next one.
package main

import (
	"context"
	"crypto/rand"
	"flag"
	"fmt"
	"log"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/transparency-dev/tessera"
	"github.com/transparency-dev/tessera/storage/posix"
	"golang.org/x/mod/sumdb/note"
)

func main() {
	writers := flag.Int("writers", 8, "writers at once")
	entries := flag.Int64("entries", 4000, "entries in all")
	size := flag.Int("size", 1000, "bytes of an entry")
	dir := flag.String("dir", "", "an empty directory for the log")
	flag.Parse()
	if *dir == "" {
		fmt.Fprintln(os.Stderr, "give a directory: --dir PATH")
		os.Exit(2)
	}
	perSecond, err := run(context.Background(), *dir, *writers, *entries, *size)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.1f\n", perSecond)
}

func run(ctx context.Context, dir string, writers int, entries int64, size int) (float64, error) {
	key, _, err := note.GenerateKey(rand.Reader, "bench.example/log")
	if err != nil {
		return 0, err
	}
	signer, err := note.NewSigner(key)
	if err != nil {
		return 0, err
	}
	driver, err := posix.New(ctx, posix.Config{Path: dir})
	if err != nil {
		return 0, err
	}
	// A batch is written as soon as each writer has an entry in it: none of them waits for time to pass.
	options := tessera.NewAppendOptions().
		WithCheckpointSigner(signer).
		WithBatching(uint(writers), 5*time.Millisecond)
	appender, shutdown, _, err := tessera.NewAppender(ctx, driver, options)
	if err != nil {
		return 0, err
	}
	var next atomic.Int64
	failed := make(chan error, writers)
	var group sync.WaitGroup
	start := time.Now()
	for range writers {
		group.Go(func() {
			data := make([]byte, size)
			for next.Add(1) <= entries {
				_, _ = rand.Read(data)
				if _, err := appender.Add(ctx, tessera.NewEntry(data))(); err != nil {
					failed <- err
					return
				}
			}
		})
	}
	group.Wait()
	took := time.Since(start)
	close(failed)
	if err := <-failed; err != nil {
		return 0, err
	}
	return float64(entries) / took.Seconds(), shutdown(ctx)
}

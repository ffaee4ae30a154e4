type Stream = { on(event: "error", listener: (error: Error & { code?: string }) => void): unknown };

/**
 * Keeps the process alive when a log line cannot be written because the disk is full: without a listener, that error
 * ends the process. Other stream errors still end it.
 */
export function outliveFullDisk(streams: readonly Stream[]): void {
  for (const stream of streams)
    stream.on("error", (error) => {
      if (error.code !== "ENOSPC" && error.code !== "EDQUOT") throw error;
    });
}

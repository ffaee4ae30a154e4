type Stream = { on(event: "error", listener: (error: Error & { code?: string }) => void): unknown };

/** Without a listener, a line for a log on a full disk ends the process. What else may go wrong with it goes on doing so. */
export function outliveFullDisk(streams: readonly Stream[]): void {
  for (const stream of streams)
    stream.on("error", (error) => {
      if (error.code !== "ENOSPC" && error.code !== "EDQUOT") throw error;
    });
}

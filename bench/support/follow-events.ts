import { request } from "undici";
import { readLines } from "#lib/server/clusters/kubernetes/read-answer.ts";

/** A change as an SSE client receives it. `xid`: the transaction that wrote it. */
export type HeardEvent = { ref: string; xid: bigint; at: number };

/** Opens one SSE client. Resolves once the stream is open; `events` grows as long as it lasts. */
export async function followEvents(web: { port: number; path: string; token: string }): Promise<{
  events: HeardEvent[];
  close(): void;
}> {
  const events: HeardEvent[] = [];
  const stop = new AbortController();
  const response = await request(`http://127.0.0.1:${web.port}${web.path}`, {
    headers: { authorization: `Bearer ${web.token}` },
    bodyTimeout: 0,
    signal: stop.signal,
  });
  if (response.statusCode !== 200) throw new Error(`the stream was answered ${response.statusCode}`);
  const lines = readLines(response.body);
  // The first id tells the position from which the stream continues.
  for (let line = await lines.next(); line.done !== true && !line.value.startsWith("id: "); ) line = await lines.next();
  void (async () => {
    let xid = 0n;
    for await (const line of lines) {
      if (line.startsWith("id: ")) xid = xidOf(line.slice(4));
      else if (line === "event: reset") throw new Error("the stream was reset");
      else if (line.startsWith("data: {")) events.push({ ref: JSON.parse(line.slice(6)).id, xid, at: Date.now() });
    }
  })().catch((error: Error) => {
    if (!stop.signal.aborted) process.stderr.write(`the SSE client was cut: ${error.message}\n`);
  });
  return { events, close: () => stop.abort() };
}

/** Reads the transaction id. Cursors are opaque to clients; the bench parses them to match an event to its change. */
function xidOf(cursor: string): bigint {
  return BigInt(Buffer.from(cursor, "base64url").toString("latin1").split(".")[0] ?? "0");
}

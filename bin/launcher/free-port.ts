import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../command-line.ts";

/** Returns the preferred port if it is free, else any other free port on loopback. */
export async function findFreePort(preferred = 0): Promise<number> {
  const found = (await probe("127.0.0.1", preferred)) ?? (await probe("127.0.0.1", 0));
  if (found === undefined) throw new CommandError("no free port on 127.0.0.1");
  return found;
}

/** Throws a one-line error unless the port is available; waits up to `waitMs` for an earlier owner to end. */
export async function assertPortFree({
  host,
  port,
  waitMs,
}: {
  host: string;
  port: number;
  waitMs: number;
}): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += 200) {
    if ((await probe(host, port)) !== undefined) return;
    if (waitedMs >= waitMs)
      throw new CommandError(`port ${port} on ${host} is taken or not allowed: choose another with --port`);
    await sleep(200);
  }
}

function probe(host: string, port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      const found = typeof address === "object" && address !== null ? address.port : undefined;
      server.close(() => resolve(found));
    });
  });
}

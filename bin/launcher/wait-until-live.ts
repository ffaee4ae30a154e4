import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../command-line.ts";

type SourceRow = {
  cluster: string;
  kind: string;
  state: string;
  lastContact: string | null;
  lastError?: string | null;
};
type LiveOptions = { url: string; token: string; since: Date };

/**
 * Polls the web until it is ready and every source is live by a contact after `since`. Entries of an earlier recorder
 * still read as live for a while. Throws an error that names the missing part.
 */
export function waitUntilLive({ timeoutMs, ...options }: LiveOptions & { timeoutMs: number }): Promise<void> {
  return poll(timeoutMs, async () => (await findUnready(options.url)) ?? (await findLateSource(options)));
}

/** Polls the web until it reports that it is ready; sources may be stale. */
export function waitUntilAnswering({ url, timeoutMs }: { url: string; timeoutMs: number }): Promise<void> {
  return poll(timeoutMs, () => findUnready(url));
}

async function poll(timeoutMs: number, findMissing: () => Promise<string | undefined>): Promise<void> {
  let missing = "no answer yet";
  for (const giveUpAt = Date.now() + timeoutMs; Date.now() < giveUpAt; await sleep(150)) {
    const found = await findMissing();
    if (found === undefined) return;
    missing = found;
  }
  throw new CommandError(`not ready within ${timeoutMs / 1000} s: ${missing}`);
}

async function findUnready(url: string): Promise<string | undefined> {
  try {
    const response = await get(`${url}/readyz`);
    await response.body?.cancel();
    return response.status === 200 ? undefined : `${url}/readyz answers ${response.status}`;
  } catch (error) {
    return `${url}: ${causeOf(error)}`;
  }
}

async function findLateSource({ url, token, since }: LiveOptions): Promise<string | undefined> {
  try {
    const response = await get(`${url}/status`, token);
    const status = (await response.json()) as { sources?: SourceRow[] };
    if (!response.ok) return `${url}/status answers ${response.status}`;
    if (status.sources === undefined || status.sources.length === 0) return "no sources are watched yet";
    const late = status.sources.find(
      ({ state, lastContact }) => state !== "live" || lastContact === null || new Date(lastContact) <= since,
    );
    return late === undefined
      ? undefined
      : `source ${late.cluster}/${late.kind} is ${late.state}${late.lastError ? ` (${late.lastError})` : ""}`;
  } catch (error) {
    return `${url}: ${causeOf(error)}`;
  }
}

function get(url: string, token?: string): Promise<Response> {
  return fetch(url, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    redirect: "error",
    signal: AbortSignal.timeout(3000),
  });
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

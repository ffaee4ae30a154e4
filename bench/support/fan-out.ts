import { setTimeout as sleep } from "node:timers/promises";
import type { Gatehouse, WebProcess } from "./start-gatehouse.ts";
import { type Helper, startHelper } from "./start-helper.ts";
import type { ClientCommands, ClientReport } from "./stream-clients.ts";

export type FanOutOptions = {
  clients: number;
  /** How often something changes, and how many objects change each time. */
  perSecond: number;
  changes: number;
  seconds: number;
};

export type FanOutResult = {
  sent: number;
  /**
   * Milliseconds from just before the change is written to its arrival, per client and event: how many took that long.
   */
  delays: Map<number, number>;
  /** Clients that did not get every event exactly once. */
  wrongClients: number;
};

export type StreamClients = ClientCommands & { close(): Promise<void>; end(): Promise<void> };

export async function startClients(): Promise<StreamClients> {
  const helper: Helper<unknown> = await startHelper("stream-clients.ts");
  return {
    open: (input) => helper.call("open", input),
    report: (input) => helper.call("report", input),
    close: () => helper.call("close", {}),
    end: () => helper.close(),
  };
}

let count = 0;
/** Returns a name that contains the time. */
function nextRef(padding = 0): string {
  count += 1;
  return `${Date.now()}-${count}${padding > 0 ? "x".repeat(padding) : ""}`;
}

/** Writes changes as the recorder does and measures when they reach the open clients. */
export async function fanOut({
  clients,
  write,
  options,
}: {
  clients: StreamClients;
  write: (refs: string[]) => Promise<unknown>;
  options: FanOutOptions;
}): Promise<FanOutResult> {
  await clients.report({ reset: true });
  const began = performance.now();
  const rounds = Math.round(options.perSecond * options.seconds);
  for (let round = 0; round < rounds; round++) {
    const due = began + round * (1000 / options.perSecond);
    if (due > performance.now()) await sleep(due - performance.now());
    await write(Array.from({ length: options.changes }, () => nextRef()));
  }
  const sent = rounds * options.changes;
  const report = await untilReceived(clients, sent * options.clients);
  const complete = report.eventsPerClient[sent] ?? 0;
  return { sent, delays: toMap(report.delays), wrongClients: options.clients - complete };
}

/** On a busy machine, nothing may arrive for a while: only half a minute of silence means that nothing more comes. */
const silences = 300;

async function untilReceived(clients: StreamClients, expected: number): Promise<ClientReport> {
  for (let last = -1, quiet = 0; ; ) {
    const report = await clients.report({ reset: false });
    quiet = report.events > last ? 0 : quiet + 1;
    last = report.events;
    if (report.events >= expected || quiet > silences) return report;
    await sleep(100);
  }
}

function toMap(delays: Record<number, number>): Map<number, number> {
  return new Map(Object.entries(delays).map(([delay, times]) => [Number(delay), times]));
}

/** Computes the p-th percentile of values, each given with its number of occurrences. */
export function percentileOf(counts: ReadonlyMap<number, number>, p: number): number {
  const sorted = [...counts].toSorted(([one], [other]) => one - other);
  const total = sorted.reduce((sum, [, times]) => sum + times, 0);
  let seen = 0;
  for (const [value, times] of sorted) {
    seen += times;
    if (seen >= (p / 100) * total) return value;
  }
  return Number.NaN;
}

/** Writes rows as the recorder's batches do: one transaction, one wake-up. */
export function writeChangeLog(gatehouse: Gatehouse): (refs: string[]) => Promise<unknown> {
  return (refs) =>
    gatehouse.query("INSERT INTO change_log (kind, ref, op) SELECT 'rollout', unnest($1::text[]), 'upsert'", [refs]);
}

/**
 * Writes rounds of 300 changes of about `size` characters each until the process has cut `stalled` clients, or gives up
 * after `withinMs`. Returns how many were cut, in how many rounds, and how many bytes each client would have had to
 * read: the kernel may take tens of MiB for each connection before the process feels that nobody reads.
 */
export async function floodUntilCut(options: {
  gatehouse: Gatehouse;
  web: WebProcess;
  stalled: number;
  size: number;
  withinMs: number;
}): Promise<{ cut: number; rounds: number; bytes: number }> {
  const { gatehouse, web, stalled, size, withinMs } = options;
  const write = writeChangeLog(gatehouse);
  const before = await web.countCuts();
  const until = performance.now() + withinMs;
  let bytes = 0;
  for (let rounds = 1; ; rounds++) {
    const refs = Array.from({ length: 300 }, () => nextRef(size));
    await write(refs);
    bytes += refs.reduce((sum, ref) => sum + ref.length + 100, 0);
    await sleep(50);
    const cut = (await web.countCuts()) - before;
    if (cut >= stalled || performance.now() > until) return { cut, rounds, bytes };
  }
}

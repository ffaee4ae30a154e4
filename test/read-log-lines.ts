import { randomUUID } from "node:crypto";
import type { LogRecord } from "#lib/contract/log.ts";
import { type LogLimits, logLimits } from "#lib/server/pages/logs/log-limits.ts";
import { streamLogLines } from "#lib/server/pages/logs/stream-log-lines.ts";
import { authenticate } from "#lib/server/people/auth/authenticate.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import type { TestWeb } from "#test/web-runtime.ts";

/** Returns the actor of the operator's token. */
export function operatorOf(web: TestWeb): Promise<Actor> {
  const headers = new Headers({ authorization: `Bearer ${web.tokens.operator}` });
  return authenticate({ runtime: web.runtime, headers, address: "127.0.0.1" });
}

type Place = Parameters<typeof streamLogLines>[0]["input"];

/** Reads log lines of a rollout as the operator, under these limits. */
export async function readLogLines(
  web: TestWeb,
  { limits, ...place }: Pick<Place, "cluster" | "namespace" | "name" | "pods"> & { limits: Partial<LogLimits> },
): Promise<LogRecord[]> {
  const stream = await streamLogLines({
    ctx: { runtime: web.runtime, actor: await operatorOf(web), requestId: randomUUID() },
    input: { ...place, kind: "Rollout", follow: false, previous: false },
    signal: AbortSignal.timeout(120_000),
    limits: { ...logLimits, ...limits },
  });
  const records: LogRecord[] = [];
  for await (const record of stream) records.push(record);
  return records;
}

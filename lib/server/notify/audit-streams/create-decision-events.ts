import type { Counter } from "@prometheus-io/client";
import { sql } from "kysely";
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { ApiResource } from "#lib/domain/kube/api-resource.ts";
import { type Decision, formatDecisionEvent } from "#lib/domain/kube/decision-event.ts";
import { findProvider } from "#lib/domain/providers.ts";
import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { objectPath } from "#lib/server/clusters/object-api.ts";
import type { Config } from "#lib/server/platform/config/config-schema.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { clockTime, secondsBefore } from "#lib/server/platform/db/database-time.ts";
import { readRow, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { readStoredRequest } from "#lib/server/records/stored-request.ts";

export type DecisionEventOptions = {
  pool: Pool;
  config(): Pick<Config, "clusters" | "publicUrl">;
  clusterFor(cluster: string): ClusterClient | undefined;
  log: Pick<Logger, "warn">;
  metrics: { decisionEvents: Counter<"cluster" | "outcome"> };
};

/** An Event of longer ago would not help: a recorder that was away leaves it out. */
const longestAgeSeconds = 600;
const maxPerPass = 100;
const timeoutMs = 5000;

const events: ApiResource = { group: "", version: "v1", name: "events" };

/**
 * Creates an Event on the rollout of each decision that was carried out, in the clusters whose config asks for it. Each
 * is tried once. Returns the pass of a task, which remembers how far it came: after a restart, decisions of the last ten
 * minutes are tried again, and the cluster refuses an Event that it has.
 */
export function createDecisionEvents(options: DecisionEventOptions): () => Promise<void> {
  let seen = 0;
  const said = new Set<string>();
  return async () => {
    const clusters = options.config().clusters.flatMap(({ name, events: wanted }) => (wanted ? [name] : []));
    const newest = await readNewestSeq(options.pool);
    // What happened before the config asked for Events gets none.
    if (clusters.length === 0) seen = newest;
    if (newest === seen) return;
    const rows = await readDecisions(options.pool, { after: seen, upTo: newest, clusters });
    seen = rows.length < maxPerPass ? newest : Number(rows.at(-1)?.seq);
    const silent = new Set<string>();
    for (const row of rows) await createOne(options, { row, silent, said });
  };
}

async function readNewestSeq(pool: Pool): Promise<number> {
  const select = tables.selectFrom("audit_entry").select("audit_entry.seq").orderBy("audit_entry.seq", "desc").limit(1);
  return Number((await readRow(pool, select))?.seq ?? 0);
}

type Range = { after: number; upTo: number; clusters: readonly string[] };
type Row = Awaited<ReturnType<typeof readDecisions>>[number];

function readDecisions(pool: Pool, { after, upTo, clusters }: Range) {
  return readRows(
    pool,
    tables
      .selectFrom("audit_entry as e")
      .innerJoin("action as a", "a.id", "e.action_id")
      .innerJoin("rollout as r", "r.id", "a.rollout_id")
      .select(["e.seq", "e.time", "a.id", "a.action", "a.actor_name", "a.reason", "a.params"])
      .select(["r.cluster", "r.namespace", "r.kind", "r.name", "r.uid"])
      .where("e.seq", ">", String(after))
      .where("e.seq", "<=", String(upTo))
      .where("e.outcome", "in", ["applied", "partial"])
      .where(({ ref }) => sql<boolean>`${ref("e.code")} = 'action.' || ${ref("a.action")}`)
      .where("e.time", ">", secondsBefore(clockTime, longestAgeSeconds))
      .where(({ ref }) => isOneOf(ref("r.cluster"), clusters))
      .orderBy("e.seq")
      .limit(maxPerPass),
  );
}

async function createOne(
  { config, clusterFor, log, metrics }: DecisionEventOptions,
  { row, silent, said }: { row: Row; silent: Set<string>; said: Set<string> },
): Promise<void> {
  const { cluster, namespace, kind, name, uid } = row;
  const client = clusterFor(cluster);
  const resource = findProvider(kind)?.acting.resourceOf(kind);
  if (client === undefined || resource === undefined) return;
  const decision: Decision = {
    ...{ actionId: row.id, action: row.action, actorName: row.actor_name, reason: row.reason },
    ...{ seq: Number(row.seq), time: row.time, rollout: { resource, cluster, namespace, kind, name, uid } },
    subject: readStoredRequest(row).subject,
  };
  const failure = silent.has(cluster)
    ? noAnswer
    : await post(
        client,
        objectPath({ resource: events, namespace }),
        formatDecisionEvent(decision, config().publicUrl),
      );
  metrics.decisionEvents.inc({ cluster, outcome: failure === undefined ? "created" : "failed" });
  if (failure === undefined) return;
  if (failure === noAnswer) silent.add(cluster);
  // A right that is missing stays missing for long: once is enough.
  if (said.has(`${cluster} ${failure}`)) return;
  said.add(`${cluster} ${failure}`);
  log.warn({ cluster, failure }, "the Event of a decision could not be created");
}

const noAnswer = "the cluster gave no answer";

/** Returns why the Event was not created; undefined if it exists. */
async function post(client: ClusterClient, path: string, body: object): Promise<string | undefined> {
  try {
    const as = { mode: "own", username: "gatehouse", groups: [] } as const;
    const { status } = await client.request({ method: "POST", path, body, as, timeoutMs });
    return (status >= 200 && status < 300) || status === 409 ? undefined : `the cluster answered ${status}`;
  } catch {
    return noAnswer;
  }
}

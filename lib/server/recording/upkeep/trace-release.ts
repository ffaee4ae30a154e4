import { createHash } from "node:crypto";
import type { Selectable } from "kysely";
import { deriveCourse } from "#lib/domain/delivery/derive-course.ts";
import { deriveReleaseSpans, type ReleaseSpan, type SpanRun } from "#lib/domain/delivery/derive-release-spans.ts";
import type { Observation } from "#lib/domain/delivery/observation.ts";
import type { Tables } from "#lib/server/platform/db/generated/tables.ts";
import { type Connection, readRow, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { PastSpan } from "#lib/server/platform/telemetry/tracing.ts";
import { isRunOfRelease } from "#lib/server/records/release-row.ts";

const mostRuns = 200;

type Of = Pick<Selectable<Tables["release"]>, "id" | "rollout_id" | "started_at"> & { ended_at: Date };

/**
 * Makes the trace of a release that has ended: itself, its steps, pauses, waits for a person, and analyses. All ids are
 * derived from the release's, so that it is the same trace if it is sent again.
 */
export async function makeReleaseTrace(
  pool: Connection,
  release: Of,
  observations: readonly Pick<Observation, "observedAt" | "state">[],
): Promise<PastSpan[]> {
  const row = await readRow(pool, selectFacts(release));
  if (row === undefined) return [];
  const runs = await readRuns(pool, release);
  const parts = deriveReleaseSpans(deriveCourse(observations), { toMs: release.ended_at.getTime(), runs });
  const traceId = release.id.replaceAll("-", "");
  const rootId = spanIdOf(release.id, "release");
  const root: PastSpan = {
    traceId,
    spanId: rootId,
    name: "release",
    startAt: release.started_at,
    endAt: release.ended_at,
    hasFailed: row.state === "aborted",
    attributes: {
      "deployment.id": release.id,
      "deployment.name": `${row.namespace}/${row.name}`,
      // Of a release that was superseded, or whose end was not seen, neither is known.
      "deployment.status": { promoted: "succeeded", aborted: "failed" }[row.state as string],
      "k8s.cluster.name": row.cluster,
      "k8s.namespace.name": row.namespace,
      "gatehouse.rollout.kind": row.kind,
      "gatehouse.rollout.name": row.name,
      "gatehouse.release.state": row.state,
      "gatehouse.release.revision": row.revision ?? undefined,
      "gatehouse.release.attempt": row.attempt,
    },
  };
  const toSpan = ({ key, parentKey, name, fromMs, toMs, attributes }: ReleaseSpan): PastSpan => ({
    traceId,
    spanId: spanIdOf(release.id, key),
    parentId: parentKey === undefined ? rootId : spanIdOf(release.id, parentKey),
    name,
    startAt: new Date(fromMs),
    endAt: new Date(toMs),
    attributes,
    hasFailed:
      attributes["gatehouse.analysis.verdict"] === "Failed" || attributes["gatehouse.analysis.verdict"] === "Error",
  });
  return [root, ...parts.map(toSpan)];
}

function spanIdOf(releaseId: string, key: string): string {
  return createHash("sha256").update(`${releaseId}/${key}`).digest("hex").slice(0, 16);
}

function selectFacts({ rollout_id, id }: Of) {
  return tables
    .selectFrom("release as l")
    .innerJoin("rollout as r", "r.id", "l.rollout_id")
    .select(["r.cluster", "r.namespace", "r.kind", "r.name"])
    .select(["l.state", "l.revision", "l.attempt"])
    .where("l.rollout_id", "=", rollout_id)
    .where("l.id", "=", id);
}

/** Those that have not ended count until the end of the release. */
async function readRuns(pool: Connection, { rollout_id, id, ended_at }: Of): Promise<SpanRun[]> {
  const rows = await readRows(
    pool,
    tables
      .selectFrom("analysis_run as a")
      .innerJoin("release as l", (join) => join.on(isRunOfRelease()))
      .select(["a.uid", "a.name", "a.type", "a.phase", "a.created_at", "a.started_at", "a.completed_at"])
      .where("l.rollout_id", "=", rollout_id)
      .where("l.id", "=", id)
      .orderBy("a.created_at")
      .orderBy("a.uid")
      .limit(mostRuns),
  );
  return rows.map(({ created_at, started_at, completed_at, ...run }) => {
    const fromMs = (started_at ?? created_at).getTime();
    return { ...run, fromMs, toMs: Math.max(fromMs, (completed_at ?? ended_at).getTime()) };
  });
}

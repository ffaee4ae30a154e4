import type { endpoints } from "#lib/contract/endpoint-table.ts";
import { type Answerer, openReplicaReads } from "#lib/server/platform/db/replica/replica-reads.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";

/** How long a read waits for the replica: `patient` ones take long anyway, and are requested seldom. */
type Patience = "prompt" | "patient";

/**
 * Every endpoint that a read replica may answer; all others read the primary. These endpoints only show data: they
 * decide no action, gate, guard or right, write nothing, and compare only the begin of a period with the database's
 * clock. So the inbox, a rollout's page with its actions, sources, the audit log, sessions and tokens are not here.
 */
export const replicaEndpoints = {
  listRollouts: "prompt",
  listReleases: "prompt",
  listRolloutReleases: "prompt",
  listAborts: "prompt",
  getReleaseCourse: "prompt",
  getReleaseMoment: "prompt",
  listRuns: "prompt",
  listRolloutRuns: "prompt",
  listMeasurements: "prompt",
  listEarlierSeries: "prompt",
  listRolloutTimeline: "prompt",
  listExperiments: "prompt",
  listTemplates: "prompt",
  listTemplateVersions: "prompt",
  listFindings: "prompt",
  listAnnotations: "prompt",
  search: "prompt",
  getReleaseInsights: "patient",
  getAnalysisInsights: "patient",
  backtestAnalysis: "patient",
  exportRollouts: "patient",
  exportReleases: "patient",
  exportRuns: "patient",
  exportRun: "patient",
  exportExperiments: "patient",
  exportTemplates: "patient",
} as const satisfies Partial<Record<keyof typeof endpoints, Patience>>;

/** A list is answered by the primary in about this time. */
const promptWaitMs = 50;

type EndpointReads = { ctx: ServiceContext; answerer(): Answerer | undefined; end(): void };

/** Gives the service of an endpoint the database to read: the replica's, if there is one and the endpoint may use it. */
export function openEndpointReads({
  name,
  ctx,
  runtime,
}: {
  name: string;
  ctx: ServiceContext;
  runtime: Pick<WebRuntime, "replica" | "pool" | "metrics">;
}): EndpointReads {
  const { replica, pool: primary, metrics } = runtime;
  const patience = Object.hasOwn(replicaEndpoints, name)
    ? replicaEndpoints[name as keyof typeof replicaEndpoints]
    : undefined;
  if (replica === undefined || patience === undefined) return { ctx, answerer: () => undefined, end: () => {} };
  const { pool, answerer, end } = openReplicaReads({
    replica,
    primary,
    waitMs: patience === "patient" ? replica.maxLagMs : promptWaitMs,
    onAnswer: (by) => metrics.replicaReads.inc({ answer: by }),
  });
  return { ctx: { ...ctx, runtime: { ...ctx.runtime, pool } }, answerer, end };
}

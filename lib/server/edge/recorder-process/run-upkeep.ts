import { sql } from "kysely";
import type { Pool } from "pg";
import type { Logger } from "pino";
import { followActions } from "#lib/server/acting/follow/follow-actions.ts";
import { type PublishedHeads, publishCheckpoint } from "#lib/server/audit/publish-checkpoints.ts";
import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import type { BarrierTasks } from "#lib/server/holds/create-barrier-tasks.ts";
import { followAuditFiles } from "#lib/server/kube-audit/follow-files.ts";
import { createDecisionEvents } from "#lib/server/notify/audit-streams/create-decision-events.ts";
import { createAuditStreams } from "#lib/server/notify/audit-streams/run-streams.ts";
import { createNotifier } from "#lib/server/notify/run-notifications.ts";
import type { Attributing } from "#lib/server/oversight/append-unasked.ts";
import { attributeChanges } from "#lib/server/oversight/attribute-changes.ts";
import { thinSamples } from "#lib/server/oversight/controllers/sample-rows.ts";
import { createControllerScraper } from "#lib/server/oversight/controllers/scrape-controllers.ts";
import { type ScrapeMemory, storeScrape } from "#lib/server/oversight/controllers/store-scrape.ts";
import { markChanged } from "#lib/server/oversight/mark-changed.ts";
import { notifyOfFindings } from "#lib/server/oversight/notify-of-findings.ts";
import { reviewClusters } from "#lib/server/oversight/review-clusters.ts";
import { reviewController, reviewControllers } from "#lib/server/oversight/review-controllers.ts";
import { markOutdated, readNextLookMs, reviewFindings } from "#lib/server/oversight/review-findings.ts";
import { type ReviewPlace, reviewObservations } from "#lib/server/oversight/review-observations.ts";
import { reviewSources } from "#lib/server/oversight/review-sources.ts";
import { reviewTerminations } from "#lib/server/oversight/review-terminations.ts";
import type { Config } from "#lib/server/platform/config/config-schema.ts";
import type { ConfigStore } from "#lib/server/platform/config/config-store.ts";
import { toOversightScopes } from "#lib/server/platform/config/oversight-schema.ts";
import { readRows, write } from "#lib/server/platform/db/run-query.ts";
import type { EvaluationPool } from "#lib/server/platform/evaluation/evaluation-pool.ts";
import type { LoopMonitor } from "#lib/server/platform/telemetry/loop-monitor.ts";
import { type Bell, createBell } from "#lib/server/process/change-bell.ts";
import { linkEvents } from "#lib/server/recording/kinds/link-events.ts";
import { dropPackedMonths } from "#lib/server/recording/retention/drop-packed-months.ts";
import { readRetentionState } from "#lib/server/recording/retention/retention-lock.ts";
import { runRetention } from "#lib/server/recording/retention/run-retention.ts";
import { holdLease } from "#lib/server/recording/session/hold-lease.ts";
import type { Lease } from "#lib/server/recording/store/lease.ts";
import type { RecorderMetrics } from "#lib/server/recording/store/recorder-metrics.ts";
import { checkDueVerdicts, type UnstoredChecks } from "#lib/server/recording/upkeep/check-verdicts.ts";
import { computeDueReleaseFigures } from "#lib/server/recording/upkeep/compute-release-figures.ts";
import { computeDueRunFigures } from "#lib/server/recording/upkeep/compute-run-figures.ts";
import { type DerivingPace, deriveDueRuns } from "#lib/server/recording/upkeep/derive-runs.ts";
import { linkMessages, noticeMessages } from "#lib/server/recording/upkeep/notice-messages.ts";
import { packDueRuns, type Unpackable } from "#lib/server/recording/upkeep/pack-runs.ts";
import { queueDueDeployments } from "#lib/server/recording/upkeep/queue-deployments.ts";
import { rederiveDue } from "#lib/server/recording/upkeep/rederive.ts";
import { sampleControllers } from "#lib/server/recording/upkeep/sample-controllers.ts";
import { sampleRoutes } from "#lib/server/recording/upkeep/sample-routes.ts";
import { sampleEveryMs } from "#lib/server/recording/upkeep/sample-rows.ts";
import { createLeaseLook, repeat, ringSoon, shortestMs, type Task } from "./repeat-task.ts";

const hourMs = 3_600_000;
/** No change makes a run due, so its bell is its own: one batch follows the other while there are any. */
const packing = { everyMs: 1000, firstAfterMs: 60_000, idleMs: 10 * 60_000 };
/** How often the settings of clusters are judged without a new config: the rights of our accounts may have changed. */
const overseeEveryMs = 15_000;

export type UpkeepOptions = {
  pool: Pool;
  clusterFor(cluster: string): ClusterClient | undefined;
  store: Pick<ConfigStore, "current" | "status">;
  log: Logger;
  monitor: LoopMonitor;
  metrics: RecorderMetrics;
  /** Names this process among those that compete for a lease. */
  holder: string;
  retentionAfterMs?: number;
  evaluations: Pick<EvaluationPool, "run">;
  /** Places holds after Inconclusive results; absent: nothing is held. Resolves with whether it is to be called again. */
  placeHolds?: () => Promise<boolean>;
  /** Absent: timed pauses wait for no set, and nothing is aborted with another member. */
  barriers?: BarrierTasks;
  /** Takes the function to call when something has changed; absent: changes are looked for as often as tasks may run. */
  onBell?: (ring: () => void) => void;
};

/**
 * The id of the upkeep's lease, stored with those of the sources. It cannot clash: sources' ids begin with a cluster's
 * name and a slash.
 */
export const upkeepLeaseId = "upkeep";

/** Does the upkeep whenever this process has its lease: only one of several recorders does it, for all clusters. */
export async function runUpkeep(options: UpkeepOptions, signal: AbortSignal): Promise<void> {
  const { monitor } = options;
  const labels = { cluster: "", kind: upkeepLeaseId, namespace: "" };
  const lease = {
    ...options,
    sourceId: upkeepLeaseId,
    labels,
    now: () => performance.now(),
    onTurn: () => monitor.turn(upkeepLeaseId, 20_000),
  };
  await holdLease(lease, signal, async (held, own) => {
    // While the tasks run, each is monitored separately.
    monitor.forget(upkeepLeaseId);
    await runTasks({ ...options, lease: held }, own);
  });
  monitor.forget(upkeepLeaseId);
}

/**
 * Runs the recorder's tasks other than recording: following actions, finding changes made without us and who made them,
 * following audit logs, checking verdicts, deriving figures for insights, applying the rules of oversight, linking
 * events to their rollouts, noticing messages and deriving runs from them, sampling routes and the metrics of
 * controllers, sending notifications and the entries of the audit log, creating partitions in advance, packing the
 * measurements of old runs, shortening the change log.
 */
async function runTasks(options: UpkeepOptions & { lease: Lease }, signal: AbortSignal): Promise<void> {
  const { pool, clusterFor, store, evaluations, log, retentionAfterMs = 300_000 } = options;
  const onError = (error: unknown, actionId: string): void =>
    log.warn({ actionId, error: String(error) }, "action could not be followed");
  const unstored: UnstoredChecks = new Map();
  const checkpoints = { published: new Map<string, number>(), publishedAt: Number.NEGATIVE_INFINITY };
  const notifier = createNotifier(options, signal);
  const ofAudit = { ...options, config: () => store.current().config };
  const auditStreams = createAuditStreams(ofAudit, signal);
  const place: ReviewPlace = { seen: 0n };
  const onReviewError = (error: unknown, rolloutId: string): void =>
    log.warn({ rolloutId, error: String(error) }, "observations could not be looked through");
  const onTerminationError = (error: unknown, uid: string): void =>
    log.warn({ uid, error: String(error) }, "a termination could not be looked at");
  const onAttributionError = (error: unknown, auditSeq: string): void =>
    log.warn({ auditSeq, error: String(error) }, "the person behind a change could not be looked for");
  const attributing: Attributing = {
    rulesOf: (name) => store.current().config.clusters.find((cluster) => cluster.name === name),
    now: () => new Date(),
  };
  const unreadable = new Map<string, string>();
  const onFileError = (error: unknown, cluster: string): void => {
    // A file that is missing stays missing for long: once is enough.
    if (unreadable.get(cluster) === String(error)) return;
    unreadable.set(cluster, String(error));
    log.warn({ cluster, error: String(error) }, "the audit log of the cluster's API server could not be read");
  };
  const onFileGap = ({ cluster, path }: { cluster: string; path: string }): void => {
    options.metrics.auditFileGaps.inc({ cluster });
    log.warn({ cluster, path }, "the audit log was truncated and no copy of it was found: events may be missing");
  };
  const pace: DerivingPace = new Map();
  const onRunError = (error: unknown, rolloutId: string): void =>
    log.warn({ rolloutId, error: String(error) }, "a run could not be derived from messages");
  const onSampleError = (error: unknown, cluster: string): void =>
    log.warn({ cluster, error: String(error) }, "the metrics of the cluster's controllers could not be read");
  const onRouteError = (error: unknown, cluster: string): void =>
    log.warn({ cluster, error: String(error) }, "the routes of the cluster's rollouts could not be read");
  const unpackable: Unpackable = {
    uids: new Set(),
    onError: (error, uid) =>
      log.warn({ uid, error: String(error) }, "the measurements of a run could not be packed, and stay as they are"),
  };
  const bells = new Set<Bell>();
  const ringAll = (): void => {
    for (const each of bells) each.ring();
  };
  options.onBell?.(ringAll);
  const addBell = (): Bell => {
    const added = createBell();
    bells.add(added);
    return added;
  };
  const bell = addBell();
  const holdBell = addBell();
  const barrierBell = addBell();
  /** For a task whose rows become due by changes that ring. Between them it looks only every `idleMs`. */
  const woken = (idleMs: number): Pick<Task, "bell" | "idleMs"> =>
    options.onBell === undefined ? {} : { bell: addBell(), idleMs };
  const onFindingError = (error: unknown, rolloutId: string): void =>
    log.warn({ rolloutId, error: String(error) }, "the rules of oversight could not be applied");
  const controllers = scrapeControllers(options);
  let thinned = false;
  let overseen: { config: Config | undefined; at: number } = { config: undefined, at: 0 };
  const now = () => new Date();
  const refused = new Set<string>();
  const onRefused = (what: { cluster: string; resource: string; message: string }): void => {
    const key = `${what.cluster}/${what.resource}`;
    if (!refused.has(key)) log.warn(what, "the routes of rollouts may not be read: their weights come from elsewhere");
    refused.add(key);
  };
  const base = { monitor: options.monitor, log, isOurs: createLeaseLook(pool, options.lease) };
  await Promise.all([
    repeat({ ...base, name: "follow-actions", everyMs: 500, ...woken(5000) }, signal, async () => {
      const { followed } = await followActions({ pool, clusterFor, onError });
      // Deadlines pass without a change.
      return followed > 0 ? { nextMs: 1000 } : undefined;
    }),
    repeat({ ...base, name: "verdict-checks", everyMs: 500, ...woken(5000) }, signal, async () => {
      await checkDueVerdicts({ pool, evaluations, signal, log, unstored });
    }),
    repeat({ ...base, name: "link-events", everyMs: 5000 }, signal, async () => {
      await linkEvents(pool);
      if ((await linkMessages(pool)) > 0) ringAll();
    }),
    repeat({ ...base, name: "messages", everyMs: 500, ...woken(5000) }, signal, async () => {
      const noticed = await noticeMessages(pool);
      const worked = noticed + (await deriveDueRuns({ pool, evaluations, pace, onError: onRunError }));
      // Rollouts whose runs take long to derive wait for their time.
      return worked === 0 && pace.size > 0 ? { nextMs: 2000 } : worked;
    }),
    repeat({ ...base, name: "controller-metrics", everyMs: sampleEveryMs }, signal, async () => {
      const { clusters } = store.current().config;
      // Samples make runs due, and change nothing that readers are told of.
      if ((await sampleControllers({ pool, clusters, signal, onError: onSampleError })) > 0) ringAll();
    }),
    repeat({ ...base, name: "controllers", everyMs: 1000 }, signal, async () => {
      controllers.turn(store.current().config.clusters, signal);
    }).finally(controllers.settle),
    repeat({ ...base, name: "controller-findings", everyMs: 30_000 }, signal, async () => {
      const { clusters, oversight } = store.current().config;
      const scopes = toOversightScopes(oversight);
      await reviewControllers({ pool, clusters, scopes, onFindings: notifyOfFindings });
    }),
    repeat({ ...base, name: "controller-samples", everyMs: hourMs }, signal, async () => {
      // The first time, also samples left from when no recorder ran.
      await thinSamples(pool, thinned ? 3 * hourMs : 30 * 24 * hourMs);
      thinned = true;
    }),
    repeat({ ...base, name: "routes", everyMs: sampleEveryMs }, signal, async () => {
      const { clusters } = store.current().config;
      await sampleRoutes({ pool, clusters, clusterFor, now, signal, onRefused, onError: onRouteError });
    }),
    repeat({ ...base, name: "derivations", everyMs: 1000, ...woken(5000) }, signal, async () => {
      return rederiveDue(pool);
    }),
    repeat({ ...base, name: "figures", everyMs: 2000, ...woken(10_000) }, signal, async () => {
      return (await computeDueReleaseFigures(pool, { signal })) + (await computeDueRunFigures(pool, { signal }));
    }),
    repeat({ ...base, name: "deployments", everyMs: 2000, ...woken(10_000) }, signal, () =>
      queueDueDeployments(pool, store),
    ),
    repeat({ ...base, name: "observation-review", everyMs: 1000, ...woken(5000) }, signal, async () => {
      const { found } = await reviewObservations({ pool, place, attributing, onError: onReviewError });
      // Entries of the audit log ring no bell.
      if (found > 0) ringAll();
      await reviewTerminations({ pool, attributing, onError: onTerminationError });
      await attributeChanges({ pool, attributing, onError: onAttributionError });
    }),
    repeat({ ...base, name: "audit-files", everyMs: 1000 }, signal, async () => {
      const { clusters } = store.current().config;
      await followAuditFiles({ pool, evaluations, clusters, signal, onError: onFileError, onGap: onFileGap });
    }),
    repeat(
      { ...base, name: "findings", everyMs: shortestMs, bell, idleMs: options.onBell === undefined ? 500 : 10_000 },
      signal,
      async () => {
        const scopes = toOversightScopes(store.current().config.oversight);
        // A row that is not settled yet has rung already: it is looked for again at once.
        if ((await markChanged(pool)).hasPending) ringSoon(bell);
        const { reviewed } = await reviewFindings({
          pool,
          scopes,
          onFindings: notifyOfFindings,
          onError: onFindingError,
        });
        if (reviewed > 0) return reviewed;
        const nextMs = await readNextLookMs(pool);
        return nextMs === undefined ? undefined : { nextMs: Math.max(nextMs, 500) };
      },
    ),
    repeat({ ...base, name: "holds", everyMs: shortestMs, bell: holdBell, idleMs: 500 }, signal, async () => {
      if ((await options.placeHolds?.()) === true) ringSoon(holdBell);
    }),
    repeat(
      { ...base, name: "barrier-holds", everyMs: shortestMs, bell: barrierBell, idleMs: 500 },
      signal,
      async () => {
        if ((await options.barriers?.place()) === true) ringSoon(barrierBell);
      },
    ),
    repeat({ ...base, name: "barrier-lifts", everyMs: 1000, ...woken(5000) }, signal, async () => {
      await options.barriers?.lift();
    }),
    repeat({ ...base, name: "sets", everyMs: 1000, ...woken(5000) }, signal, async () => {
      return (await options.barriers?.watch())?.hasPending === true ? { nextMs: 1000 } : undefined;
    }),
    repeat({ ...base, name: "source-findings", everyMs: 5000 }, signal, async () => {
      const { config } = store.current();
      const { clusters, oversight } = config;
      const scopes = toOversightScopes(oversight);
      if (config !== overseen.config || performance.now() - overseen.at > overseeEveryMs) {
        await markOutdated(pool, scopes);
        await reviewClusters({ pool, clusters, scopes, onFindings: notifyOfFindings });
        overseen = { config, at: performance.now() };
      }
      await reviewSources({ pool, clusters: clusters.map(({ name }) => name), scopes, onFindings: notifyOfFindings });
    }),
    repeat({ ...base, name: "notification-making", everyMs: 1000, ...woken(10_000) }, signal, async () =>
      (await notifier.prepare()) ? { nextMs: 2000 } : undefined,
    ),
    repeat({ ...base, name: "notification-sending", everyMs: 1000 }, signal, async () => notifier.turn()).finally(
      notifier.settle,
    ),
    repeat({ ...base, name: "audit-checkpoints", everyMs: 30_000 }, signal, () =>
      publishCheckpointWhenDue(options, checkpoints),
    ),
    repeat({ ...base, name: "audit-streams", everyMs: 1000 }, signal, auditStreams.turn).finally(auditStreams.settle),
    repeat({ ...base, name: "decision-events", everyMs: 2000 }, signal, createDecisionEvents(ofAudit)),
    repeat({ ...base, name: "partitions", everyMs: 12 * hourMs }, signal, async () => {
      await ensurePartitions(pool);
      await dropPackedMonths(pool);
    }),
    repeat({ ...base, ...packing, name: "packing", bell: createBell() }, signal, () =>
      packDueRuns(pool, { unpackable }),
    ),
    repeat({ ...base, name: "change-log", everyMs: hourMs }, signal, () => shortenChangeLog(pool)),
    // Right after a start every source is being listed, and nothing would be deleted.
    repeat({ ...base, name: "retention", everyMs: hourMs, firstAfterMs: retentionAfterMs }, signal, () =>
      deleteWhatIsDue(options, signal),
    ),
  ]);
}

/** Scrapes controllers; the state from a scrape is judged before the next one. */
function scrapeControllers({ pool, store, log }: UpkeepOptions): ReturnType<typeof createControllerScraper> {
  const memory: ScrapeMemory = new Map();
  return createControllerScraper({
    now: () => performance.now(),
    async onAttempt(place, attempt) {
      await storeScrape({ pool, memory }, place, attempt);
      const { clusters, oversight } = store.current().config;
      const cluster = clusters.find(({ name }) => name === place.cluster);
      const review = { pool, scopes: toOversightScopes(oversight), onFindings: notifyOfFindings };
      if (cluster !== undefined) await reviewController({ ...review, cluster, component: place.component });
    },
    onError: (error, place) => log.warn({ ...place, error: String(error) }, "a scrape could not be stored or judged"),
  });
}

/** Creates this month's partition and the next one's. Without it rows go to the default partition: nothing is lost. */
export async function ensurePartitions(pool: Pool): Promise<void> {
  await readRows(
    pool,
    sql`SELECT ensure_measurement_partition((date_trunc('month', now() AT TIME ZONE 'UTC') + ahead * interval '1 month')::date)
       FROM generate_series(0, 1) AS ahead`,
  );
}

/** Entries that are newer than the last checkpoint can be rewritten without a trace: docs/verifying-the-audit-log.md. */
const checkpointEveryMs = 15 * 60_000;

/** Publishes a checkpoint if the last one was published long enough ago. */
async function publishCheckpointWhenDue(
  { pool, store, log, metrics }: UpkeepOptions,
  memory: { published: PublishedHeads; publishedAt: number },
): Promise<void> {
  if (performance.now() - memory.publishedAt < checkpointEveryMs) return;
  const config = store.current().config.checkpoints;
  const { failed } = await publishCheckpoint({ pool, config, published: memory.published, log });
  for (const { place, reason } of failed) log.warn({ place, reason }, "audit checkpoint could not be published");
  metrics.checkpointFailures.inc(failed.length);
  if (failed.length === 0) memory.publishedAt = performance.now();
}

const shorten = sql`DELETE FROM change_log WHERE at < now() - interval '1 day' AND (xid, id) < (
  SELECT xid, id FROM change_log WHERE at >= now() - interval '1 day' ORDER BY xid, id LIMIT 1)`;

/**
 * Shortens the change log, up to its first row of the last day: its key is in the order of time, so no index of times is
 * needed. Readers that were away for longer are told to refetch everything.
 */
async function shortenChangeLog(pool: Pool): Promise<void> {
  await write(pool, shorten);
}

/**
 * Deletes due rows once a day. A refusal is retried with the next look; the reason is in the log and in `gatehouse
 * doctor`.
 */
async function deleteWhatIsDue(options: UpkeepOptions, signal: AbortSignal): Promise<void> {
  const { pool, store, log, metrics, holder } = options;
  if (!(await readRetentionState(pool)).isDue) return;
  const result = await runRetention({
    pool,
    holder,
    signal,
    config: store.current().config,
    configTrouble: store.status().trouble?.error,
    onDeleted: (table, rows) => metrics.retentionRows.inc({ table }, rows),
  });
  if (result.outcome === "deleted") log.info({ rows: result.deleted }, "old rows deleted");
  if (result.outcome === "refused")
    log.warn({ obstacles: result.obstacles.map(({ text }) => text) }, "nothing is deleted by age for now");
}

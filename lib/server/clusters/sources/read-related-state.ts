import type { ScrapeState } from "#lib/domain/controllers/scrape-state.ts";
import type { RevisionSet } from "#lib/domain/delivery/attribute-revision.ts";
import type { WorkloadName } from "#lib/domain/delivery/provider.ts";
import {
  type NamedWorkload,
  nothingRelated,
  type RecordedTemplate,
  type RelatedState,
} from "#lib/domain/delivery/related-state.ts";
import type { ReportedMessage } from "#lib/domain/delivery/reporting.ts";
import type { MetricPoint } from "#lib/domain/delivery/sampling.ts";
import { readImageVersion } from "#lib/domain/kube/read-image-version.ts";
import { providerOfKind, reportingKinds } from "#lib/domain/providers.ts";
import { isLikeAny, isOneOf } from "#lib/server/platform/db/conditions.ts";
import { clockTime, secondsBefore } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables, wantedIds } from "#lib/server/platform/db/tables.ts";

/** A recorded rollout with the workloads that it names. */
export type RelatedStateQuery = {
  id: string;
  cluster: string;
  namespace: string;
  kind: string;
  workloads: readonly WorkloadName[];
};

/**
 * Reads the state recorded beside rollouts, by their ids: workloads, memory, the controller's version and its messages.
 * ReplicaSets are left out. Rollouts of a provider that does not look beside its objects are left out too, and cost
 * nothing. `withTemplates`: with the pod templates of the workloads, which only a rollout's recorded state depends on.
 */
export async function readRelatedState(
  connection: Connection,
  rollouts: readonly RelatedStateQuery[],
  { withTemplates = false }: { withTemplates?: boolean } = {},
): Promise<Map<string, RelatedState>> {
  const asking = rollouts.filter(({ kind }) => providerOfKind(kind).readsRelatedState);
  if (asking.length === 0) return new Map();
  // One after the other: within a transaction there is only one connection.
  const workloads = await readWorkloads(connection, asking);
  const templates = withTemplates ? await readTemplates(connection, [...workloads.values()]) : undefined;
  const memories = await readMemories(connection, asking);
  const controllers = await readControllers(connection, asking);
  const versions = await readVersions(connection, asking);
  const routed = await readWeights(connection, asking, "route");
  const weights = await readWeights(connection, asking, "weight");
  const messages = await readMessages(connection, asking);
  return new Map(
    asking.map((rollout): [string, RelatedState] => [
      rollout.id,
      {
        ...nothingRelated,
        cluster: rollout.cluster,
        now: new Date().toISOString(),
        workloads: rollout.workloads.flatMap((name) => {
          const workload = workloads.get(keyOf({ ...rollout, ...name }));
          return workload === undefined ? [] : { ...workload, template: templates?.get(workload.uid) };
        }),
        memory: memories.get(rollout.id),
        controllerVersion: controllers.get(versionKeyOf(rollout))?.version ?? versions.get(versionKeyOf(rollout)),
        defaultRouter: controllers.get(versionKeyOf(rollout))?.default_router ?? undefined,
        routeWeight: routed.get(rollout.id),
        sampledWeight: weights.get(rollout.id),
        messages: messages.get(rollout.id) ?? [],
      },
    ]),
  );
}

/** Reads all state recorded beside one rollout, with those of its ReplicaSets that the cluster still has. */
export async function readAllRelatedState(connection: Connection, rollout: RelatedStateQuery): Promise<RelatedState> {
  const [related, replicaSets] = await Promise.all([
    readRelatedState(connection, [rollout]),
    readReplicaSets(connection, [rollout.id]),
  ]);
  return { ...(related.get(rollout.id) ?? nothingRelated), replicaSets: replicaSets.get(rollout.id) ?? [] };
}

/** Reads the ReplicaSets that the cluster still has, by their rollout. */
export async function readReplicaSets(
  connection: Connection,
  rolloutIds: readonly string[],
): Promise<Map<string, RevisionSet[]>> {
  if (rolloutIds.length === 0) return new Map();
  const rows = await prismaOn(connection).replicaSet.findMany({
    where: { rolloutId: { in: [...rolloutIds] }, presence: "live" },
    select: {
      rolloutId: true,
      name: true,
      podHash: true,
      revision: true,
      images: true,
      replicas: true,
      ready: true,
      available: true,
      desired: true,
    },
  });
  const sets = new Map<string, RevisionSet[]>(rolloutIds.map((id) => [id, []]));
  for (const { rolloutId, ...row } of rows)
    sets.get(rolloutId ?? "")?.push({ ...row, podHash: row.podHash ?? undefined, revision: row.revision ?? undefined });
  return sets;
}

type Place = { cluster: string; namespace: string; kind: string; name: string };

function keyOf({ cluster, namespace, kind, name }: Place): string {
  return [cluster, namespace, kind, name].join("/");
}

/** Reads the workloads by place. For one that was created again, the newest of its name is used. */
async function readWorkloads(
  connection: Connection,
  rollouts: readonly RelatedStateQuery[],
): Promise<Map<string, NamedWorkload>> {
  const unique = (values: readonly string[]) => [...new Set(values)];
  const names = rollouts.flatMap(({ workloads }) => workloads.map(({ name }) => name));
  const rows = await readRows(
    connection,
    tables
      .selectFrom("deployment")
      .select(["uid", "cluster", "namespace", "kind", "name", "images", "generation", "observed_generation"])
      .select(["desired", "replicas", "ready", "available", "updated"])
      .select(["strategy", "progress_deadline_seconds", "conditions"])
      .where(({ ref }) => isOneOf(ref("cluster"), unique(rollouts.map(({ cluster }) => cluster))))
      .where(({ ref }) => isOneOf(ref("namespace"), unique(rollouts.map(({ namespace }) => namespace))))
      .where(({ ref }) => isOneOf(ref("name"), unique(names)))
      .where("presence", "=", "live")
      .orderBy("created_at"),
  );
  return new Map(
    rows.map(({ cluster, namespace, ...row }) => [
      keyOf({ cluster, namespace, ...row }),
      {
        kind: row.kind,
        name: row.name,
        uid: row.uid,
        images: row.images,
        desired: row.desired,
        replicas: row.replicas,
        updated: row.updated,
        ready: row.ready,
        available: row.available,
        generation: row.generation === null ? undefined : Number(row.generation),
        observedGeneration: row.observed_generation === null ? undefined : Number(row.observed_generation),
        strategy: row.strategy ?? undefined,
        progressDeadlineSeconds: row.progress_deadline_seconds ?? undefined,
        conditions: row.conditions,
      },
    ]),
  );
}

/** Reads the recorded pod templates of workloads, by uid. */
async function readTemplates(
  connection: Connection,
  workloads: readonly NamedWorkload[],
): Promise<Map<string, RecordedTemplate>> {
  if (workloads.length === 0) return new Map();
  const rows = await readRows(
    connection,
    tables
      .selectFrom("deployment as d")
      .innerJoin("recorded_part as p", "p.digest", "d.template_digest")
      .select(["d.uid", "p.digest", "p.content"])
      .where(({ ref }) =>
        isOneOf(
          ref("d.uid"),
          workloads.map(({ uid }) => uid),
        ),
      ),
  );
  return new Map(rows.map(({ uid, ...template }) => [uid, template]));
}

/** Reads the projection of each rollout's newest observation. */
async function readMemories(
  connection: Connection,
  rollouts: readonly RelatedStateQuery[],
): Promise<Map<string, unknown>> {
  const rows = await readRows(
    connection,
    tables
      .selectFrom(wantedIds(rollouts.map(({ id }) => id)))
      .innerJoinLateral(
        ({ selectFrom }) =>
          selectFrom("observation as o")
            .select("o.projection")
            .whereRef("o.rollout_id", "=", "wanted.id")
            .orderBy("o.id", "desc")
            .limit(1)
            .as("newest"),
        (join) => join.onTrue(),
      )
      .select(["wanted.id", "newest.projection"]),
  );
  return new Map(rows.map(({ id, projection }) => [id, projection]));
}

/** A recorder samples several times a minute, and stores unchanged values twice a minute. */
const weightSeconds = 180;

/** Reads the newest sampled weight of each rollout, if it is recent. */
async function readWeights(connection: Connection, rollouts: readonly RelatedStateQuery[], what: SampledWeight) {
  const ids = rollouts.flatMap(({ id, kind }) => (providerOfKind(kind).sampling === undefined ? [] : [id]));
  return readNewestWeights(connection, { ids, what, withinSeconds: weightSeconds });
}

/** A weight by the object that routes the traffic, or by the controller's own metrics. */
export type SampledWeight = "route" | "weight";

/** Reads the newest sampled weight of each rollout, if it was taken within this time. */
export async function readNewestWeights(
  connection: Connection,
  { ids, what, withinSeconds }: { ids: readonly string[]; what: SampledWeight; withinSeconds: number },
): Promise<Map<string, MetricPoint>> {
  if (ids.length === 0) return new Map();
  const rows = await readRows(
    connection,
    tables
      .selectFrom(wantedIds(ids))
      .innerJoinLateral(
        ({ selectFrom }) =>
          selectFrom("rollout_sample as s")
            .select(["s.at", "s.value"])
            .whereRef("s.rollout_id", "=", "wanted.id")
            .where("s.what", "=", what)
            .where("s.metric", "=", "")
            .where("s.at", ">", secondsBefore(clockTime, withinSeconds))
            .orderBy("s.at", "desc")
            .limit(1)
            .as("newest"),
        (join) => join.onTrue(),
      )
      .select(["wanted.id", "newest.at", "newest.value"]),
  );
  return new Map(rows.map(({ id, at, value }) => [id, { at: at.toISOString(), value }]));
}

/** Reads the controllers' state from their own metrics; one seen minutes ago may be of another version. */
async function readControllers(
  connection: Connection,
  rollouts: readonly RelatedStateQuery[],
): Promise<Map<string, { version: string | null; default_router: string | null }>> {
  if (rollouts.every(({ kind }) => providerOfKind(kind).sampling === undefined)) return new Map();
  const rows = await readRows(
    connection,
    tables
      .selectFrom("sampled_controller")
      .select(["cluster", "kind", "version", "default_router"])
      .where(({ ref }) => isOneOf(ref("cluster"), [...new Set(rollouts.map(({ cluster }) => cluster))]))
      .where("seen_at", ">", secondsBefore(clockTime, 300)),
  );
  return new Map(rows.map((row) => [versionKeyOf(row), row]));
}

/** More than a controller writes at several checks: its last message about a wait is among them. */
const maxMessages = 50;

/** Reads the newest messages about each rollout, oldest first. */
async function readMessages(
  connection: Connection,
  rollouts: readonly RelatedStateQuery[],
): Promise<Map<string, ReportedMessage[]>> {
  const ids = rollouts.flatMap(({ id, kind }) => (reportingKinds.includes(kind) ? [id] : []));
  if (ids.length === 0) return new Map();
  const rows = await readRows(
    connection,
    tables
      .selectFrom(wantedIds(ids))
      .innerJoinLateral(
        ({ selectFrom }) =>
          selectFrom("controller_message as m")
            .select(["m.rollout_id", "m.controller_time", "m.source", "m.message", "m.count", "m.id"])
            .whereRef("m.rollout_id", "=", "wanted.id")
            .orderBy("m.controller_time", "desc")
            .orderBy("m.id", "desc")
            .limit(maxMessages)
            .as("newest"),
        (join) => join.onTrue(),
      )
      .selectAll("newest")
      .orderBy("newest.controller_time")
      .orderBy("newest.id"),
  );
  const found = new Map<string, ReportedMessage[]>();
  for (const { rollout_id, controller_time, source, message: text, count } of rows) {
    if (rollout_id === null) continue;
    const reported = found.get(rollout_id) ?? [];
    reported.push({ at: controller_time.toISOString(), source, text, count });
    found.set(rollout_id, reported);
  }
  return found;
}

/** Reads the version of a rollout's controller, from its metrics or its image; undefined if neither has it. */
export async function readControllerVersion(
  connection: Connection,
  { cluster, kind }: Pick<RelatedStateQuery, "cluster" | "kind">,
): Promise<string | undefined> {
  const rollout: RelatedStateQuery = { id: "", cluster, namespace: "", kind, workloads: [] };
  const key = versionKeyOf(rollout);
  const reported = await readControllers(connection, [rollout]);
  return (
    reported.get(key)?.version ??
    (await readVersions(connection, [rollout])).get(key) ??
    (await readScrapeState(connection, { cluster, kind }))?.version ??
    undefined
  );
}

/** Reads what the controller's metrics endpoint showed last; its components are called like its images. */
async function readScrapeState(
  connection: Connection,
  { cluster, kind }: Pick<RelatedStateQuery, "cluster" | "kind">,
): Promise<ScrapeState | undefined> {
  const scrape = await prismaOn(connection).controllerScrape.findFirst({
    where: { cluster, component: { in: [...providerOfKind(kind).controllerImages] } },
    select: { state: true },
  });
  return scrape?.state;
}

/**
 * Reads which version a controller had during a span, if its metrics endpoint shows it: its newest process began before
 * the span and answered after it. Undefined otherwise, since the controller may have been upgraded.
 */
export async function readVersionDuring(
  connection: Connection,
  { cluster, kind, from, to }: Pick<RelatedStateQuery, "cluster" | "kind"> & { from: Date; to: Date },
): Promise<string | undefined> {
  const state = await readScrapeState(connection, { cluster, kind });
  if (state === undefined) return undefined;
  const { version, startedAt, lastOkAt } = state;
  if (version === null || startedAt === null || lastOkAt === null) return undefined;
  return Date.parse(startedAt) <= from.getTime() && Date.parse(lastOkAt) >= to.getTime() ? version : undefined;
}

function versionKeyOf({ cluster, kind }: Pick<RelatedStateQuery, "cluster" | "kind">): string {
  return `${cluster}/${kind}`;
}

/** Reads which versions of their controllers the clusters run, by the images of the recorded Deployments. */
async function readVersions(
  connection: Connection,
  rollouts: readonly RelatedStateQuery[],
): Promise<Map<string, string | undefined>> {
  const asked = new Map(rollouts.map((rollout) => [versionKeyOf(rollout), rollout]));
  const versions = new Map<string, string | undefined>();
  for (const [key, { cluster, kind }] of asked) {
    const { controllerImages } = providerOfKind(kind);
    const patterns = controllerImages.map((name) => `%/${name}:%`);
    const rows = await readRows(
      connection,
      tables
        .selectFrom("deployment")
        .select("images")
        .where("cluster", "=", cluster)
        .where("presence", "=", "live")
        .where(({ cast }) => isLikeAny(cast("images", "text"), patterns)),
    );
    versions.set(
      key,
      readImageVersion(
        rows.flatMap(({ images }) => images),
        controllerImages,
      ),
    );
  }
  return versions;
}

import { z } from "zod";
import type { ListPage } from "#lib/contract/common.ts";
import type {
  SetMember,
  SetMemberQuery,
  SetMetricQuery,
  VersionSet,
  VersionSetQuery,
} from "#lib/contract/version-set.ts";
import { type Barrier, findBarrierBlock } from "#lib/domain/acting/barrier.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import {
  countStandings,
  findStanding,
  formatSetSentence,
  hasVersion,
  parseImage,
  type Standing,
  standings,
  type WantedVersion,
} from "#lib/domain/delivery/version-set.ts";
import { servingTags } from "#lib/domain/kube/read-image-version.ts";
import type { Labels } from "#lib/domain/policy/find-team.ts";
import { mayRead } from "#lib/domain/policy/rights.ts";
import { readBarriers } from "#lib/server/acting/permission/read-barriers.ts";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { allOf, type Condition, isLikeAny, isOneOf } from "#lib/server/platform/db/conditions.ts";
import { type RowOf, readRows } from "#lib/server/platform/db/run-query.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import { DatabaseInt, pageOf, parseListCursor } from "#lib/server/records/list-cursor.ts";
import { imagesOf } from "#lib/server/records/release-row.ts";
import { rolloutPlace, selectRollouts, serializeRollout } from "#lib/server/records/rollout-row.ts";
import { asPhase } from "#lib/server/records/run-row.ts";
import { currentRelease, wantedImagesOf } from "#lib/server/records/wanted-images.ts";

const eb = fragment<{ r: "rollout"; l: "release"; a: "analysis_run" }>();

/** A rollout that was recreated leaves a row of its own until it is deleted for good: the newest one counts. */
const newerAtAddress = tables
  .selectFrom("rollout as newer")
  .select("newer.id")
  .whereRef("newer.cluster", "=", eb.ref("r.cluster"))
  .whereRef("newer.namespace", "=", eb.ref("r.namespace"))
  .whereRef("newer.kind", "=", eb.ref("r.kind"))
  .whereRef("newer.name", "=", eb.ref("r.name"))
  .where("newer.presence", "in", ["live", "absent"])
  .whereRef("newer.first_seen_at", ">", eb.ref("r.first_seen_at"));

const selectCandidates = tables
  .selectFrom("rollout as r")
  .leftJoinLateral(currentRelease.as("current"), (join) => join.onTrue())
  .select([
    "r.id",
    "r.cluster",
    "r.namespace",
    "r.kind",
    "r.name",
    "r.images",
    "r.labels",
    "r.phase",
    "r.attention_reason",
    "r.attention_since",
    "current.release_state",
    "current.release_images",
  ])
  .where("r.presence", "in", ["live", "absent"])
  .where(eb.not(eb.exists(newerAtAddress)));

type Candidate = RowOf<typeof selectCandidates>;
export type Member = Candidate & { standing: Standing; current: boolean };

/** Images as they stand in stored JSON: `"shop/app:v1"`, and `"shop/app:v1@sha256:ab"`. */
function versionPatterns(version: string): string[] {
  return [`%:${literal(version)}"%`, `%:${literal(version)}@%`, `%@${literal(version)}"%`];
}

function repositoryPatterns(repository: string): string[] {
  return [`%"${literal(repository)}:%`, `%"${literal(repository)}@%`, `%"${literal(repository)}"%`];
}

/** Makes a LIKE pattern that matches the text itself, as JSON writes it. */
function literal(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(/[\\%_]/g, "\\$&");
}

const rolloutImages = eb.cast<string>("r.images", "text");

/** The current revision of rollout `r` may have the version; the index of release images finds those releases. */
function wantsLike(patterns: readonly string[]): Condition {
  const releases = tables
    .selectFrom("release as l")
    .innerJoin("rollout as wanting", (join) =>
      join.onRef("wanting.id", "=", "l.rollout_id").onRef("wanting.revision_key", "=", "l.run_key"),
    )
    .select("l.rollout_id")
    .where(isLikeAny(eb.cast<string>("l.images", "text"), patterns));
  return eb("r.id", "in", releases);
}

async function readCandidates({ runtime, actor }: ServiceContext, condition: Condition): Promise<Candidate[]> {
  return readRows(
    runtime.pool,
    selectCandidates.where(() => allOf([isReadable(actor.rights, rolloutPlace), condition])),
  );
}

type ImageCount = VersionSet["imageCounts"][number];
/** The images with the most rollouts first. */
type WholeSet = { images: Pick<ImageCount, "image" | "rollouts">[]; members: Member[] };

/**
 * Finds the rollouts that run or receive a version, and those that run another version of the same images. The
 * statements find a few too many: the parsed images decide. Throws `not_found` if nothing has the version.
 */
export async function readSet(ctx: ServiceContext, wanted: WantedVersion): Promise<WholeSet> {
  const patterns = versionPatterns(wanted.version);
  const [wanting, running] = await Promise.all([
    readCandidates(ctx, wantsLike(patterns)),
    readCandidates(ctx, isLikeAny(rolloutImages, patterns)),
  ]);
  const found = new Map([...wanting, ...running].map((row) => [row.id, row]));
  const having = [...found.values()]
    .map((row) => toMember(row, wanted))
    .filter(({ standing }) => standing !== "notBegun");
  if (having.length === 0)
    throw new ServiceError(
      "not_found",
      `No rollout runs or receives version ${wanted.version}, or you may not see it.`,
    );
  const images = countImages(having, wanted);
  const repositories = wanted.repository === undefined ? images.map(({ image }) => image) : [wanted.repository];
  const ids = new Set(having.map(({ id }) => id));
  const alike = await readCandidates(ctx, isLikeAny(rolloutImages, repositories.flatMap(repositoryPatterns)));
  const others = alike
    .filter(
      (row) => !ids.has(row.id) && imagesNow(row).some((image) => repositories.includes(parseImage(image).repository)),
    )
    .map((row) => toMember(row, wanted));
  return { images, members: [...having, ...others] };
}

function imagesNow({ images, release_images }: Candidate): string[] {
  return [...images.map(({ image }) => image), ...imagesOf(release_images)];
}

function countImages(members: readonly Member[], wanted: WantedVersion): WholeSet["images"] {
  const byImage = Map.groupBy(
    members.flatMap((row) => [...new Set(repositoriesOf(row, wanted))]),
    (image) => image,
  );
  return [...byImage]
    .map(([image, { length: rollouts }]) => ({ image, rollouts }))
    .sort((one, other) => other.rollouts - one.rollouts || (one.image < other.image ? -1 : 1));
}

/** Counts all members with each image by how far they have got with the version of that image. */
function countStandingsByImage({ images, members }: WholeSet, { version }: WantedVersion): ImageCount[] {
  const wanted = new Set(images.map(({ image }) => image));
  const byImage = Map.groupBy(
    members.flatMap((row) =>
      [...new Set(imagesNow(row).map((image) => parseImage(image).repository))]
        .filter((image) => wanted.has(image))
        .map((image) => ({ image, member: toMember(row, { version, repository: image }) })),
    ),
    ({ image }) => image,
  );
  return images.map(({ image, rollouts }) => {
    const own = (byImage.get(image) ?? []).map(({ member }) => member);
    return { image, rollouts, counts: countStandings(own), only: pathOfOnly(own) };
  });
}

function pathOfOnly([first, ...others]: readonly Member[]): ImageCount["only"] {
  if (first === undefined || others.length > 0) return null;
  const { cluster, namespace, kind, name } = first;
  return { cluster, namespace, kind, name };
}

function repositoriesOf(row: Candidate, wanted: WantedVersion): string[] {
  return imagesNow(row)
    .filter((image) => hasVersion(image, wanted))
    .map((image) => parseImage(image).repository);
}

function toMember(row: Candidate, wanted: WantedVersion): Member {
  const has = (image: string) => hasVersion(image, wanted);
  const wants = wantedImagesOf(row).some(has);
  const standing = findStanding({
    wants,
    serves: row.images.some(({ image, tags }) => has(image) && tags.some((tag) => servingTags.includes(tag))),
    releaseState: row.release_state,
    attention: row.attention_reason,
    phase: row.phase,
  });
  return { ...row, standing, current: wants };
}

type Key = [rank: number, since: number, cluster: string, namespace: string, name: string, id: string];

/** The place of a member: by its address alone, or by need, then the longest wait, then the address. */
export function keyOf(
  { standing, attention_since, cluster, namespace, name, id }: Member,
  order: SetMemberQuery["order"],
): Key {
  if (order === "address") return [0, 0, cluster, namespace, name, id];
  const since = attention_since?.getTime() ?? Number.MAX_SAFE_INTEGER;
  return [standings.indexOf(standing), since, cluster, namespace, name, id];
}

export function compareKeys(one: Key, other: Key): number {
  for (const [index, part] of one.entries()) {
    const against = other[index] ?? part;
    if (part !== against) return part < against ? -1 : 1;
  }
  return 0;
}

export function wantedOf({ version, image }: { version: string; image?: string | undefined }): WantedVersion {
  return { version, repository: image };
}

/** Returns how far a version has got: in all rollouts together, and by cluster. */
export async function getVersionSet({ ctx, input }: Call<VersionSetQuery>): Promise<VersionSet> {
  const whole = await readSet(ctx, wantedOf(input));
  const { images, members } = whole;
  const counts = countStandings(members);
  const { waveLabel } = ctx.runtime.config().config.recording;
  return {
    version: input.version,
    images: images.map(({ image }) => image).sort(),
    imageCounts: countStandingsByImage(whole, wantedOf(input)),
    sentence: formatSetSentence(input.version, counts),
    total: members.length,
    counts,
    clusters: countBy(members, ({ cluster }) => cluster)
      .map(({ value, ...counted }) => ({ cluster: value, ...counted }))
      .sort((one, other) => (one.cluster < other.cluster ? -1 : 1)),
    waves: waveLabel === undefined ? null : { label: waveLabel, items: countWaves(members, waveLabel) },
  };
}

function countBy<Value>(members: readonly Member[], groupOf: (member: Member) => Value) {
  return [...Map.groupBy(members, groupOf)].map(([value, own]) => ({
    value,
    total: own.length,
    counts: countStandings(own),
  }));
}

const numerically = new Intl.Collator("en", { numeric: true });

function countWaves(members: readonly Member[], label: string): NonNullable<VersionSet["waves"]>["items"] {
  return countBy(members, ({ labels }) => valueOfLabel(labels, label) ?? null)
    .map(({ value, ...counted }) => ({ wave: value, ...counted }))
    .sort(({ wave: one }, { wave: other }) => {
      if (one === null || other === null) return Number(one === null) - Number(other === null);
      return numerically.compare(one, other) || (one < other ? -1 : 1);
    });
}

function valueOfLabel(labels: Labels, name: string): string | undefined {
  return Object.hasOwn(labels, name) ? labels[name] : undefined;
}

const Key = z.tuple([DatabaseInt, z.number().int(), z.string(), z.string(), z.string(), z.uuid()]);

/** Lists the members of this set, in the order asked for. */
export async function listVersionMembers({ ctx, input }: Call<SetMemberQuery>): Promise<ListPage<SetMember>> {
  const after = parseListCursor(Key, input.cursor);
  const { members } = await readSet(ctx, wantedOf(input));
  const keyOfMember = (member: Member) => keyOf(member, input.order);
  const rows = members
    .filter((member) => isListed(member, input) && (after === undefined || compareKeys(keyOfMember(member), after) > 0))
    .sort((one, other) => compareKeys(keyOfMember(one), keyOfMember(other)))
    .slice(0, input.limit + 1);
  const [read, barrierOf] = await Promise.all([readShown(ctx, rows), readBarriers(ctx, rows.filter(isAtPause))]);
  const shown = new Map(read.map((row) => [row.id, row]));
  return pageOf({
    rows,
    limit: input.limit,
    keyOf: keyOfMember,
    toItem: (member) =>
      toItem(ctx, shown.get(member.id), { ...member, barrier: isAtPause(member) ? barrierOf(member) : undefined }),
  });
}

export function isListed(
  member: Member,
  { cluster, namespace, standing, label, q = "" }: Omit<SetMetricQuery, "version">,
): boolean {
  const text = q.toLowerCase();
  return (
    (label === undefined || isLabelled(member.labels, label)) &&
    (cluster === undefined || member.cluster === cluster) &&
    (namespace === undefined || member.namespace === namespace) &&
    (standing === undefined || member.standing === standing) &&
    (member.name.toLowerCase().includes(text) || member.namespace.toLowerCase().includes(text))
  );
}

/** Returns whether a rollout has the label `name=value`, or `name` with any value. */
function isLabelled(labels: Labels, label: string): boolean {
  const [name = "", ...value] = label.split("=");
  const own = valueOfLabel(labels, name);
  return own !== undefined && (value.length === 0 || own === value.join("="));
}

const newestRun = eb
  .selectFrom("analysis_run as a")
  .select(["a.uid as run_uid", "a.name as run_name", "a.phase as run_phase"])
  .whereRef("a.rollout_id", "=", "r.id")
  .whereRef("a.pod_hash", "=", "r.revision_key")
  .orderBy("a.created_at", "desc")
  .limit(1);

const selectShown = selectRollouts
  .leftJoinLateral(newestRun.as("newest"), (join) => join.onTrue())
  .select(["newest.run_uid", "newest.run_name", "newest.run_phase"]);

type Shown = RowOf<typeof selectShown>;

async function readShown({ runtime }: ServiceContext, members: readonly Member[]): Promise<Shown[]> {
  const ids = members.map(({ id }) => id);
  return readRows(runtime.pool, selectShown.where(isOneOf(eb.ref("r.id"), ids, "uuid")));
}

function isAtPause({ standing, current }: Member): boolean {
  return current && (standing === "waiting" || standing === "inconclusive");
}

function toItem(
  ctx: ServiceContext,
  row: Shown | undefined,
  { standing, current, barrier }: Member & { barrier: Barrier | undefined },
): SetMember {
  // Deleted between the two statements: left out like a corrupt row.
  if (row === undefined) throw new RangeError("the rollout is gone");
  const { run_uid: runUid, run_name: name, run_phase: phase } = row;
  const verdict = runUid === null || name === null || phase === null ? null : { runUid, name, phase: asPhase(phase) };
  const mayName = (place: ObjectRef) => mayRead(ctx.actor.rights, place);
  const block = barrier && findBarrierBlock({ passes: "pause", passesPauses: [], barrier, mayName });
  const heldBack = block?.because ?? null;
  return { rollout: serializeRollout(row, ctx.runtime), standing, current, verdict, heldBack };
}

import type { Pool } from "pg";
import { stableUuid } from "#lib/domain/delivery/rollout-id.ts";
import { nameCommit, nameEnvironment, statusOfRelease } from "#lib/domain/notify/name-commit.ts";
import type { DeploymentReport } from "#lib/domain/notify/notifiable-event.ts";
import { isInScope } from "#lib/domain/policy/rights.ts";
import { lockPlace } from "#lib/server/notify/collect-events.ts";
import { storeMessage } from "#lib/server/notify/store-message.ts";
import type { ConfigStore } from "#lib/server/platform/config/config-store.ts";
import {
  type CdEventsChannelConfig,
  type DeploymentsChannelConfig,
  isOfReleases,
} from "#lib/server/platform/config/notification-schema.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, type RowOf, readRows, write } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { readAnnotations } from "#lib/server/recording/history/read-annotations.ts";
import { completeLoaded, readSettings } from "#lib/server/records/stored-settings.ts";
import { queueServiceEvent } from "./queue-service-event.ts";
import { makeReleaseMessage } from "./release-message.ts";

const maxPerPass = 100;
/** Releases that began before are not looked for: a list of a day is short enough to read at each pass. */
const lookBackMs = 86_400_000;
/** A pod template may be recorded after its release has begun. */
const namedWithinMs = 120_000;

const selectReleases = tables
  .selectFrom("release as l")
  .innerJoin("rollout as r", "r.id", "l.rollout_id")
  .select(["l.id", "l.rollout_id", "l.run_key", "l.state", "l.images", "l.revision", "l.message"])
  .select(["l.started_at", "l.ended_at"])
  .select(["r.cluster", "r.namespace", "r.kind", "r.name"])
  .orderBy("l.started_at")
  .orderBy("l.id")
  .limit(maxPerPass);
type ReleaseRow = RowOf<typeof selectReleases>;

/** Queues what is due on the channels of the config and of the interface. Resolves as `queueDeployments` does. */
export async function queueDueDeployments(pool: Pool, store: Pick<ConfigStore, "current">): Promise<number> {
  const { config } = completeLoaded(store.current(), await readSettings(pool));
  const channels = config.notifications.channels.filter(isOfReleases);
  return queueDeployments({ pool, channels, now: await readDatabaseTime(pool) });
}

type ReleaseChannel = DeploymentsChannelConfig | CdEventsChannelConfig;
type Queueing<Channel = ReleaseChannel> = { channel: Channel; now: Date };

/**
 * Makes messages to code hosts: one when a release begins, and one when it is over. Pipelines get only the second. A message is stored in the transaction
 * that stores that it was made, so an interruption loses nothing and repeats nothing. Resolves with the number of
 * releases that were looked at.
 */
export async function queueDeployments({
  pool,
  channels,
  now,
}: {
  pool: Pool;
  channels: readonly ReleaseChannel[];
  now: Date;
}): Promise<number> {
  await forgetOthers(pool, channels);
  let taken = 0;
  for (const channel of channels)
    taken += await inTransaction(pool, async (tx) => {
      const place = await lockPlace(tx, placeOf(channel));
      await forgetOld(tx, { channel, now });
      return (await queueEnds(tx, { channel, now })) + (await queueBeginnings(tx, { channel, now }, place.beginsAt));
    });
  return taken;
}

const places = "deployments:";

function placeOf({ name }: { name: string }): string {
  return `${places}${name}`;
}

/** A channel that is added again begins anew. */
async function forgetOthers(pool: Pool, channels: readonly { name: string }[]): Promise<void> {
  const { notificationPlace, reportedRelease } = prismaOn(pool);
  await notificationPlace.deleteMany({ where: { name: { startsWith: places, notIn: channels.map(placeOf) } } });
  await reportedRelease.deleteMany({ where: { channel: { notIn: channels.map(({ name }) => name) } } });
}

async function forgetOld(tx: Connection, { channel, now }: Queueing): Promise<void> {
  const old = new Date(now.getTime() - 2 * lookBackMs);
  await write(
    tx,
    tables
      .deleteFrom("reported_release as p")
      .using("release as l")
      .whereRef("l.id", "=", "p.release_id")
      .where("p.channel", "=", channel.name)
      .where("p.status", "is distinct from", "in_progress")
      .where("l.started_at", "<", old),
  );
}

async function queueEnds(tx: Connection, { channel, now }: Queueing): Promise<number> {
  const ended = await readRows(
    tx,
    selectReleases
      .innerJoin("reported_release as p", "p.release_id", "l.id")
      .select(["p.repository", "p.commit", "p.steps"])
      .where("p.channel", "=", channel.name)
      .where("p.status", "=", "in_progress")
      .where("l.state", "not in", ["progressing", "paused"]),
  );
  for (const { repository, commit, steps, ...release } of ended)
    if (channel.type === "cdevents") await queueServiceEvent(tx, { channel, now }, release);
    else if (repository !== null && commit !== null)
      await queueReport(tx, { channel, now }, { release, named: { repository, commit }, steps });
  return ended.length;
}

async function queueBeginnings(tx: Connection, { channel, now }: Queueing, beginsAt: Date): Promise<number> {
  const since = new Date(Math.max(beginsAt.getTime(), now.getTime() - lookBackMs));
  const begun = await readRows(
    tx,
    selectReleases
      .where("l.started_at", ">=", since)
      .where(({ exists, not, selectFrom }) =>
        not(
          exists(
            selectFrom("reported_release as p")
              .select("p.release_id")
              .where("p.channel", "=", channel.name)
              .whereRef("p.release_id", "=", "l.id"),
          ),
        ),
      ),
  );
  for (const release of begun)
    if (!isInScope(scopeOf(channel), release)) await leaveOut(tx, { channel, release });
    else if (channel.type === "cdevents") await queueServiceEvent(tx, { channel, now }, release);
    else await queueBeginning(tx, { channel, now }, release);
  return begun.length;
}

async function queueBeginning(
  tx: Connection,
  { channel, now }: Queueing<DeploymentsChannelConfig>,
  release: ReleaseRow,
): Promise<void> {
  const named = await readCommit(tx, { channel, release });
  if (named !== undefined) await queueReport(tx, { channel, now }, { release, named, steps: 0 });
  else if (now.getTime() - release.started_at.getTime() > namedWithinMs) await leaveOut(tx, { channel, release });
}

async function leaveOut(tx: Connection, { channel, release }: { channel: { name: string }; release: { id: string } }) {
  await prismaOn(tx).reportedRelease.createMany({ data: { channel: channel.name, releaseId: release.id } });
}

function scopeOf({ clusters, namespaces, rollouts }: ReleaseChannel) {
  return { clusters, namespaces, rollouts };
}

type Named = Pick<DeploymentReport, "repository" | "commit">;

/** Reads what the release names. The pod template's commit belongs to its version; the rollout's may be left over. */
async function readCommit(
  tx: Connection,
  { channel, release }: { channel: DeploymentsChannelConfig; release: ReleaseRow },
): Promise<Named | undefined> {
  const annotationsOf = await readAnnotations(tx, release);
  const commits = annotationsOf(channel.commit);
  const repositories = annotationsOf(channel.repository);
  const at = commits.findIndex((commit) => commit !== null);
  if (at === -1) return undefined;
  // The repository is the same for all versions: it may be on the rollout alone.
  const repository = repositories[at] ?? repositories.find((each) => each !== null) ?? null;
  return nameCommit({ repository, commit: commits[at] ?? null }, channel);
}

type Report = { release: ReleaseRow; named: Named; steps: number };

async function queueReport(
  tx: Connection,
  { channel, now }: Queueing<DeploymentsChannelConfig>,
  { release, named, steps }: Report,
): Promise<void> {
  const status = statusOfRelease(release.state);
  const deployment = { ...named, environment: nameEnvironment(channel.environment, release), status };
  const message = {
    ...makeReleaseMessage({ channel, release, status, at: now }, { deployment }),
    incidentId: stableUuid("deployment", release.id),
  };
  await storeMessage(tx, { message, channel, step: steps, now });
  const { reportedRelease } = prismaOn(tx);
  const key = { channel: channel.name, releaseId: release.id };
  if (steps === 0) await reportedRelease.createMany({ data: { ...key, ...named, status, steps: 1 } });
  else await reportedRelease.updateMany({ where: key, data: { status, steps: steps + 1 } });
}

import type { ReleaseState } from "#lib/domain/delivery/derive-releases.ts";
import { describeService } from "#lib/domain/notify/describe-service.ts";
import { nameEnvironment, statusOfRelease } from "#lib/domain/notify/name-commit.ts";
import type { ServiceReport } from "#lib/domain/notify/notifiable-event.ts";
import { storeMessage } from "#lib/server/notify/store-message.ts";
import type { CdEventsChannelConfig } from "#lib/server/platform/config/notification-schema.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { Connection } from "#lib/server/platform/db/run-query.ts";
import { makeReleaseMessage } from "./release-message.ts";

type ReleaseRow = {
  id: string;
  rollout_id: string;
  run_key: string;
  state: ReleaseState;
  revision: number | null;
  message: string;
  images: string[];
  ended_at: Date | null;
  cluster: string;
  namespace: string;
  kind: string;
  name: string;
};

/**
 * Queues the CDEvent of a release that is over, if there is one. In any case it stores that the release was looked at: one
 * that is under way is looked at again when it ends.
 */
export async function queueServiceEvent(
  tx: Connection,
  { channel, now }: { channel: CdEventsChannelConfig; now: Date },
  release: ReleaseRow,
): Promise<void> {
  const status = statusOfRelease(release.state);
  const service = release.ended_at === null ? undefined : await readService(tx, channel, release);
  if (service !== undefined) {
    const message = makeReleaseMessage({ channel, release, status, at: release.ended_at ?? now }, { service });
    await storeMessage(tx, { message, channel, now });
  }
  const key = { channel: channel.name, releaseId: release.id };
  await prismaOn(tx).reportedRelease.upsert({
    where: { channel_releaseId: key },
    create: { ...key, status },
    update: { status },
  });
}

async function readService(
  tx: Connection,
  channel: CdEventsChannelConfig,
  { rollout_id: rolloutId, run_key: runKey, ended_at: endedAt, ...release }: ReleaseRow,
): Promise<ServiceReport | undefined> {
  const { release: releases } = prismaOn(tx);
  const promotedBefore = { rolloutId, state: "promoted", endedAt: { lt: endedAt ?? new Date(0) } } as const;
  const before = await releases.findFirst({
    where: promotedBefore,
    orderBy: { endedAt: "desc" },
    select: { runKey: true, images: true },
  });
  const isReturn = (await releases.count({ where: { ...promotedBefore, runKey }, take: 1 })) > 0;
  const described = describeService({ ...release, runKey }, { before: before ?? undefined, isReturn });
  return described && { ...described, environment: nameEnvironment(channel.environment, release) };
}

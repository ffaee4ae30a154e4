import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Pool } from "pg";
import { createChannelTurns } from "#lib/server/notify/channel-turns.ts";
import { sendMessage } from "#lib/server/notify/channels/send-message.ts";
import { collectAudit } from "#lib/server/notify/collect-events.ts";
import { makeMessages } from "#lib/server/notify/make-messages.ts";
import { prepareMessages } from "#lib/server/notify/prepare-messages.ts";
import { sendDue } from "#lib/server/notify/send-due.ts";
import { type ChannelConfig, NotificationConfig } from "#lib/server/platform/config/notification-schema.ts";
import { createTestDatabase } from "#test/database.ts";
import { createTestPool } from "#test/test-pool.ts";

/** A recorder's part in notifications, with a clock of its own. */
export async function createNotifyWorld(configure: (fileOf: (name: string, text: string) => string) => unknown) {
  const database = await createTestDatabase();
  const pool = createTestPool(database.recorderUrl);
  const owner = createTestPool(database.ownerUrl, 2);
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-notify-"));
  const config = NotificationConfig.parse(
    configure((name, text) => {
      writeFileSync(join(folder, name), text);
      return `file:${join(folder, name)}`;
    }),
  );
  await collectAudit(pool);
  let now = Date.now() + 1000;

  /** Makes and sends what is due, as a process whose pool and sends may break. */
  async function pass({
    own = pool,
    send = sendMessage,
    memory = new Set<string>(),
    pace = { windowMs: 15_000, perMinute: 20 },
  }: {
    own?: Pool;
    send?: typeof sendMessage;
    memory?: Set<string>;
    pace?: { windowMs: number; perMinute: number };
  } = {}): Promise<void> {
    await prepareMessages({ pool: own, config, now: new Date(now), pace });
    const turns = createChannelTurns<ChannelConfig>({
      work: (channel) =>
        sendDue(
          {
            ...{ pool: own, publicUrl: "https://gatehouse.example.org", send, memory },
            ...{ now: async () => new Date(now), random: () => 0, signal: new AbortController().signal },
            onOutcome: () => {},
          },
          channel,
        ),
    });
    turns.start(config.channels);
    await turns.settle();
  }

  /** Stores rollouts that wait since now, as the recorder does: all of one version unless it differs by name. */
  async function beginWaits(
    names: readonly string[],
    { reason = "pause", severity = "info", versionOf = (_: string): string => "v2.31.0" } = {},
  ): Promise<void> {
    const images = names.map((name) =>
      JSON.stringify([{ image: `shop/${name}:${versionOf(name)}`, tags: ["canary"] }]),
    );
    await owner.query(
      `WITH known AS (INSERT INTO cluster (name) VALUES ('prod') ON CONFLICT DO NOTHING), waiting AS (
       INSERT INTO rollout (id, cluster, namespace, kind, name, uid, phase, message, step_count, view_digest, revision_key,
         resource_version, object, images, updated_at, attention_reason, attention_since, attention_severity)
       SELECT gen_random_uuid(), 'prod', 'shop', 'Rollout', name, gen_random_uuid(), 'Paused', '', 5, '', '', '1', '{}',
         images::jsonb, now(), $3, $4, $5
         FROM unnest($1::text[], $2::text[]) AS given (name, images) RETURNING *)
       INSERT INTO attention_change (rollout_id, reason, since, severity, message, step_count, is_first_sight)
       SELECT id, attention_reason, attention_since, attention_severity, message, step_count, true FROM waiting`,
      [names, images, reason, new Date(now), severity],
    );
  }

  return {
    ...{ pool, owner, config, pass, beginWaits, recorderUrl: database.recorderUrl },
    /** Makes the messages that are due of what is pending. */
    make: ({ own }: { own: Pool }) => makeMessages({ pool: own, config, now: new Date(now) }),
    now: () => new Date(now),
    /** Lets time pass, without doing anything. */
    advance: (seconds: number) => {
      now += seconds * 1000;
    },
    endWaits: (names: readonly string[]) =>
      owner.query(
        `UPDATE rollout SET attention_reason = NULL, attention_since = NULL, attention_severity = NULL
          WHERE name = ANY($1)`,
        [names],
      ),
    query: async (text: string, values: unknown[] = []) => (await owner.query(text, values)).rows,
    async close() {
      await Promise.all([pool.end(), owner.end()]);
      await database.drop();
      rmSync(folder, { recursive: true });
    },
  };
}

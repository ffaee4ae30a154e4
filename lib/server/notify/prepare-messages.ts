import type { Pool } from "pg";
import type { NotificationConfig } from "#lib/server/platform/config/notification-schema.ts";
import { collectAttention } from "./collect-attention.ts";
import { collectAudit } from "./collect-audit.ts";
import { makeMessages } from "./make-messages.ts";
import { planEvents } from "./plan-events.ts";
import { suppressOrphans } from "./suppress-orphans.ts";

/**
 * Turns what has happened since the last pass into messages: events of waits and of the audit log, their channels, and
 * the messages that are due. Each step is a transaction of its own that takes its input away as it stores its output:
 * whoever is interrupted loses nothing and does nothing twice.
 */
export async function prepareMessages({
  pool,
  config,
  now,
}: {
  pool: Pool;
  config: NotificationConfig;
  now: Date;
}): Promise<{ suppressed: string[] }> {
  await untilNone(() => collectAudit(pool));
  await untilNone(() => collectAttention(pool));
  await untilNone(() => planEvents({ pool, config, now }));
  const suppressed = await suppressOrphans({ pool, channels: config.channels, now });
  await makeMessages({ pool, config, now });
  return { suppressed };
}

/** A pass takes as many pages as there are, within reason: the next pass is a second later. */
async function untilNone(step: () => Promise<number>): Promise<void> {
  for (let page = 0; page < 20; page++) if ((await step()) === 0) return;
}

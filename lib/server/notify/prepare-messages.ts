import type { Pool } from "pg";
import type { NotificationConfig } from "#lib/server/platform/config/notification-schema.ts";
import { collectAttention } from "./collect-attention.ts";
import { collectAudit } from "./collect-audit.ts";
import { makeMessages, type Pace } from "./make-messages.ts";
import { planEvents } from "./plan-events.ts";
import { suppressOrphans } from "./suppress-orphans.ts";

/**
 * Collects the events of waits and of the audit log since the last pass, assigns them to channels, and makes the
 * messages that are due. Each step is a separate transaction that consumes its input as it stores its output: an
 * interruption loses nothing and repeats nothing.
 */
export async function prepareMessages({
  pool,
  config,
  now,
  pace,
}: {
  pool: Pool;
  config: NotificationConfig;
  now: Date;
  pace?: Pace;
}): Promise<{ suppressed: string[] }> {
  await untilNone(() => collectAudit(pool));
  await untilNone(() => collectAttention(pool));
  await untilNone(() => planEvents({ pool, config, now }));
  const suppressed = await suppressOrphans({ pool, channels: config.channels, now });
  await makeMessages({ pool, config, now, pace });
  return { suppressed };
}

/** A pass takes as many pages as there are, within reason: the next pass is a second later. */
async function untilNone(step: () => Promise<number>): Promise<void> {
  for (let page = 0; page < 20; page++) if ((await step()) === 0) return;
}

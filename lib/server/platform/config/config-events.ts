import type { Logger } from "pino";
import type { ConfigStore } from "#lib/server/platform/config/config-store.ts";
import type { PolicyConfig } from "#lib/server/platform/config/policy-schema.ts";
import { policiesEvidenceOf } from "#lib/server/platform/config/policy-schema.ts";
import { clockTime, secondsBefore } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, readRow } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";

/** Reads the newest report of the web processes about the config; null if there is none. */
export function readNewestConfigEvent(connection: Connection) {
  return prismaOn(connection).configEvent.findFirst({
    where: { code: { not: confirmed } },
    orderBy: { id: "desc" },
    select: { code: true, content: true, at: true },
  });
}

/**
 * Returns the trouble that the web processes last reported about the config, for a command that cannot ask them.
 * Undefined if they loaded the config, or if no web process has run yet.
 */
export async function readConfigTrouble(connection: Connection): Promise<string | undefined> {
  const last = await readNewestConfigEvent(connection);
  if (last === null || last.code === "config.loaded") return undefined;
  const what = last.code === "config.held" ? "held" : "refused";
  return `the running processes have ${what} the config file since ${last.at.toISOString()}`;
}

/**
 * Returns the content of the report of a load: the digests of the file and of the policies in force. The second leads to
 * the policies, which are evidence in the audit log.
 */
export function loadedContentOf({ digest, policies }: { digest: string; policies: PolicyConfig }): string {
  return `${digest} ${policiesEvidenceOf(policies).digest}`;
}

/** Writes one line to the process's log for each load, refusal and hold. */
export function logConfigEvents(store: ConfigStore, log: Logger): void {
  store.subscribe((event) => {
    const digest = event.digest?.slice(0, 12);
    if (event.type === "loaded") {
      const { clusters, bindings, needsRestart } = event;
      log.info({ digest, clusters, bindings }, "config loaded");
      if (needsRestart.length > 0) log.warn({ keys: needsRestart }, "these config keys count from the next start on");
    } else if (event.type === "refused")
      log.error({ digest, fault: event.fault, error: event.error }, "config refused; the last good one stays in force");
    else log.error({ digest, error: event.error }, "config held; the one before it stays in force");
  });
}

/** Both digests of a removal: confirming one change says nothing about another. */
type ConfigChange = { digest: string; replaces: string };

/** The code of a confirmation in `config_event`: it reports nothing about the config in force. */
const confirmed = "config.confirmed";

/**
 * Returns whether an admin has confirmed within the last hour, by the database's clock, that one file may replace the
 * other. An hour is long enough for every replica to see it, and too short to accept the same fault another day.
 */
export async function isChangeConfirmed(pool: Connection, change: ConfigChange): Promise<boolean> {
  const confirmation = await readRow(
    pool,
    tables
      .selectFrom("config_event")
      .select("id")
      .where("code", "=", confirmed)
      .where("content", "=", contentOf(change))
      .where("at", ">", secondsBefore(clockTime, 3600))
      .limit(1),
  );
  return confirmation !== undefined;
}

/** The audit log says who confirmed it, and why. */
export async function confirmChange(tx: Connection, change: ConfigChange): Promise<void> {
  await prismaOn(tx).configEvent.create({
    data: { code: confirmed, content: contentOf(change) },
    select: { id: true },
  });
}

function contentOf({ digest, replaces }: ConfigChange): string {
  return `${digest} ${replaces}`;
}

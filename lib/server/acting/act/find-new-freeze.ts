import type { ActionName } from "#lib/domain/acting/action-catalogue.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { findFreezes } from "#lib/domain/policy/freeze.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import type { Connection } from "#lib/server/platform/db/run-query.ts";
import { readFreezes, toFreezePeriod } from "#lib/server/records/freeze-row.ts";

type FreezableAttempt = { path: ObjectRef; request: { action: ActionName } };

/**
 * Finds a freeze that a person has made since the click was judged, and says why it refuses. `broken` are those that
 * the click breaks.
 */
export async function findNewFreeze(
  connection: Connection,
  { path, request }: FreezableAttempt,
  broken: readonly string[],
): Promise<{ name: string; message: string } | undefined> {
  const { now, freezes: made } = await readFreezes(connection);
  const freezes = findFreezes({
    windows: made.map(toFreezePeriod),
    action: { name: request.action, protective: false },
    target: path,
    now,
  });
  const freeze = freezes.find(({ id }) => id === undefined || !broken.includes(id));
  if (freeze === undefined) return undefined;
  return { name: freeze.name, message: `Freeze "${freeze.name}" has just begun. Look at the rollout again.` };
}

/**
 * Throws `frozen` for a new freeze, with its name as the cause. Intents and freezes are written one after the other, by
 * the lock of the audit chain: no intent follows a freeze that it did not see.
 */
export async function assertNotFrozen(...[client, attempt, broken]: Parameters<typeof findNewFreeze>): Promise<void> {
  const freeze = await findNewFreeze(client, attempt, broken);
  if (freeze !== undefined) throw new ServiceError("frozen", freeze.message, { cause: freeze.name });
}

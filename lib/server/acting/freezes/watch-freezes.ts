import type { Pool } from "pg";
import type { FreezePeriod } from "#lib/domain/policy/freeze.ts";
import { type Watched, type WatchOptions, watchStored } from "#lib/server/process/watch-stored.ts";
import { readFreezes, toFreezePeriod } from "#lib/server/records/freeze-row.ts";

/**
 * Keeps the freezes that people made in memory, for lists. A click reads them again (`judge-click.ts`), and so does the
 * answer about one rollout (`get-rollout.ts`).
 */
export function watchFreezes({ pool, ...options }: WatchOptions & { pool: Pool }): Watched<readonly FreezePeriod[]> {
  const read = async () => (await readFreezes(pool)).freezes.map(toFreezePeriod);
  return watchStored<readonly FreezePeriod[]>({ ...options, kind: "freeze", initial: [], read });
}

import { clockTime, secondsAfter, secondsBefore } from "#lib/server/platform/db/database-time.ts";
import { type Connection, type RowOf, readRow, write } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";

const name = "retention";
/** Longer than any single step takes; the lock of a run that died expires after it. */
const holdMinutes = 15;

const holdEnd = secondsAfter(clockTime, holdMinutes * 60);
const selectRun = tables
  .selectFrom("retention_run")
  .select(["done_at as doneAt", "outcome", "message"])
  .select(({ eb, or }) =>
    or([eb("done_at", "is", null), eb("done_at", "<", secondsBefore(clockTime, 24 * 3600))])
      .$castTo<boolean>()
      .as("isDue"),
  )
  .where("name", "=", name);

export type RetentionState = Pick<RowOf<typeof selectRun>, "doneAt" | "outcome" | "message">;

/** Claims the right to delete now; returns whether it succeeded. Only one run at a time, whoever started it. */
export async function claimRetention(client: Connection, holder: string): Promise<boolean> {
  const claim = { holder, expires_at: holdEnd };
  const claimed = await write(
    client,
    tables
      .insertInto("retention_run")
      .values({ name, ...claim })
      .onConflict((conflict) =>
        conflict
          .column("name")
          .doUpdateSet(claim)
          .where((eb) =>
            eb.or([eb("retention_run.holder", "is", null), eb("retention_run.expires_at", "<", clockTime)]),
          ),
      ),
  );
  return claimed === 1;
}

/** Renews the claim between two steps. Throws if another process has taken over since. */
export async function renewRetention(client: Connection, holder: string): Promise<void> {
  const renewed = await write(
    client,
    tables
      .updateTable("retention_run")
      .set({ expires_at: holdEnd })
      .where("name", "=", name)
      .where("holder", "=", holder)
      .where("expires_at", ">", clockTime),
  );
  if (renewed !== 1) throw new Error("another process has taken the deletion over");
}

/** Ends a run. An incomplete run leaves the time of the last complete one. */
export async function endRetention(
  client: Connection,
  { holder, outcome, message, isDone }: { holder: string; outcome: string; message: string; isDone: boolean },
): Promise<void> {
  await write(
    client,
    tables
      .updateTable("retention_run")
      .set({
        ...{ holder: null, expires_at: null, outcome, message: message.slice(0, 2000) },
        ...(isDone ? { done_at: clockTime } : {}),
      })
      .where("name", "=", name)
      .where("holder", "=", holder),
  );
}

/** Reads the state; undefined before the first run. `isDue`: no run has completed within a day. */
export async function readRetentionState(
  client: Connection,
): Promise<{ state: RetentionState | undefined; isDue: boolean }> {
  const run = await readRow(client, selectRun);
  return { state: run, isDue: run?.isDue ?? true };
}

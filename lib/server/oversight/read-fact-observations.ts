import type { FactObservation } from "#lib/domain/oversight/rollout-facts.ts";
import { providerOfKind } from "#lib/domain/providers.ts";
import { type Connection, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { toRecorded } from "#lib/server/recording/history/rollout-state.ts";

/** How many observations back the write of a template is searched; see review-observations.ts. */
const trailLength = 30;

/**
 * Reads a rollout's observations since a time, and the one before, oldest first; if there are more than `limit`, the
 * newest. Each lists the changes since the one before that the controller did not make.
 */
export async function readFactObservations(
  connection: Connection,
  { rollout, from, limit }: { rollout: { id: string; kind: string }; from: string; limit: number },
): Promise<FactObservation[]> {
  const rows = await readRows(
    connection,
    tables
      .selectFrom("observation")
      .select(["id", "observed_at", "resource_version", "writer", "provider", "projection"])
      .where("rollout_id", "=", rollout.id)
      .where("provider", "<>", "")
      .where(({ eb, ref, fn, selectFrom, val }) =>
        eb(
          ref("id"),
          ">=",
          fn.coalesce(
            selectFrom("observation as b")
              .select(({ fn }) => fn.max("b.id").as("id"))
              .where("b.rollout_id", "=", rollout.id)
              .where("b.observed_at", "<", new Date(from)),
            val("0"),
          ),
        ),
      )
      .orderBy("id", "desc")
      .limit(limit),
  );
  const provider = providerOfKind(rollout.kind);
  const observed = rows.toReversed().map((row) => ({ ...toRecorded(row), at: row.observed_at.getTime() }));
  const former = new Map<string, number | null>();
  return observed.map((next, index) => {
    const items = observed.slice(Math.max(0, index - trailLength), index + 1);
    const changes = items.length < 2 ? [] : provider.findChanges({ items, former });
    const { runKey, revision } = next.state;
    if (runKey !== "" && runKey !== observed[index - 1]?.state.runKey) former.set(runKey, revision);
    const { observedAt, resourceVersion, client, state } = next;
    return { observedAt, resourceVersion, client, state, changes };
  });
}

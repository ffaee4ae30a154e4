import type { PoolClient } from "pg";
import type { FieldHolder } from "#lib/domain/kube/find-field-holders.ts";
import type { ObjectEntry } from "#lib/server/recorder/store/batch-types.ts";
import { type Columns, insertRows } from "#lib/server/recorder/store/insert-rows.ts";
import { storableName } from "#lib/server/recorder/store/text-fields.ts";

export type TerminationRow = {
  uid: string;
  kind: "AnalysisRun" | "Experiment";
  holders: string;
  observed_at: string;
  is_first_sight: boolean;
};

const columns: Columns<TerminationRow> = {
  uid: "text",
  kind: "text",
  holders: "jsonb",
  observed_at: "timestamptz",
  is_first_sight: "bool",
};

/**
 * Returns the rows for newly terminated objects. The object does not store who terminated it, so that is read at its
 * first sight as terminated. Returns nothing for the controller's own terminations, as at the end of every release.
 */
export function toTerminationRows(options: {
  kind: TerminationRow["kind"];
  entry: ObjectEntry;
  /** As the provider's `findEnders` returned them. */
  holders: readonly FieldHolder[] | undefined;
  isFirstSight: boolean;
}): TerminationRow[] {
  const { kind, entry, holders, isFirstSight } = options;
  if (holders === undefined) return [];
  return [
    {
      uid: entry.uid,
      kind,
      holders: JSON.stringify(holders.map(({ manager, at }) => ({ manager: storableName(manager), at }))),
      observed_at: entry.receivedAt.toISOString(),
      is_first_sight: isFirstSight,
    },
  ];
}

/** Inserts terminations for `reviewTerminations` to read. */
export async function insertTerminations(tx: PoolClient, rows: readonly TerminationRow[]): Promise<void> {
  await insertRows(tx, { table: "termination", columns, rows, onConflict: "ON CONFLICT (uid) DO NOTHING" });
}

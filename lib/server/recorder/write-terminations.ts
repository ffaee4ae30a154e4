import type { PoolClient } from "pg";
import { controllerManager } from "#lib/domain/argo/known-managers.ts";
import { nameWriter } from "#lib/domain/argo/recognise-controller.ts";
import { findFieldHolders } from "#lib/domain/kube/find-field-holders.ts";
import type { ObjectEntry } from "./batch-types.ts";
import { type Columns, insertRows } from "./insert-rows.ts";
import { storableName } from "./text-fields.ts";

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
 * Who terminated it stands in managedFields alone, which are not stored: it is read at the first sight of the field.
 * Nothing comes of what the controller did, as at the end of every release.
 */
export function toTerminationRows(options: {
  kind: TerminationRow["kind"];
  entry: ObjectEntry;
  managedFields: unknown;
  /** Field managers that are the controller by the config. */
  managers: readonly string[];
  isFirstSight: boolean;
}): TerminationRow[] {
  const { kind, entry, managedFields, managers, isFirstSight } = options;
  const holders = findFieldHolders(managedFields, ["spec", "terminate"]).map(({ manager, at }) => ({
    manager: nameWriter(manager, { kind, managedFields, managers }),
    at,
  }));
  if (holders.some(({ manager }) => manager === controllerManager)) return [];
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

/** Puts them where `reviewTerminations` looks. */
export async function insertTerminations(tx: PoolClient, rows: readonly TerminationRow[]): Promise<void> {
  await insertRows(tx, { table: "termination", columns, rows, onConflict: "ON CONFLICT (uid) DO NOTHING" });
}

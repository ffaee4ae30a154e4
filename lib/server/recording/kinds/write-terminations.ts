import type { ActionSubject } from "#lib/domain/acting/action-params.ts";
import type { FieldHolder } from "#lib/domain/kube/find-field-holders.ts";
import { type InsertedRow, prepareInsert } from "#lib/server/platform/db/prepare-insert.ts";
import type { ObjectEntry } from "#lib/server/recording/store/batch-types.ts";
import { storableName } from "#lib/server/recording/store/text-fields.ts";

/** Inserts terminations for `reviewTerminations` to read. */
export const insertTerminations = prepareInsert({
  table: "termination",
  columns: { uid: "text", kind: "text", holders: "jsonb", observed_at: "timestamptz", is_first_sight: "bool" },
  conflict: { key: ["uid"] },
});
export type TerminationRow = InsertedRow<typeof insertTerminations>;

/**
 * Returns the rows for newly terminated objects. The object does not store who terminated it, so that is read from
 * its first terminated version. Returns nothing for the controller's own terminations, as at the end of every release.
 */
export function toTerminationRows(options: {
  kind: ActionSubject["kind"];
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

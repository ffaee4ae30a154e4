import type { PoolClient } from "pg";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { type InsertedRow, notOlder, prepareInsert, timeOfChange } from "#lib/server/platform/db/prepare-insert.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { objectColumns } from "./kind-rows.ts";

/** The writer's memory of a template between two seen versions. */
export type TemplateState = { resourceVersion: string; presence: string; specHash: string; version: number };

export const insertTemplates = prepareInsert({
  table: "analysis_template",
  columns: {
    ...objectColumns,
    namespace: "text",
    kind: "text",
    name: "text",
    version: "int4",
    spec_hash: "text",
    template_refs: "jsonb",
    created_at: "timestamptz",
  },
  conflict: {
    key: ["uid"],
    keep: ["created_at"],
    set: { updated_at: timeOfChange("analysis_template") },
    when: notOlder("analysis_template"),
  },
});
export type TemplateRow = InsertedRow<typeof insertTemplates>;

export const insertVersions = prepareInsert({
  table: "analysis_template_version",
  columns: {
    template_uid: "text",
    version: "int4",
    spec_hash: "text",
    spec: "jsonb",
    resource_version: "text",
    writer: "text",
    written_at: "timestamptz",
    observed_at: "timestamptz",
  },
  conflict: { key: ["template_uid", "version"] },
});
export type VersionRow = InsertedRow<typeof insertVersions>;

/** Reads the stored state of these templates. Templates that are not stored yet are left out. */
export async function loadTemplateStates(tx: PoolClient, uids: readonly string[]): Promise<Map<string, TemplateState>> {
  if (uids.length === 0) return new Map();
  const rows = await readRows(
    tx,
    tables
      .selectFrom("analysis_template")
      .select(["uid", "resource_version as resourceVersion", "presence", "spec_hash as specHash", "version"])
      .where(({ ref }) => isOneOf(ref("uid"), uids)),
  );
  return new Map(rows.map(({ uid, ...state }) => [uid, state]));
}

import type { PoolClient } from "pg";
import type { Columns } from "#lib/server/recorder/store/insert-rows.ts";

/** What the writer remembers of a template between two sights. */
export type TemplateState = { resourceVersion: string; presence: string; specHash: string; version: number };

export type TemplateRow = {
  uid: string;
  cluster: string;
  namespace: string;
  kind: string;
  name: string;
  version: number;
  spec_hash: string;
  template_refs: string;
  resource_version: string;
  presence: string;
  created_at: string;
  gone_at: string | null;
  updated_at: string;
};

export const templateColumns: Columns<TemplateRow> = {
  uid: "text",
  cluster: "text",
  namespace: "text",
  kind: "text",
  name: "text",
  version: "int4",
  spec_hash: "text",
  template_refs: "jsonb",
  resource_version: "text",
  presence: "text",
  created_at: "timestamptz",
  gone_at: "timestamptz",
  updated_at: "timestamptz",
};

export type VersionRow = {
  template_uid: string;
  version: number;
  spec_hash: string;
  spec: string;
  generation: number | null;
  resource_version: string;
  writer: string | null;
  written_at: string;
  observed_at: string;
};

export const versionColumns: Columns<VersionRow> = {
  template_uid: "text",
  version: "int4",
  spec_hash: "text",
  spec: "jsonb",
  generation: "int8",
  resource_version: "text",
  writer: "text",
  written_at: "timestamptz",
  observed_at: "timestamptz",
};

/** Reads the stored state of these templates. Templates that are not stored yet are left out. */
export async function loadTemplateStates(tx: PoolClient, uids: readonly string[]): Promise<Map<string, TemplateState>> {
  if (uids.length === 0) return new Map();
  const { rows } = await tx.query<{
    uid: string;
    resource_version: string;
    presence: string;
    spec_hash: string;
    version: number;
  }>("SELECT uid, resource_version, presence, spec_hash, version FROM analysis_template WHERE uid = ANY($1::text[])", [
    uids,
  ]);
  return new Map(
    rows.map((row) => [
      row.uid,
      {
        resourceVersion: row.resource_version,
        presence: row.presence,
        specHash: row.spec_hash,
        version: row.version,
      },
    ]),
  );
}

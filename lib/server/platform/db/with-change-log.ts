import { type RawBuilder, sql } from "kysely";
import type { Query } from "./run-query.ts";

type Changed = { id: string; cluster: string; namespace: string; kind: string; name: string };

/**
 * Builds one statement that changes rows and writes a line of the change log for each. It affects as many rows as were
 * changed.
 */
export function withChangeLog(kind: string, change: Query<Changed>): RawBuilder<unknown> {
  return sql`WITH changed AS (${change})
    INSERT INTO change_log (kind, ref, op, cluster, namespace, object_kind, name)
    SELECT ${kind}::text, id::text, 'upsert', cluster, namespace, kind, name FROM changed`;
}

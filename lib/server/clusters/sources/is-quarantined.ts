import { sql } from "kysely";
import { fragment } from "#lib/server/platform/db/tables.ts";

/** Whether the newest state of rollout `r` could not be read. */
export const isQuarantined = fragment<{ r: "rollout" }>()
  .exists(({ selectFrom }) =>
    selectFrom("quarantine as q")
      .innerJoin("source as qs", "qs.id", "q.source_id")
      .select(sql.lit(1).as("one"))
      .whereRef("qs.cluster", "=", "r.cluster")
      .whereRef("qs.kind", "=", "r.kind")
      .whereRef("q.ref", "=", "r.uid"),
  )
  .$castTo<boolean>();

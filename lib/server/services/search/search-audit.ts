import { jsonBuildObject } from "kysely/helpers/postgres";
import { allOf } from "#lib/server/db/conditions.ts";
import { tables } from "#lib/server/db/tables.ts";
import { isReadableAudit } from "#lib/server/services/acting/readable-audit.ts";
import { hasAuditTerms } from "./audit-words.ts";
import { searched } from "./searched.ts";

/** Only their numbers: what a list shows of an entry is read by these. */
export const searchedAudit = searched({
  find: ({ actor, terms, limit }) => {
    const matches = hasAuditTerms(terms);
    if (matches === undefined) return undefined;
    return tables
      .selectFrom("audit_entry as a")
      .select((a) => ["a.time as at", jsonBuildObject({ seq: a.cast<string>("a.seq", "text") }).as("hit")])
      .where(() => allOf([isReadableAudit(actor), matches]))
      .orderBy("a.seq", "desc")
      .limit(limit);
  },
  toHit: ({ seq }) => seq,
});

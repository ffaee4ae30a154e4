import { jsonBuildObject } from "kysely/helpers/postgres";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import { allOf, type Condition } from "#lib/server/platform/db/conditions.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import { matchTerms, messageMatches, startsWith } from "#lib/server/records/match-terms.ts";
import type { SearchTerm } from "#lib/server/records/parse-search.ts";
import { asPhase, runPlace } from "#lib/server/records/run-row.ts";
import { isAtAddress } from "./search-rollouts.ts";
import { searched } from "./searched.ts";

const eb = fragment<{ a: "analysis_run" }>();

function isOwn(term: SearchTerm): Condition {
  return eb.or([
    startsWith(eb.ref("a.name"), term),
    eb("a.uid", "=", term.text.toLowerCase()),
    messageMatches(eb.ref("a.message"), term),
  ]);
}

export const searchedRuns = searched({
  find: ({ actor, terms, limit }) => {
    const matches = matchTerms(terms, { own: isOwn, around: isAtAddress });
    if (matches === undefined) return undefined;
    return tables
      .selectFrom("analysis_run as a")
      .leftJoin("rollout as r", "r.id", "a.rollout_id")
      .select((a) => [
        "a.created_at as at",
        jsonBuildObject({
          uid: a.ref("a.uid"),
          cluster: a.ref("a.cluster"),
          namespace: a.ref("a.namespace"),
          name: a.ref("a.name"),
          phase: a.ref("a.phase"),
          message: a.ref("a.message"),
        }).as("hit"),
      ])
      .where(() => allOf([isReadable(actor.rights, runPlace), matches]))
      .orderBy("a.created_at", "desc")
      .orderBy("a.uid", "desc")
      .limit(limit);
  },
  toHit: (run, at) => ({ ...run, phase: asPhase(run.phase), at }),
});

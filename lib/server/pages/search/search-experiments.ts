import { jsonBuildObject } from "kysely/helpers/postgres";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import { allOf, type Condition } from "#lib/server/platform/db/conditions.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import { experimentPlace } from "#lib/server/records/experiment-row.ts";
import { hasPart, matchTerms } from "#lib/server/records/match-terms.ts";
import type { SearchTerm } from "#lib/server/records/parse-search.ts";
import { asPhase } from "#lib/server/records/run-row.ts";
import { isAtAddress } from "./search-rollouts.ts";
import { searched } from "./searched.ts";

const eb = fragment<{ e: "experiment" }>();

function isOwn(term: SearchTerm): Condition {
  return eb.or([hasPart(eb.ref("e.name"), term), eb("e.uid", "=", term.text.toLowerCase())]);
}

export const searchedExperiments = searched({
  find: ({ actor, terms, limit }) => {
    const matches = matchTerms(terms, { own: isOwn, around: isAtAddress });
    if (matches === undefined) return undefined;
    return tables
      .selectFrom("experiment as e")
      .leftJoin("rollout as r", "r.id", "e.rollout_id")
      .select((e) => [
        "e.created_at as at",
        jsonBuildObject({
          uid: e.ref("e.uid"),
          cluster: e.ref("e.cluster"),
          namespace: e.ref("e.namespace"),
          name: e.ref("e.name"),
          phase: e.ref("e.phase"),
          message: e.ref("e.message"),
        }).as("hit"),
      ])
      .where(() => allOf([isReadable(actor.rights, experimentPlace), matches]))
      .orderBy("e.created_at", "desc")
      .orderBy("e.uid", "desc")
      .limit(limit);
  },
  toHit: (experiment, at) => ({ ...experiment, phase: asPhase(experiment.phase), at }),
});

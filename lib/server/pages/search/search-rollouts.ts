import { jsonBuildObject } from "kysely/helpers/postgres";
import { formatObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import { allOf } from "#lib/server/platform/db/conditions.ts";
import { joinTexts } from "#lib/server/platform/db/sql-functions.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import { hasPart } from "#lib/server/records/match-terms.ts";
import type { SearchTerm } from "#lib/server/records/parse-search.ts";
import { rolloutPlace } from "#lib/server/records/rollout-row.ts";
import { searched } from "./searched.ts";

const eb = fragment<{ r: "rollout" }>();

/** `payments/check` is found as well as `checkout`. */
const address = joinTexts("/", [eb.ref("r.namespace"), eb.ref("r.name")]);
const images = eb.cast<string>("r.images", "text");

/** Rollout `r` of something else has the term in its address. */
export function isAtAddress(term: SearchTerm) {
  return hasPart(address, term);
}

/** There are few enough rollouts to search them all for a short term. */
export const searchedRollouts = searched({
  find: ({ actor, terms, limit }) =>
    tables
      .selectFrom("rollout as r")
      .select((r) => [
        "r.updated_at as at",
        jsonBuildObject({
          cluster: r.ref("r.cluster"),
          namespace: r.ref("r.namespace"),
          kind: r.ref("r.kind"),
          name: r.ref("r.name"),
          phase: r.ref("r.phase"),
          presence: r.ref("r.presence"),
          images: r.ref("r.images"),
          attention: r.ref("r.attention_reason"),
        }).as("hit"),
      ])
      .where(() =>
        allOf([
          isReadable(actor.rights, rolloutPlace),
          ...terms.map((term) => eb.or([isAtAddress(term), hasPart(images, term)])),
        ]),
      )
      .orderBy((r) => r("r.presence", "=", "deleted"))
      .orderBy((r) => r("r.name", "=", terms[0]?.text.toLowerCase() ?? ""), "desc")
      .orderBy(allOf(terms.map(isAtAddress)), "desc")
      .orderBy("r.name")
      .orderBy("r.namespace")
      .orderBy("r.id")
      .limit(limit),
  toHit: ({ phase, presence, images, attention, ...rollout }, at) => ({
    rollout: { id: formatObjectRef(rollout), ...rollout },
    phase,
    presence,
    images,
    attention: attention === null ? null : { reason: attention },
    at,
  }),
});

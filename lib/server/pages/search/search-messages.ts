import { jsonBuildObject } from "kysely/helpers/postgres";
import { formatObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import { allOf } from "#lib/server/platform/db/conditions.ts";
import { joinTexts } from "#lib/server/platform/db/sql-functions.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import { hasWords, matchTerms, wordsOf } from "#lib/server/records/match-terms.ts";
import { rolloutPlace } from "#lib/server/records/rollout-row.ts";
import { isAtAddress } from "./search-rollouts.ts";
import { searched } from "./searched.ts";

const eb = fragment<{ v: "kube_event" }>();

/** As in its index. */
const words = wordsOf(joinTexts(" ", [eb.ref("v.reason"), eb.ref("v.involved_name"), eb.ref("v.message")]));

export const searchedMessages = searched({
  find: ({ actor, terms, limit }) => {
    const matches = matchTerms(terms, { own: (term) => hasWords(words, term), around: isAtAddress });
    if (matches === undefined) return undefined;
    return tables
      .selectFrom("kube_event as v")
      .innerJoin("rollout as r", "r.id", "v.rollout_id")
      .select((v) => [
        "v.last_at as at",
        jsonBuildObject({
          involvedKind: v.ref("v.involved_kind"),
          involvedName: v.ref("v.involved_name"),
          type: v.ref("v.type"),
          reason: v.ref("v.reason"),
          message: v.ref("v.message"),
          cluster: v.ref("r.cluster"),
          namespace: v.ref("r.namespace"),
          kind: v.ref("r.kind"),
          name: v.ref("r.name"),
        }).as("hit"),
      ])
      .where(() => allOf([isReadable(actor.rights, rolloutPlace), matches]))
      .orderBy("v.last_at", "desc")
      .orderBy("v.uid")
      .limit(limit);
  },
  toHit: ({ involvedKind, involvedName, type, reason, message, ...rollout }, at) => ({
    rollout: { id: formatObjectRef(rollout), ...rollout },
    involved: { kind: involvedKind, name: involvedName },
    type,
    reason,
    message,
    at,
  }),
});

import { jsonBuildObject } from "kysely/helpers/postgres";
import { formatObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { findingState, isReadableFinding } from "#lib/server/oversight/findings/finding-row.ts";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import { allOf } from "#lib/server/platform/db/conditions.ts";
import { joinTexts } from "#lib/server/platform/db/sql-functions.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import { hasWords, matchTerms, wordsOf } from "#lib/server/records/match-terms.ts";
import { rolloutPlace } from "#lib/server/records/rollout-row.ts";
import { isAtAddress } from "./search-rollouts.ts";
import { searched } from "./searched.ts";

const eb = fragment<{ f: "finding" }>();

/** As in its index. */
const words = wordsOf(joinTexts(" ", [eb.ref("f.title"), eb.ref("f.namespace"), eb.ref("f.name")]));

export const searchedFindings = searched({
  find: ({ actor, terms, limit }) => {
    const matches = matchTerms(terms, { own: (term) => hasWords(words, term) });
    if (matches === undefined) return undefined;
    return tables
      .selectFrom("finding as f")
      .select((f) => [
        "f.since as at",
        jsonBuildObject({
          id: f.ref("f.id"),
          title: f.ref("f.title"),
          severity: f.ref("f.severity"),
          closed: f("f.closed_at", "is not", null),
          acknowledged: f("f.acknowledged_at", "is not", null),
          cluster: f.ref("f.cluster"),
          namespace: f.ref("f.namespace"),
          kind: f.ref("f.kind"),
          name: f.ref("f.name"),
        }).as("hit"),
      ])
      .where(() => allOf([isReadableFinding(actor.rights), matches]))
      .orderBy("f.since", "desc")
      .orderBy("f.id", "desc")
      .limit(limit);
  },
  toHit: ({ id, title, severity, closed, acknowledged, ...target }, at) => ({
    id,
    title,
    severity,
    state: findingState({ closed: Boolean(closed), acknowledged: Boolean(acknowledged) }),
    target: { id: formatObjectRef(target), ...target },
    at,
  }),
});

const ofEvent = fragment<{ v: "kube_event" }>();

/** As in its index. */
const eventWords = wordsOf(
  joinTexts(" ", [ofEvent.ref("v.reason"), ofEvent.ref("v.involved_name"), ofEvent.ref("v.message")]),
);

export const searchedMessages = searched({
  find: ({ actor, terms, limit }) => {
    const matches = matchTerms(terms, { own: (term) => hasWords(eventWords, term), around: isAtAddress });
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

import { jsonBuildObject } from "kysely/helpers/postgres";
import { formatObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import { allOf, type Condition } from "#lib/server/platform/db/conditions.ts";
import { joinTexts } from "#lib/server/platform/db/sql-functions.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import { hasPart, matchTerms, messageMatches, startsWith } from "#lib/server/records/match-terms.ts";
import type { SearchTerm } from "#lib/server/records/parse-search.ts";
import { imagesOf, waitsFor } from "#lib/server/records/release-row.ts";
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

const ofRelease = fragment<{ l: "release" }>();

const releaseImages = ofRelease.cast<string>("l.images", "text");

function isOwnRelease(term: SearchTerm): Condition {
  return ofRelease.or([
    hasPart(releaseImages, term),
    startsWith(ofRelease.ref("l.run_key"), term),
    messageMatches(ofRelease.ref("l.message"), term),
  ]);
}

export const searchedReleases = searched({
  find: ({ actor, terms, limit }) => {
    const matches = matchTerms(terms, { own: isOwnRelease, around: isAtAddress });
    if (matches === undefined) return undefined;
    // What is shown is read of the found ones alone. If all may be read and no address is asked for, nothing is joined.
    const newest = tables
      .selectFrom("release as l")
      .leftJoin("rollout as r", "r.id", "l.rollout_id")
      .select(["l.rollout_id", "l.id"])
      .where(() => allOf([isReadable(actor.rights, rolloutPlace), matches]))
      .orderBy("l.started_at", "desc")
      .orderBy("l.id", "desc")
      .limit(limit);
    return tables
      .selectFrom(newest.as("newest"))
      .innerJoin("release as l", (join) =>
        join.onRef("l.rollout_id", "=", "newest.rollout_id").onRef("l.id", "=", "newest.id"),
      )
      .innerJoin("rollout as r", "r.id", "l.rollout_id")
      .select((l) => [
        "l.started_at as at",
        jsonBuildObject({
          id: l.ref("l.id"),
          runKey: l.ref("l.run_key"),
          revision: l.ref("l.revision"),
          attempt: l.ref("l.attempt"),
          state: l.ref("l.state"),
          waitsFor,
          images: l.ref("l.images"),
          message: l.ref("l.message"),
          cluster: l.ref("r.cluster"),
          namespace: l.ref("r.namespace"),
          kind: l.ref("r.kind"),
          name: l.ref("r.name"),
        }).as("hit"),
      ])
      .orderBy("l.started_at", "desc")
      .orderBy("l.id", "desc");
  },
  toHit: ({ cluster, namespace, kind, name, ...release }, at) => ({
    rollout: { id: formatObjectRef({ cluster, namespace, kind, name }), cluster, namespace, kind, name },
    ...release,
    images: imagesOf(release.images),
    at,
  }),
});

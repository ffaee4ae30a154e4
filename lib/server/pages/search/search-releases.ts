import { jsonBuildObject } from "kysely/helpers/postgres";
import { formatObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import { allOf, type Condition } from "#lib/server/platform/db/conditions.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import { hasPart, matchTerms, messageMatches, startsWith } from "#lib/server/records/match-terms.ts";
import type { SearchTerm } from "#lib/server/records/parse-search.ts";
import { imagesOf, waitsFor } from "#lib/server/records/release-row.ts";
import { rolloutPlace } from "#lib/server/records/rollout-row.ts";
import { isAtAddress } from "./search-rollouts.ts";
import { searched } from "./searched.ts";

const eb = fragment<{ l: "release" }>();

const images = eb.cast<string>("l.images", "text");

function isOwn(term: SearchTerm): Condition {
  return eb.or([
    hasPart(images, term),
    startsWith(eb.ref("l.run_key"), term),
    messageMatches(eb.ref("l.message"), term),
  ]);
}

export const searchedReleases = searched({
  find: ({ actor, terms, limit }) => {
    const matches = matchTerms(terms, { own: isOwn, around: isAtAddress });
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

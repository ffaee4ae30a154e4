import { sql } from "kysely";
import type { SetDifferences, SetMetricQuery } from "#lib/contract/version-set.ts";
import { compareMembers } from "#lib/domain/delivery/set-differences.ts";
import type { Rights } from "#lib/domain/policy/rights.ts";
import { providerOfKind } from "#lib/domain/providers.ts";
import { compareKeys, isListed, keyOf, type Member, readSet, wantedOf } from "#lib/server/pages/set/version-set.ts";
import { isReadableTemplate } from "#lib/server/pages/template/template-row.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { fragment, tableName, tables, wantedIds } from "#lib/server/platform/db/tables.ts";
import type { Call } from "#lib/server/process/service-context.ts";
import { wantedImagesOf } from "#lib/server/records/wanted-images.ts";

const mostMembers = 2000;
/** Characters of a spec without its pod template; the settings of a longer one are unknown. */
const longestSpec = 20_000;
/** One more than a rollout's templates that are compared. */
const mostTemplates = 101;

const eb = fragment<{ r: "rollout"; t: "analysis_template" }>();
const spec = sql<unknown>`(${eb.ref("r.object")} -> 'spec') - 'template'`;

/**
 * Returns the fields that differ between the members of a set; a field that is unknown of some counts as differing.
 * Throws `not_found`.
 */
export async function getVersionDifferences({ ctx, input }: Call<SetMetricQuery>): Promise<SetDifferences> {
  const { members } = await readSet(ctx, wantedOf(input));
  const listed = members
    .filter((member) => isListed(member, input))
    .sort((one, other) => compareKeys(keyOf(one, "address"), keyOf(other, "address")));
  const compared = listed.slice(0, mostMembers);
  const rows = await readRows(ctx.runtime.pool, selectSettings(compared, ctx.actor.rights));
  const read = new Map(rows.map((row) => [row.id, row]));
  const differences = compareMembers(
    compared.flatMap((member) => {
      const row = read.get(member.id);
      // Deleted between the two statements.
      if (row === undefined) return [];
      const { templates, spec } = row;
      const settings = spec === null ? undefined : (providerOfKind(member.kind).listSettings?.(spec) ?? []);
      return [{ place: member, images: imagesOf(member), templates: templates ?? {}, settings }];
    }),
  );
  return { total: listed.length, compared: compared.length, ...differences };
}

/** A rollout without a release wants the images that serve. */
function imagesOf(member: Member): string[] {
  const wanted = wantedImagesOf(member);
  return wanted.length > 0 ? wanted : member.images.map(({ image }) => image);
}

/**
 * Selects the settings of these rollouts, with the templates that they name, and those that these are composed of. A
 * reference is `Kind/name`, of the rollout's namespace or of the cluster, or `Kind/namespace/name`.
 */
function selectSettings(rollouts: readonly { id: string }[], rights: Rights) {
  const isNamed = sql`${eb.ref("t.cluster")} = ${eb.ref("r.cluster")} AND ${eb.ref("t.presence")} = 'live'
    AND ${eb.ref("t.kind")} = split_part(named.ref, '/', 1) AND ${eb.ref("t.name")} = split_part(named.ref, '/', -1)
    AND ${eb.ref("t.namespace")} = ANY(CASE WHEN split_part(named.ref, '/', 3) = '' THEN ARRAY['', ${eb.ref("r.namespace")}]
      ELSE ARRAY[split_part(named.ref, '/', 2)] END)
    AND ${isReadableTemplate(rights) ?? sql.lit(true)}`;
  const template = sql`${tableName("analysis_template")} AS t`;
  const templates = sql<Record<string, string | null> | null>`(WITH RECURSIVE named AS (
      SELECT jsonb_array_elements_text(${eb.ref("r.template_refs")}) AS ref
      UNION SELECT jsonb_array_elements_text(${eb.ref("t.template_refs")}) FROM named JOIN ${template} ON ${isNamed})
    SELECT jsonb_object_agg(named.ref, left(${eb.ref("t.spec_hash")}, 12))
    FROM (SELECT ref FROM named LIMIT ${sql.lit(mostTemplates)}) named LEFT JOIN ${template} ON ${isNamed})`;
  return tables
    .selectFrom(wantedIds(rollouts.map(({ id }) => id)))
    .innerJoin("rollout as r", "r.id", "wanted.id")
    .select([
      "r.id",
      sql<unknown>`CASE WHEN length((${spec})::text) <= ${sql.lit(longestSpec)} THEN ${spec} END`.as("spec"),
      templates.as("templates"),
    ]);
}

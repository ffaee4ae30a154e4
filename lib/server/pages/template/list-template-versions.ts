import { z } from "zod";
import type { ListPage } from "#lib/contract/common.ts";
import type { TemplatePath, TemplateVersion, TemplateVersionQuery } from "#lib/contract/template.ts";
import {
  isCurrent,
  isTemplateAt,
  serializeMetrics,
  type TemplateRow,
  until,
} from "#lib/server/pages/template/template-row.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { allOf, given, isOneOf } from "#lib/server/platform/db/conditions.ts";
import { type RowOf, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Call } from "#lib/server/process/service-context.ts";
import { asTime, DatabaseInt, DatabaseTime, parseListCursor, readPage } from "#lib/server/records/list-cursor.ts";

const Key = z.tuple([DatabaseTime, z.string(), DatabaseInt]);

const selectVersions = tables
  .selectFrom("analysis_template_version as v")
  .innerJoin("analysis_template as t", "t.uid", "v.template_uid")
  .selectAll("v")
  .select(({ cast }) => [
    cast<string>("v.written_at", "text").as("written_key"),
    isCurrent.as("is_current"),
    until.as("until"),
  ]);

/**
 * Lists the specs of all objects that ever had this address, newest first. With `at`, the one current at that time, if
 * it was recorded. Times are the cluster's, so a run's start may be compared with them. Throws `not_found`.
 */
export async function listTemplateVersions({
  ctx,
  input,
}: Call<TemplatePath & TemplateVersionQuery>): Promise<ListPage<TemplateVersion>> {
  const { pool } = ctx.runtime;
  const selectUids = tables.selectFrom("analysis_template as t").select("t.uid");
  const known = await readRows(pool, selectUids.where(isTemplateAt(input, ctx.actor.rights)));
  if (known.length === 0)
    throw new ServiceError("not_found", `There is no ${input.templateKind} ${input.name} in ${input.cluster}.`);
  const after = parseListCursor(Key, input.cursor);
  const uids = known.map(({ uid }) => uid);
  const query = tables
    .selectFrom(selectVersions.where(({ ref }) => isOneOf(ref("v.template_uid"), uids)).as("versions"))
    .selectAll()
    .where((eb) =>
      allOf([
        given(input.at, (at) => eb("written_at", "<=", asTime(at))),
        given(input.at, (at) => eb.or([eb("until", "is", null), eb("until", ">", asTime(at))])),
        given(after, ([at, uid, version]) =>
          eb(eb.refTuple("written_at", "template_uid", "version"), "<", eb.tuple(asTime(at), uid, version)),
        ),
      ]),
    )
    .orderBy("written_at", "desc")
    .orderBy("template_uid", "desc")
    .orderBy("version", "desc");
  return readPage(pool, {
    query,
    limit: input.limit,
    keyOf: (row) => [row.written_key, row.template_uid, row.version],
    toItem: (row) => serializeVersion({ ...row, kind: input.templateKind }),
  });
}

function serializeVersion(row: RowOf<typeof selectVersions> & Pick<TemplateRow, "kind">): TemplateVersion {
  return {
    templateUid: row.template_uid,
    version: row.version,
    current: row.is_current,
    specHash: row.spec_hash,
    spec: row.spec,
    metrics: serializeMetrics(row),
    writer: row.writer,
    writtenAt: row.written_at.toISOString(),
    observedAt: row.observed_at.toISOString(),
    until: row.until?.toISOString() ?? null,
  };
}

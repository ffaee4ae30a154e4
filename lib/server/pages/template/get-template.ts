import { z } from "zod";
import type { ListPage } from "#lib/contract/common.ts";
import type { TemplateDetail, TemplatePath, TemplateVersion, TemplateVersionQuery } from "#lib/contract/template.ts";
import { formatObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { measuringProviderOf } from "#lib/domain/providers.ts";
import {
  formatTemplateId,
  isCurrent,
  isTemplateAt,
  namesTemplate,
  selectTemplates,
  serializeMetrics,
  serializeTemplate,
  type TemplateRow,
  until,
  usesTemplate,
} from "#lib/server/pages/template/template-row.ts";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { allOf, given, isOneOf } from "#lib/server/platform/db/conditions.ts";
import { type RowOf, readRow, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import { asTime, DatabaseInt, DatabaseTime, parseListCursor, readPage } from "#lib/server/records/list-cursor.ts";
import { rolloutPlace } from "#lib/server/records/rollout-row.ts";

/** Returns the template at this address: the one that the cluster has, else the one seen last. Throws `not_found`. */
export async function getTemplate({ ctx, input }: Call<TemplatePath>): Promise<TemplateDetail> {
  const query = selectTemplates
    .where(isTemplateAt(input, ctx.actor.rights))
    .orderBy((eb) => eb("t.presence", "=", "deleted"))
    .orderBy("t.first_seen_at", "desc")
    .limit(1);
  const row = await readRow(ctx.runtime.pool, query);
  if (row === undefined)
    throw new ServiceError("not_found", `There is no ${input.templateKind} ${input.name} in ${input.cluster}.`);
  const [rollouts, composedInto] = await Promise.all([readUsers(ctx, row.uid), readComposites(ctx, row.uid)]);
  return {
    ...serializeTemplate(row),
    spec: row.spec,
    args: measuringProviderOf(row.kind).explaining.readTemplate(row.spec).args,
    rollouts,
    composedInto,
    composedOf: row.template_refs,
  };
}

async function readUsers({ runtime, actor }: ServiceContext, uid: string): Promise<TemplateDetail["rollouts"]> {
  const query = tables
    .selectFrom("analysis_template as t")
    .innerJoin("rollout as r", (join) => join.on(usesTemplate))
    .select(["r.cluster", "r.namespace", "r.kind", "r.name"])
    .where((eb) => allOf([eb("t.uid", "=", uid), isReadable(actor.rights, rolloutPlace)]))
    .orderBy("r.namespace")
    .orderBy("r.name")
    .limit(200);
  const rows = await readRows(runtime.pool, query);
  return rows.map((row) => ({ id: formatObjectRef(row), ...row }));
}

/**
 * Reads the templates whose `templates` name this one. A template may name those of its own namespace and those of the
 * cluster.
 */
async function readComposites({ runtime, actor }: ServiceContext, uid: string): Promise<string[]> {
  const query = tables
    .selectFrom("analysis_template as t")
    .innerJoin("analysis_template as o", "o.cluster", "t.cluster")
    .select(["o.cluster", "o.namespace", "o.kind", "o.name"])
    .where((eb) =>
      allOf([
        eb("t.uid", "=", uid),
        eb("o.presence", "=", "live"),
        eb.or([eb("t.namespace", "=", ""), eb("o.namespace", "=", eb.ref("t.namespace"))]),
        namesTemplate(eb.ref("o.template_refs")),
        isReadable(actor.rights, { cluster: eb.ref("o.cluster"), namespace: eb.ref("o.namespace") }),
      ]),
    )
    .orderBy("o.namespace")
    .orderBy("o.name")
    .limit(200);
  return (await readRows(runtime.pool, query)).map(formatTemplateId);
}

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

import { z } from "zod";
import type { TemplatePath, TemplateVersion, TemplateVersionQuery } from "#lib/contract/template.ts";
import { ServiceError } from "#lib/server/actor/service-error.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { DatabaseInt, DatabaseTime, pageOf, parseListCursor } from "#lib/server/services/list-cursor.ts";
import { createSqlConditions } from "#lib/server/services/sql-conditions.ts";
import { addressOf, readableTemplateSql, serializeMetrics } from "#lib/server/services/templates/template-row.ts";

const Key = z.tuple([DatabaseTime, z.string(), DatabaseInt]);

type Row = {
  template_uid: string;
  version: number;
  is_current: boolean;
  spec_hash: string;
  spec: unknown;
  writer: string | null;
  written_at: Date;
  written_key: string;
  observed_at: Date;
  until: Date | null;
};

/**
 * Lists the specs of all objects that ever had this address, newest first. With `at`, the one current at that time, if
 * it was recorded. Times are the cluster's, so a run's start may be compared with them. Throws `not_found`.
 */
export async function listTemplateVersions({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: TemplatePath & TemplateVersionQuery;
}): Promise<{ items: TemplateVersion[]; nextCursor: string | null }> {
  const { pool } = ctx.runtime;
  const place = createSqlConditions();
  const [cluster, namespace, kind, name] = addressOf(input).map(place.bind);
  place.and(readableTemplateSql(place, ctx.actor.rights));
  const known = await pool.query<{ uid: string }>(
    `SELECT t.uid FROM analysis_template t WHERE t.cluster = ${cluster} AND t.namespace = ${namespace}
       AND t.kind = ${kind} AND t.name = ${name} AND ${place.text()}`,
    place.values,
  );
  if (known.rows.length === 0)
    throw new ServiceError("not_found", `There is no ${input.templateKind} ${input.name} in ${input.cluster}.`);
  const after = parseListCursor(Key, input.cursor);
  const sql = createSqlConditions();
  const uids = sql.bind(known.rows.map((row) => row.uid));
  sql.where(input.at, (at) => `written_at <= ${at}::timestamptz AND (until IS NULL OR until > ${at}::timestamptz)`);
  sql.where(after?.[0], (time) => {
    const [uid, version] = [sql.bind(after?.[1]), sql.bind(after?.[2])];
    return `(written_at, template_uid, version) < (${time}::timestamptz, ${uid}, ${version}::int)`;
  });
  const { rows } = await pool.query<Row>(
    `SELECT * FROM (
       SELECT v.template_uid, v.version, v.spec_hash, v.spec, v.writer, v.written_at, v.observed_at,
         v.written_at::text AS written_key, v.version = t.version AND t.presence = 'live' AS is_current,
         COALESCE(lead(v.written_at) OVER (PARTITION BY v.template_uid ORDER BY v.version), t.gone_at) AS until
       FROM analysis_template_version v JOIN analysis_template t ON t.uid = v.template_uid
       WHERE v.template_uid = ANY(${uids}::text[])
     ) versions WHERE ${sql.text()}
     ORDER BY written_at DESC, template_uid DESC, version DESC LIMIT ${sql.bind(input.limit + 1)}`,
    sql.values,
  );
  return pageOf({
    rows,
    limit: input.limit,
    keyOf: (row) => [row.written_key, row.template_uid, row.version],
    toItem: serializeVersion,
  });
}

function serializeVersion(row: Row): TemplateVersion {
  return {
    templateUid: row.template_uid,
    version: row.version,
    current: row.is_current,
    specHash: row.spec_hash,
    spec: row.spec,
    metrics: serializeMetrics(row.spec),
    writer: row.writer,
    writtenAt: row.written_at.toISOString(),
    observedAt: row.observed_at.toISOString(),
    until: row.until?.toISOString() ?? null,
  };
}

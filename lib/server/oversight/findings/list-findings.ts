import { z } from "zod";
import type { Finding, FindingListQuery } from "#lib/contract/finding.ts";
import { allOf, anyContains, given } from "#lib/server/platform/db/conditions.ts";
import type { StoreContext } from "#lib/server/process/store-context.ts";
import { DatabaseTime, isPast, parseListCursor, readPage } from "#lib/server/records/list-cursor.ts";
import { isInState, isReadableFinding, selectFindings, serializeFinding } from "./finding-row.ts";

const Key = z.tuple([DatabaseTime, z.uuid()]);

/** Lists findings of all clusters, open and past, newest first. */
export async function listFindings({
  ctx,
  input,
}: {
  ctx: StoreContext;
  input: FindingListQuery;
}): Promise<{ items: Finding[]; nextCursor: string | null }> {
  const after = parseListCursor(Key, input.cursor);
  const query = selectFindings
    .where((eb) =>
      allOf([
        isReadableFinding(ctx.actor.rights),
        given(input.about, (about) => eb("f.about", "=", about)),
        given(input.cluster, (cluster) => eb("f.cluster", "=", cluster)),
        given(input.namespace, (namespace) => eb("f.namespace", "=", namespace)),
        given(input.kind, (kind) => eb("f.kind", "=", kind)),
        given(input.name, (name) => eb("f.name", "=", name)),
        given(input.rule, (rule) => eb("f.rule", "=", rule)),
        given(input.severity, (severity) => eb("f.severity", "=", severity)),
        given(input.state, isInState),
        given(input.run, (uid) => eb("f.run_uid", "=", uid)),
        given(input.revisionKey, (key) => eb("f.run_key", "=", key)),
        anyContains([eb.ref("f.title"), eb.ref("f.name"), eb.ref("f.namespace")], input.q),
        given(after, (key) => isPast({ time: eb.ref("f.since"), id: eb.cast<string>("f.id", "text") }, key)),
      ]),
    )
    .orderBy("f.since", "desc")
    .orderBy("f.id");
  return readPage(ctx.runtime.pool, {
    query,
    limit: input.limit,
    keyOf: (row) => [row.since_key, row.id],
    toItem: serializeFinding,
  });
}

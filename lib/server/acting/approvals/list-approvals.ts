import { z } from "zod";
import type { Approval, ApprovalListQuery } from "#lib/contract/approval.ts";
import type { ListPage } from "#lib/contract/common.ts";
import { selectApprovals, serializeApproval } from "#lib/server/acting/approvals/approval-row.ts";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import type { StoreCall } from "#lib/server/platform/actor/actor.ts";
import { allOf, given } from "#lib/server/platform/db/conditions.ts";
import { transactionTime } from "#lib/server/platform/db/database-time.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { DatabaseTime, isPast, pageOf, parseListCursor } from "#lib/server/records/list-cursor.ts";

const Key = z.tuple([DatabaseTime, z.uuid()]);

/** Lists requests for a second person on rollouts within reach, newest first. */
export async function listApprovals({
  ctx: { runtime, actor },
  input,
}: StoreCall<ApprovalListQuery>): Promise<ListPage<Approval>> {
  const after = parseListCursor(Key, input.cursor);
  const query = selectApprovals
    .where((eb) => {
      const isUnspent = allOf([eb("p.expires_at", ">", transactionTime), eb("p.action_id", "is", null)]);
      const isOpen = eb.or([eb("p.decision", "is", null), eb("p.decision", "=", "approved")]);
      return allOf([
        isReadable(actor.rights, {
          cluster: eb.ref("p.cluster"),
          namespace: eb.ref("p.namespace"),
          kind: eb.ref("p.kind"),
          name: eb.ref("p.name"),
        }),
        given(input.state, () => isUnspent),
        given(input.state, (state) => (state === "pending" ? eb("p.decision", "is", null) : isOpen)),
        given(input.cluster, (cluster) => eb("p.cluster", "=", cluster)),
        given(input.namespace, (namespace) => eb("p.namespace", "=", namespace)),
        given(input.name, (name) => eb("p.name", "=", name)),
        given(after, (key) => isPast({ time: eb.ref("p.requested_at"), id: eb.ref("p.id") }, key)),
      ]);
    })
    .orderBy("p.requested_at", "desc")
    .orderBy("p.id")
    .limit(input.limit + 1);
  const rows = await readRows(runtime.pool, query);
  return pageOf({
    rows,
    limit: input.limit,
    keyOf: (row) => [row.requested_key, row.id],
    toItem: (row) => serializeApproval(row, actor),
  });
}

import type { PoolClient } from "pg";
import type { SavedView } from "#lib/contract/saved-view.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { auditActorOf } from "#lib/server/platform/actor/audit-actor.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";

type Change = {
  /** What happens to the list that everybody sees; undefined if only its owner sees the view. */
  shared: "saved-view.share" | "saved-view.unshare" | undefined;
  view: Pick<SavedView, "id" | "list" | "name" | "query">;
  /** Whose view it is, if it is somebody else's. */
  owner?: string;
};

/** Writes a view in one transaction. What everybody sees leaves an audit entry; one's own views are one's own. */
export async function writeView(
  { actor, runtime, requestId }: ServiceContext,
  { shared, view, owner }: Change,
  work: (tx: PoolClient) => Promise<void>,
): Promise<void> {
  if (shared === undefined) return inTransaction(runtime.pool, work);
  const { id, list, name, query } = view;
  await appendAudit({
    pool: runtime.pool,
    entry: {
      actor: auditActorOf(actor),
      source: "gatehouse",
      code: shared,
      outcome: "applied",
      detail: { id, list, name, query, ...(owner === undefined ? {} : { owner }) },
      requestId,
    },
    within: work,
  });
}

import type { PoolClient } from "pg";
import type { SavedView } from "#lib/contract/saved-view.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";

type Change = {
  /** The change to the views that others see; undefined if only its owner sees the view. */
  shared: "saved-view.share" | "saved-view.unshare" | undefined;
  view: Pick<SavedView, "id" | "list" | "name" | "query">;
  /** The owner's name, if the view is another person's. */
  owner?: string;
};

/** Writes a view in one transaction. Shared views leave an audit entry, private ones do not. */
export async function writeView(
  ctx: ServiceContext,
  { shared, view, owner }: Change,
  work: (tx: PoolClient) => Promise<void>,
): Promise<void> {
  if (shared === undefined) return inTransaction(ctx.runtime.pool, work);
  const { id, list, name, query } = view;
  await appendChange(ctx, {
    code: shared,
    detail: { id, list, name, query, ...(owner === undefined ? {} : { owner }) },
    within: work,
  });
}

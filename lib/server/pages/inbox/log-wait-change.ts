import { formatObjectRef, type ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { logChange } from "#lib/server/platform/db/log-change.ts";
import type { Connection } from "#lib/server/platform/db/run-query.ts";

/** Tells every open page, in the transaction that makes the change, that a rollout's wait is handled otherwise now. */
export function logWaitChange(client: Connection, row: ObjectRef): Promise<void> {
  const { cluster, namespace, kind, name } = row;
  return logChange(client, { kind: "rollout", ref: formatObjectRef(row), cluster, namespace, object_kind: kind, name });
}

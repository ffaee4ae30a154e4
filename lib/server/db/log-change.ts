import { type Connection, write } from "#lib/server/db/run-query.ts";
import { tables } from "#lib/server/db/tables.ts";

/** `name` is that of the rollout it is about; null if it is not about a rollout. */
type LoggedChange = {
  kind: "approval" | "rollout" | "source";
  ref: string;
  cluster: string;
  namespace: string;
  name: string | null;
};

/** Notifies open pages of a change, in the transaction that makes it. */
export async function logChange(
  connection: Connection,
  { kind, ref, cluster, namespace, name }: LoggedChange,
): Promise<void> {
  await write(
    connection,
    tables.insertInto("change_log").values({ kind, ref, op: "upsert", cluster, namespace, name }),
  );
}

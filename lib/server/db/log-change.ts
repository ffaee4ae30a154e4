import { type Connection, write } from "#lib/server/db/run-query.ts";
import { tables } from "#lib/server/db/tables.ts";

/** `object_kind` and `name` are those of the rollout it is about; null if it is not about a rollout. */
type LoggedChange = {
  kind: "approval" | "rollout" | "source";
  ref: string;
  cluster: string;
  namespace: string;
  object_kind: string | null;
  name: string | null;
};

/** Notifies open pages of a change, in the transaction that makes it. */
export async function logChange(connection: Connection, change: LoggedChange): Promise<void> {
  await write(connection, tables.insertInto("change_log").values({ op: "upsert", ...change }));
}

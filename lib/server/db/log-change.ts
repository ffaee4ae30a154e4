import type { ClientBase } from "pg";

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
  client: ClientBase,
  { kind, ref, cluster, namespace, name }: LoggedChange,
): Promise<void> {
  await client.query(
    "INSERT INTO change_log (kind, ref, op, cluster, namespace, name) VALUES ($1, $2, 'upsert', $3, $4, $5)",
    [kind, ref, cluster, namespace, name],
  );
}

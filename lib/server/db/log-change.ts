import type { ClientBase } from "pg";

/** `name` is that of the rollout it is about; null for what is about none. */
type LoggedChange = {
  kind: "approval" | "rollout" | "source";
  ref: string;
  cluster: string;
  namespace: string;
  name: string | null;
};

/** Tells open pages that something changed, in the transaction that changes it. */
export async function logChange(
  client: ClientBase,
  { kind, ref, cluster, namespace, name }: LoggedChange,
): Promise<void> {
  await client.query(
    "INSERT INTO change_log (kind, ref, op, cluster, namespace, name) VALUES ($1, $2, 'upsert', $3, $4, $5)",
    [kind, ref, cluster, namespace, name],
  );
}

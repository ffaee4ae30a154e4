import type { ClientBase } from "pg";

/** Tells open pages that something changed, in the transaction that changes it. */
export async function logChange(
  client: ClientBase,
  { kind, ref, cluster, namespace }: { kind: "approval" | "source"; ref: string; cluster: string; namespace: string },
): Promise<void> {
  await client.query("INSERT INTO change_log (kind, ref, op, cluster, namespace) VALUES ($1, $2, 'upsert', $3, $4)", [
    kind,
    ref,
    cluster,
    namespace,
  ]);
}

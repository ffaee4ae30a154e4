import type { ClientBase } from "pg";

/** Tells open pages that an approval changed. */
export async function logApproval(
  client: ClientBase,
  { id, cluster, namespace }: { id: string; cluster: string; namespace: string },
): Promise<void> {
  await client.query(
    "INSERT INTO change_log (kind, ref, op, cluster, namespace) VALUES ('approval', $1, 'upsert', $2, $3)",
    [id, cluster, namespace],
  );
}

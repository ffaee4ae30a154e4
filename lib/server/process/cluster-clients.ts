import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { createClusterClient } from "#lib/server/clusters/kubernetes/create-cluster-client.ts";
import type { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { isSame } from "#lib/util/diff-merge.ts";

/** One client per configured cluster, swapped as a whole. */
export type ClusterClients = {
  get(name: string): ClusterClient | undefined;
  /**
   * Switches to clients for these clusters; a cluster with an unchanged config keeps its client. Throws if a client
   * cannot be created, and then nothing has changed. Requests in flight on replaced clients may finish.
   */
  adopt(clusters: readonly ClusterConfig[]): void;
  close(): Promise<void>;
};

type Entry = { cluster: ClusterConfig; client: ClusterClient };

export function createClusterClients(): ClusterClients {
  let entries = new Map<string, Entry>();

  function makeEntries(clusters: readonly ClusterConfig[]): Map<string, Entry> {
    const next = new Map<string, Entry>();
    try {
      for (const cluster of clusters) {
        const known = entries.get(cluster.name);
        const isKept = known !== undefined && isSame(known.cluster, cluster);
        next.set(cluster.name, isKept ? known : { cluster, client: createClusterClient(cluster) });
      }
      return next;
    } catch (error) {
      closeAll([...next.values()].filter((entry) => entries.get(entry.client.name) !== entry));
      throw error;
    }
  }

  return {
    get: (name) => entries.get(name)?.client,
    adopt(clusters) {
      const next = makeEntries(clusters);
      const replaced = [...entries.values()].filter((entry) => next.get(entry.client.name) !== entry);
      entries = next;
      closeAll(replaced);
    },
    async close() {
      await Promise.allSettled([...entries.values()].map(({ client }) => client.close()));
    },
  };
}

function closeAll(entries: readonly Entry[]): void {
  for (const { client } of entries) client.close().catch(() => {});
}

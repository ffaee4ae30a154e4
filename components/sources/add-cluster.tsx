import { clusterFields, writeCluster } from "#components/sources/write-cluster.ts";
import { ConfigSnippet } from "#components/ui/config-snippet.tsx";

/** Writes the config of another cluster. */
export function AddCluster({ isOpen }: { isOpen: boolean }) {
  return (
    <ConfigSnippet
      title="Write YAML for a cluster"
      fields={clusterFields}
      write={writeCluster}
      doc="connecting-clusters.md"
      isOpen={isOpen}
    />
  );
}

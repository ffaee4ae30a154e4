import { formatList } from "#lib/util/words.ts";
import type { Scope } from "./rights.ts";

/** Describes a scope: "everywhere", "in accounts/* of cluster prod", "in every namespace of clusters eu and us". */
export function describeScope({ clusters, namespaces, rollouts }: Scope): string {
  const hasAllClusters = clusters.includes("*");
  const hasAllRollouts = namespaces.includes("*") && rollouts.includes("*");
  if (clusters.length === 0 || namespaces.length === 0 || rollouts.length === 0) return "nowhere";
  if (hasAllClusters && hasAllRollouts) return "everywhere";
  const places = hasAllRollouts ? "in every namespace" : `in ${formatList(placesOf(namespaces, rollouts))}`;
  if (hasAllClusters) return `${places} of every cluster`;
  return `${places} of ${clusters.length === 1 ? "cluster" : "clusters"} ${formatList(clusters)}`;
}

function placesOf(namespaces: readonly string[], rollouts: readonly string[]): string[] {
  return namespaces.flatMap((namespace) => rollouts.map((rollout) => `${namespace}/${rollout}`));
}

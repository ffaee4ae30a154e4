import type { ConfigItem, SnippetField } from "#components/ui/config-snippet.tsx";
import { splitNames } from "#components/ui/split-names.ts";

type Key = "role" | "kind" | "names" | "clusters" | "namespaces";

export const bindingFields: readonly SnippetField<Key>[] = [
  { key: "role", label: "Role", value: "operator", options: ["viewer", "operator", "admin"] },
  { key: "kind", label: "Of", value: "groups", options: ["groups", "users", "robots"] },
  { key: "names", label: "Names", value: "" },
  { key: "clusters", label: "Clusters, such as prod-*", value: "" },
  { key: "namespaces", label: "Namespaces", value: "" },
];

/** Describes a role binding for the config. */
export function writeBinding({
  role,
  kind,
  names,
  clusters,
  namespaces,
}: Readonly<Record<Key, string>>): readonly ConfigItem[] {
  const [bound, inClusters, inNamespaces] = [names, clusters, namespaces].map(splitNames);
  const item = {
    role,
    [kind]: bound?.length === 0 ? ["payments-oncall"] : bound,
    ...(inClusters !== undefined && inClusters.length > 0 && { clusters: inClusters }),
    ...(inNamespaces !== undefined && inNamespaces.length > 0 && { namespaces: inNamespaces }),
  };
  return [{ list: "auth.roles", item }];
}

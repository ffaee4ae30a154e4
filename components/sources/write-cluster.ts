import type { ConfigItem, SnippetField } from "#components/ui/config-snippet.tsx";
import { splitNames } from "#components/ui/split-names.ts";

type Key = "name" | "way" | "place" | "access" | "namespaces";

export const clusterFields: readonly SnippetField<Key>[] = [
  { key: "name", label: "Name", value: "prod-eu" },
  { key: "way", label: "Connect by", value: "server", options: ["server", "kubeconfig", "in-cluster"] },
  { key: "place", label: "Address of the server, or path of the kubeconfig", value: "" },
  { key: "access", label: "Access", value: "read", options: ["read", "act"] },
  { key: "namespaces", label: "Only these namespaces", value: "" },
];

/** Describes a cluster for the config. */
export function writeCluster({
  name,
  way,
  place,
  access,
  namespaces,
}: Readonly<Record<Key, string>>): readonly ConfigItem[] {
  const only = splitNames(namespaces);
  const item = {
    name: name.trim() || "prod-eu",
    ...writeWay(way, place.trim()),
    access,
    ...(only.length > 0 && { namespaces: only }),
  };
  return [{ list: "clusters", item }];
}

function writeWay(way: string, place: string): Record<string, unknown> {
  if (way === "in-cluster") return { inCluster: true };
  if (way === "kubeconfig") return { kubeconfig: place || "/etc/gatehouse/kubeconfig" };
  return {
    server: place || "https://prod-eu.example.com:6443",
    tokenFile: "/etc/gatehouse/prod-eu/token",
    caFile: "/etc/gatehouse/prod-eu/ca.crt",
  };
}

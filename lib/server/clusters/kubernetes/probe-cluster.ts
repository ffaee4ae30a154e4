import { formatResourcePath } from "#lib/domain/kube/api-resource.ts";
import { type RolloutResource, rolloutResources } from "#lib/domain/providers.ts";
import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import type { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { createClusterClient } from "./create-cluster-client.ts";

/** The probe is sent as Gatehouse itself, like the first request of recording. */
const timeoutMs = 5000;

/**
 * Requests the rollouts of each provider from a cluster once. Returns a sentence if the cluster lists those of any;
 * throws if it does not answer, or lists none, with the cluster's name and the reasons in one line.
 */
export async function probeCluster(config: ClusterConfig): Promise<string> {
  const client = createClusterClient(config);
  try {
    const troubles: string[] = [];
    for (const rollouts of rolloutResources) {
      const status = await listOne({ client, config, rollouts });
      if (status === 200) return `${client.server} answers`;
      troubles.push(describeStatus(status, rollouts));
    }
    throw new Error(`cluster ${config.name}: ${[...new Set(troubles)].join("; ")} at ${client.server}`);
  } finally {
    await client.close();
  }
}

async function listOne({
  client,
  config: { namespaces },
  rollouts: { resource },
}: {
  client: ClusterClient;
  config: ClusterConfig;
  rollouts: RolloutResource;
}): Promise<number> {
  const path = formatResourcePath(resource, namespaces?.[0]);
  return (await client.request({ method: "GET", path, query: { limit: 1 }, timeoutMs })).status;
}

function describeStatus(status: number, { resource: { name }, controllerName }: RolloutResource): string {
  if (status === 401) return "the credentials are not accepted (401)";
  if (status === 403) return `listing ${name} is not allowed (403); deploy/rbac-read.yaml has the rights`;
  if (status === 404) return `it knows no ${name} (404); is the ${controllerName} installed?`;
  return `listing ${name} is answered with status ${status}`;
}

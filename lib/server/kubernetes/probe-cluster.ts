import type { ClusterConfig } from "#lib/server/config/config-schema.ts";
import { createClusterClient } from "./create-cluster-client.ts";

/** Sent as Gatehouse itself, with the request that recording begins with. */
const timeoutMs = 5000;

/**
 * Asks a cluster once for its Rollouts. Returns the result in words. Throws if it does not answer, or if they cannot be
 * listed, with the cluster's name and the reason in one line.
 */
export async function probeCluster(config: ClusterConfig): Promise<string> {
  const client = createClusterClient(config);
  const scope = config.namespaces?.[0] === undefined ? "" : `/namespaces/${config.namespaces[0]}`;
  try {
    const path = `/apis/argoproj.io/v1alpha1${scope}/rollouts`;
    const { status } = await client.request({ method: "GET", path, query: { limit: 1 }, timeoutMs });
    if (status === 200) return `${client.server} answers`;
    throw new Error(`cluster ${config.name}: ${describeStatus(status)} at ${client.server}`);
  } finally {
    await client.close();
  }
}

function describeStatus(status: number): string {
  if (status === 401) return "the credentials are not accepted (401)";
  if (status === 403) return "listing Rollouts is not allowed (403); deploy/rbac-read.yaml has the rights";
  if (status === 404) return "it knows no Rollouts (404); is Argo Rollouts installed?";
  return `listing Rollouts is answered with status ${status}`;
}

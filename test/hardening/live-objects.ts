import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { inconclusiveRollout } from "#test/recorded.ts";
import type { Seed } from "./seed.ts";

/** A cluster with the seed's live objects; nothing is written, because the config says `access: read`. */
export function liveObjectsOf(seed: () => Seed): ClusterClient {
  return {
    name: "demo",
    server: "http://127.0.0.1:1",
    request: async ({ path }: { path: string }) => {
      const [plural, name = ""] = path.split("/").slice(-2);
      const { path: place, rolloutUid, runUid, experimentUid } = seed();
      const { namespace } = place;
      const own = {
        apiVersion: "argoproj.io/v1alpha1",
        spec: { metrics: [], templates: [] },
        status: { phase: "Running" },
      };
      const metadata = { namespace, name, resourceVersion: "7", generation: 1 };
      const objects: Record<string, unknown> = {
        rollouts: inconclusiveRollout({ namespace, name, uid: rolloutUid }),
        analysisruns: { ...own, kind: "AnalysisRun", metadata: { ...metadata, uid: runUid } },
        experiments: { ...own, kind: "Experiment", metadata: { ...metadata, uid: experimentUid } },
      };
      const found = objects[plural ?? ""];
      const json = found ?? { kind: "Status", apiVersion: "v1", status: "Failure", reason: "NotFound", code: 404 };
      return { status: found === undefined ? 404 : 200, json, text: JSON.stringify(json), date: undefined };
    },
  } as unknown as ClusterClient;
}

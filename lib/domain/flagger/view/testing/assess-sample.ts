import { recogniseHooksOf } from "#lib/domain/flagger/objects/canary-spec.ts";
import type { WorkloadState } from "#lib/domain/kube/workload-object.ts";
import type { CanaryHistory } from "../../history/run-memory.ts";
import { assessCanary, type CanaryAssessment } from "../canary-state.ts";
import { canaryOf } from "./sample-canary.ts";
import { workloadOf } from "./sample-workload.ts";

/** Makes a webhook that Gatehouse answers for cluster c1. */
export function hookOf(type: string): { name: string; type: string; url: string } {
  return { name: type, type, url: `http://gatehouse.ops/hooks/flagger/c1/${type}` };
}

const ours = ["confirm-rollout", "confirm-traffic-increase", "confirm-promotion", "rollback"].map(hookOf);
/** What differs from a Canary with weights and all gates, in its analysis, with two ready workloads. */
export type Asked = {
  version?: string | null;
  spec?: object;
  analysis?: object;
  status?: object;
  metadata?: Record<string, unknown>;
  /** Null if it is not recorded. */
  primary?: WorkloadState | null;
  target?: WorkloadState;
  previous?: CanaryHistory;
  meshProvider?: string;
  now?: string;
};

export function assess(asked: Asked): CanaryAssessment {
  const { version = "1.44.0", primary = workloadOf(), target = workloadOf() } = asked;
  return assessCanary({
    canary: canaryOf({
      metadata: asked.metadata ?? {},
      spec: {
        provider: "istio",
        targetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "podinfo" },
        progressDeadlineSeconds: 60,
        analysis: { interval: "1m", threshold: 5, maxWeight: 50, stepWeight: 10, webhooks: ours, ...asked.analysis },
        ...asked.spec,
      },
      status: {
        phase: "Progressing",
        canaryWeight: 0,
        failedChecks: 0,
        iterations: 0,
        lastAppliedSpec: "new",
        lastPromotedSpec: "old",
        lastTransitionTime: "2026-08-01T10:00:00Z",
        ...asked.status,
      },
    }),
    version,
    primary: primary ?? undefined,
    target,
    previous: asked.previous,
    meshProvider: asked.meshProvider,
    isOurHook: recogniseHooksOf("c1"),
    now: asked.now,
  });
}

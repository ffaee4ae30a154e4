import { expect, it } from "vitest";
import { planAction } from "#lib/domain/argo/plan-action.ts";
import { parseRollout } from "#lib/domain/argo/rollout-object.ts";
import { computeViewDigest } from "#lib/domain/argo/view-digest.ts";
import { carryOutPlan } from "#lib/server/acting/carry-out-plan.ts";
import type { ClusterClient } from "#lib/server/kubernetes/cluster-client-types.ts";

const object = {
  kind: "Rollout",
  metadata: { name: "checkout", namespace: "payments", uid: "u-1", resourceVersion: "1" },
  spec: { strategy: { canary: { steps: [{ setWeight: 20 }, { pause: {} }] } } },
  status: { currentPodHash: "new", stableRS: "old", currentStepIndex: 1 },
};

it("stops trying again in time for what reads back what became of it", async () => {
  const parsed = parseRollout(object);
  if (!parsed.ok) throw new Error(parsed.reason);
  const rollout = parsed.value;
  const plan = planAction({ action: "abort", rollout });
  if (plan.kind === "refused") throw new Error(plan.reason);
  let sends = 0;
  const client: ClusterClient = {
    name: "prod-eu",
    server: "",
    request: async ({ method }) => {
      if (method === "GET") return { status: 200, json: object, text: "", date: undefined };
      sends += 1;
      return { status: 409, json: { message: "changed" }, text: "", date: undefined };
    },
    watch: () => Promise.reject(new Error("not used")),
    close: async () => {},
  };
  const carried = await carryOutPlan({
    client,
    address: { namespace: "payments", name: "checkout" },
    as: { username: "ada", groups: [] },
    action: "abort",
    seen: { viewDigest: computeViewDigest(rollout) },
    rollout,
    plan,
    retryForMs: 0,
  });
  expect(carried).toMatchObject({ outcome: "refused", code: "conflict" });
  expect(sends).toBe(1);
});

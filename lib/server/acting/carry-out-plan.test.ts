import { expect, it } from "vitest";
import { planAction } from "#lib/domain/argo/plan-action.ts";
import { parseRollout } from "#lib/domain/argo/rollout-object.ts";
import { carryOutPlan } from "#lib/server/acting/carry-out-plan.ts";
import type { ClusterClient } from "#lib/server/kubernetes/cluster-client-types.ts";

const object = {
  kind: "Rollout",
  metadata: { name: "checkout", namespace: "payments", uid: "u-1", resourceVersion: "1" },
  spec: { strategy: { canary: { steps: [{ setWeight: 20 }, { pause: {} }] } } },
  status: { currentPodHash: "new", stableRS: "old", currentStepIndex: 1 },
};

/** Aborts a rollout whose every patch conflicts, so many seconds after the intent. */
async function abortLate(secondsAfterIntent: number) {
  const parsed = parseRollout(object);
  if (!parsed.ok) throw new Error(parsed.reason);
  const rollout = parsed.value;
  const plan = planAction({ action: "abort", rollout, now: new Date() });
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
    credentials: async () => "",
    close: async () => {},
  };
  const carried = await carryOutPlan({
    client,
    address: { namespace: "payments", name: "checkout" },
    as: { mode: "impersonation", username: "oncall", groups: [] },
    protective: true,
    again: async () => ({ rollout, plan }),
    prepared: { rollout, plan },
    intentAt: performance.now() - secondsAfterIntent * 1000,
  });
  return { carried, sends };
}

it.each([
  { name: "sends once, and stops trying again", seconds: 21, code: "conflict", sends: 1 },
  { name: "sends nothing any more", seconds: 41, code: "unavailable", sends: 0 },
])(
  "$seconds s after the intent it $name: the outcome is read back by others soon",
  async ({ seconds, code, sends }) => {
    expect(await abortLate(seconds)).toMatchObject({ carried: { outcome: "refused", code }, sends });
  },
);

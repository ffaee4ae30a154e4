import { describe, expect, it } from "vitest";
import { countAction } from "#lib/server/acting/act/count-action.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { createWebMetrics } from "#lib/server/platform/telemetry/web-metrics.ts";

const accepted = { id: "a", state: "applied" as const, auditSeq: 1, links: { self: "", rollout: "", audit: "" } };

async function textAfter(outcome: Promise<typeof accepted>): Promise<string> {
  const metrics = createWebMetrics({ withProcess: false });
  await countAction({ metrics, action: "abort", outcome }).catch(() => {});
  return metrics.registry.metrics();
}

describe("countAction", () => {
  it("counts what the cluster took by its state", async () => {
    const text = await textAfter(Promise.resolve(accepted));
    expect(text).toContain('gatehouse_actions_total{kind="abort",outcome="applied"} 1');
    expect(text).not.toContain("gatehouse_actions_refused_total{");
  });

  it.each([
    { error: new ServiceError("stale_view", "x"), outcome: "stale", reason: "stale_view" },
    { error: new ServiceError("forbidden", "x"), outcome: "refused", reason: "forbidden" },
    { error: new Error("x"), outcome: "refused", reason: "internal" },
  ])("counts $reason as $outcome", async ({ error, outcome, reason }) => {
    const text = await textAfter(Promise.reject(error));
    expect(text).toContain(`gatehouse_actions_total{kind="abort",outcome="${outcome}"} 1`);
    expect(text).toContain(`gatehouse_actions_refused_total{reason="${reason}"} 1`);
  });

  it("hands the answer on, and the refusal", async () => {
    const metrics = createWebMetrics({ withProcess: false });
    const refused = new ServiceError("frozen", "x");
    await expect(countAction({ metrics, action: "retry", outcome: Promise.resolve(accepted) })).resolves.toBe(accepted);
    await expect(countAction({ metrics, action: "retry", outcome: Promise.reject(refused) })).rejects.toBe(refused);
  });
});

import type { AuditDraft } from "#lib/domain/audit/audit-entry.ts";

/** Returns an entry of typical size: the intent of an action, with its patch and command. */
export function sampleDraft(index: number): AuditDraft {
  const name = `checkout-${index % 50}`;
  return {
    actor: { type: "user", issuer: "https://issuer.example", subject: "releaser", name: "Releaser" },
    source: "gatehouse",
    code: "action.continue",
    action: "continue",
    target: { id: `prod/payments/Rollout/${name}`, cluster: "prod", namespace: "payments", kind: "Rollout", name },
    reason: "error rate is back to what it was before, the alert was a scrape gap",
    outcome: "intent",
    detail: {
      effect: "The pause at step 2 of 8 ends and the update goes on.",
      patches: [{ subresource: "status", body: { status: { pauseConditions: null } } }],
      kubectl: `kubectl argo rollouts promote ${name} -n payments`,
      step: 2,
      stepCount: 8,
      weight: 20,
      viewDigest: "d".repeat(64),
      resourceVersion: String(index),
    },
    requestId: "00000000-0000-4000-8000-000000000000",
  };
}

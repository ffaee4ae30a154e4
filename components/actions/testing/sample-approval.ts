import type { Approval } from "#lib/contract/approval.ts";

/** A request for full promotion that the reader may decide on. */
export const sampleApproval: Approval = {
  id: "1",
  rollout: {
    id: "c/payments/Rollout/checkout",
    cluster: "c",
    namespace: "payments",
    kind: "Rollout",
    name: "checkout",
  },
  action: "promote-full",
  params: {},
  subject: null,
  state: "pending",
  rule: "four eyes",
  reason: "it is ready",
  viewDigest: "d",
  passesPauses: [],
  targetVersion: null,
  requestedBy: "oncall",
  requestedByUsername: "oncall",
  withdrawable: false,
  decidedByUsername: null,
  own: false,
  decidable: true,
  requestedAt: "2026-11-20T10:00:00.000Z",
  expiresAt: "2026-11-20T11:00:00.000Z",
  decidedBy: null,
  decidedAt: null,
  decisionReason: null,
  actionId: null,
};

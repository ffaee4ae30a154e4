/** Recordings that no test replays, by reason. All others are replayed. */
export const LEFT_OUT: readonly { reason: string; names: readonly string[] }[] = [
  {
    reason: "admission webhooks and policies: the sandbox has none, and Gatehouse treats any refusal of a patch alike",
    names: [
      "admission-policy-denied",
      "admission-policy-warned",
      "admission-webhook-500",
      "admission-webhook-deny",
      "admission-webhook-deny-409",
      "admission-webhook-garbage",
      "admission-webhook-refused",
      "admission-webhook-slow",
      "admission-webhook-warn",
    ],
  },
  {
    reason: "server-side apply: Gatehouse patches by merge and JSON patches alone",
    names: ["apply-ssa", "apply-ssa-conflict"],
  },
  {
    reason: "schemas of CRDs: the sandbox knows types of fields, not all names, so it neither prunes nor warns",
    names: [
      "create-unknown-field-default",
      "create-unknown-field-strict",
      "create-unknown-field-warn",
      "patch-status-unknown-field",
      "patch-status-unknown-field-strict",
    ],
  },
  {
    reason:
      "CRDs made, changed and deleted at run time: the kinds of the sandbox are fixed; the 404 fault plays a lost one",
    names: ["crd-create", "crd-first-list", "watch-crd-changed", "watch-crd-deleted"],
  },
  {
    reason: "a namespace that stays Terminating: here its contents go with it at once, as with a namespace controller",
    names: ["create-in-terminating-namespace", "delete-namespace", "patch-in-terminating-namespace"],
  },
  {
    reason: "what a whole cluster serves: the sandbox lists its own groups and kinds, in the same form",
    names: [
      "discovery-aggregated",
      "discovery-apis",
      "discovery-core-v1",
      "openapi-v3-index",
      "list-continue-expired-core",
    ],
  },
  {
    reason: "Flagger's schemas and kinds come with the work on Flagger",
    names: ["discovery-groupversion-flagger", "flagger-create-invalid", "flagger-patch-status-phase-invalid"],
  },
  {
    reason: "the checks behind the probes' verbose form and etcd's health: there are none behind the sandbox",
    names: [
      "etcd-gone-livez",
      "etcd-gone-livez-verbose",
      "etcd-gone-readyz",
      "etcd-stall-livez",
      "etcd-stall-readyz",
      "readyz-verbose",
    ],
  },
  {
    reason: "the other end of a race that upstream decides by chance: etcd-gone-get-timeout5 is replayed",
    names: ["etcd-stall-get-timeout5"],
  },
  {
    reason:
      "a stalled watch that ends at its time-out after all: the sandbox's stays silent, which is harder to notice",
    names: ["etcd-stall-watch"],
  },
  {
    reason: "protobuf is not spoken: the refusal itself is written in it",
    names: ["list-protobuf-only"],
  },
  {
    reason: "reviews that neither Gatehouse nor kubectl's get, describe and patch send",
    names: ["sar-admin", "ssrr", "tokenreview", "tokenreview-bad"],
  },
  {
    reason: "the life of the server's process, not one exchange: main.integration.test.ts restarts the sandbox",
    names: ["server-restart-timeline", "watch-server-shutdown"],
  },
];

import type { endpoints } from "#lib/contract/endpoint-table.ts";

const expectation = {
  viewDigest: "9d3f1c2ab4e58d7760f1b9a3c5e7d2f40816a2b4c6d8e0f1a3b5c7d9e1f30527",
  uid: "0190f3a0-0000-4000-8000-000000000001",
  revisionKey: "6f7c9d8b5",
};
const yaml = `metrics:
  - name: success-rate
    interval: 1m
    count: 5
    successCondition: result[0] >= 0.95
    provider:
      prometheus:
        query: sum(rate(requests{code!~"5.."}[1m])) / sum(rate(requests[1m]))
`;

/** One body for each endpoint that takes one; a test compares them with the schemas. */
export const requestExamples: Partial<Record<keyof typeof endpoints, unknown>> = {
  releaseHeld: { source: "0190f3a0-0000-4000-8000-000000000002", reason: "The namespace was deleted on purpose" },
  actOnRollout: { action: "accept-step", reason: "The error rate is that of a load test", expect: expectation },
  planRolloutAction: { action: "abort" },
  actOnRun: { action: "terminate", reason: "Its Prometheus is down", expect: expectation },
  planRunAction: { action: "terminate" },
  actOnExperiment: { action: "terminate", reason: "Enough was measured", expect: expectation },
  planExperimentAction: { action: "terminate" },
  actOnMany: {
    action: "abort",
    reason: "Errors above budget in every zone",
    of: "v2.31.0",
    members: [
      { cluster: "prod-eu", namespace: "payments", kind: "Rollout", name: "checkout", expect: expectation },
      { cluster: "prod-us", namespace: "payments", kind: "Rollout", name: "checkout", expect: expectation },
    ],
  },
  planOnMany: {
    action: "abort",
    members: [{ cluster: "prod-eu", namespace: "payments", kind: "Rollout", name: "checkout" }],
  },
  acknowledgeFinding: { reason: "Known; mended with the next release" },
  createFreeze: { reason: "Payment incident", namespaces: ["pay*"], endsAt: "2027-01-01T18:00:00Z" },
  changeFreeze: { reason: "The incident is over" },
  setLinkTemplates: {
    items: [
      { name: "Dashboard", url: "https://grafana.example.com/d/{name}?from={fromMs}&to={toMs}", on: ["release"] },
    ],
    changedAt: null,
  },
  setNotificationSetting: {
    channels: [{ name: "releases", type: "slack", webhookUrl: "file:/etc/gatehouse/slack-webhook" }],
    routes: [{ name: "production", clusters: ["prod-*"], minSeverity: "warning", to: ["releases"] }],
    changedAt: null,
  },
  replayPolicies: {
    yaml: 'freezes: [{ name: weekend, start: "0 18 * * 5", timeZone: Europe/Berlin, duration: 62h }]',
    days: 90,
  },
  createSavedView: { list: "releases", name: "Aborted this week", query: "state=aborted&last=7d" },
  changeSavedView: { name: "Aborted in seven days", shared: true },
  evaluateAnalysis: { result: { type: "float64", value: 0.97 }, successCondition: "result >= 0.95" },
  assessAnalysis: { spec: { metrics: [] }, metricResults: [] },
  composeAnalysis: { templates: [] },
  backtestAnalysis: {
    runUids: ["0190f3a0-0000-4000-8000-000000000003"],
    metric: "success-rate",
    proposal: { successCondition: "result[0] >= 0.9" },
  },
  lintAnalysis: { source: yaml },
  playSandboxFault: { fault: "drop" },
  confirmConfig: { reason: "The clusters of the old region are gone" },
  requestApproval: { action: "promote-full", reason: "A security fix must be out today", expect: expectation },
  propose: { action: "abort", reason: "The error rate is twice that of the stable version", expect: expectation },
  decideApproval: { decision: "approve", viewDigest: expectation.viewDigest },
  acknowledge: { reason: "Waiting for the team in the morning", viewDigest: expectation.viewDigest },
  claim: { since: "2026-11-20T10:00:00.000Z" },
  snooze: {
    reason: "The load test ends at noon",
    viewDigest: expectation.viewDigest,
    until: "2026-11-20T12:00:00.000Z",
  },
  createToken: { name: "pipeline", role: "operator" },
  decideDeviceRequest: { decision: "approve", role: "operator", expiresInDays: 7 },
  createHookCredential: { name: "flagger", cluster: "demo", namespaces: ["*"] },
};

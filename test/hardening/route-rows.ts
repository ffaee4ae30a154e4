import type { endpoints } from "#lib/contract/endpoint-table.ts";
import type { Person } from "#test/hardening/people.ts";
import type { Seed } from "#test/hardening/seed.ts";

export type Name = keyof typeof endpoints;
type Sent = { id?: string | number; query?: string; body?: unknown; expectation?: true };
/** The status, with the problem's code if there is one. */
type Answer = `${number}` | `${number} ${string}`;
type Row = {
  /** What goes into the path and the body; paths of a rollout or a template use those of the seed. */
  send?: (seed: Seed) => Sent;
  answers: Record<Person, Answer>;
  /**
   * The people whose answer must contain the planted value; all other answers must not. "not looked for": not checked.
   */
  shows?: readonly Person[] | "not looked for";
  planted?: (seed: Seed) => string;
};

/**
 * Answers in the order of `people`: two of another namespace, three who reach everything, an admin of one namespace.
 */
function answers(
  outsider: Answer,
  stranger: Answer,
  viewer: Answer,
  operator: Answer,
  admin: Answer,
  scopedAdmin: Answer,
): Row["answers"] {
  return { outsider, stranger, viewer, operator, admin, scopedAdmin };
}
const inReach = ["viewer", "operator", "admin", "scopedAdmin"] as const;
const forAll = answers("200", "200", "200", "200", "200", "200");
const inReachOnly = answers("404 not_found", "404 not_found", "200", "200", "200", "200");
const everywhereMissing = answers(
  "404 not_found",
  "404 not_found",
  "404 not_found",
  "404 not_found",
  "404 not_found",
  "404 not_found",
);
export const refused = "403 forbidden";

/** A list that everybody may request, and that contains only what the caller may see. */
const list: Row = { answers: forAll, shows: inReach };
/** One object, or a list below one object. */
const thing: Row = { answers: inReachOnly, shows: inReach };
/** Only for who administers everything. */
const adminOnly: Row = { answers: answers(refused, refused, refused, refused, "200", refused), shows: ["admin"] };
const harmless: Row = { answers: forAll, shows: [] };

const expectationOf = ({ viewDigest, rolloutUid }: Seed) => ({ viewDigest, uid: rolloutUid, revisionKey: "new" });

/** Every endpoint, with what each person is answered. */
export const rows: Record<Name, Row> = {
  getMe: harmless,
  listClusters: harmless,
  listSources: harmless,
  listHeldObjects: harmless,
  releaseHeld: {
    send: ({ sourceId }) => ({ body: { source: sourceId, reason: "gone" } }),
    answers: answers(refused, refused, refused, refused, "409 not_allowed_now", refused),
  },
  listRollouts: list,
  countRollouts: harmless,
  getRollout: thing,
  getRolloutObject: thing,
  listRolloutReleases: thing,
  listRolloutRuns: thing,
  listRolloutTimeline: { ...thing, shows: "not looked for" },
  listRolloutPods: { ...thing, shows: [] },
  listRolloutEvents: { ...thing, shows: [] },
  getRolloutLogs: { ...thing, shows: [] },
  // The seed's rollout has no pods.
  streamRolloutLogLines: {
    send: () => ({ query: "?pods=ledger-5d9c" }),
    answers: answers(
      "404 not_found",
      "404 not_found",
      "404 not_found",
      "404 not_found",
      "404 not_found",
      "404 not_found",
    ),
  },
  actOnRollout: {
    send: (seed) => ({ body: { action: "abort", reason: "r", expect: expectationOf(seed) } }),
    answers: answers("404 not_found", "404 not_found", refused, "409 read_only", "409 read_only", "409 read_only"),
  },
  planRolloutAction: { send: () => ({ body: { action: "abort" } }), answers: inReachOnly, shows: "not looked for" },
  actOnRun: {
    send: (seed) => ({ id: seed.runUid, body: { action: "terminate", reason: "r", expect: expectationOf(seed) } }),
    answers: answers(refused, "404 not_found", refused, "409 read_only", "409 read_only", "409 read_only"),
  },
  planRunAction: {
    send: ({ runUid }) => ({ id: runUid, body: { action: "terminate" } }),
    answers: inReachOnly,
    shows: "not looked for",
  },
  actOnExperiment: {
    send: (seed) => ({
      id: seed.experimentUid,
      body: { action: "terminate", reason: "r", expect: expectationOf(seed) },
    }),
    answers: answers(refused, "404 not_found", refused, "409 read_only", "409 read_only", "409 read_only"),
  },
  planExperimentAction: {
    send: ({ experimentUid }) => ({ id: experimentUid, body: { action: "terminate" } }),
    answers: inReachOnly,
    shows: "not looked for",
  },
  getAction: { ...thing, send: ({ actionId }) => ({ id: actionId }) },
  actOnMany: {
    send: (seed) => ({
      body: { action: "abort", reason: "r", members: [{ ...seed.path, expect: expectationOf(seed) }] },
    }),
    answers: answers(refused, "404 not_found", refused, "202", "202", "202"),
    shows: "not looked for",
  },
  getActionGroup: { send: () => ({ id: 999_999_999 }), answers: everywhereMissing },
  planOnMany: { send: (seed) => ({ body: { members: [seed.path] } }), answers: forAll, shows: "not looked for" },
  getSetAborts: harmless,
  getVersionSet: { ...thing, send: () => ({ id: "2" }), shows: "not looked for" },
  listVersionMembers: { ...thing, send: () => ({ id: "2" }) },
  getVersionMetrics: { ...thing, send: () => ({ id: "2" }), shows: "not looked for" },
  getVersionDifferences: { ...thing, send: () => ({ id: "2" }), shows: "not looked for" },
  listReleases: list,
  listAborts: list,
  getRelease: { ...thing, send: ({ releaseId }) => ({ id: releaseId }) },
  getReleaseCourse: { ...thing, send: ({ releaseId }) => ({ id: releaseId }) },
  getReleaseMoment: { ...thing, send: ({ releaseId }) => ({ id: releaseId }), shows: "not looked for" },
  getReleaseInsights: { ...list, planted: ({ marker }) => marker },
  getAnalysisInsights: list,
  // Everybody finds the entries about what they were refused themselves, which name the rollout.
  search: { ...list, send: ({ marker }) => ({ query: `?q=${marker}` }), planted: ({ runUid }) => runUid },
  listRuns: list,
  getRun: { ...thing, send: ({ runUid }) => ({ id: runUid }) },
  listMeasurements: { ...thing, send: ({ runUid }) => ({ id: runUid }) },
  listEarlierSeries: { ...thing, send: ({ runUid }) => ({ id: runUid }), shows: [] },
  exportRun: { ...thing, send: ({ runUid }) => ({ id: runUid }) },
  listExperiments: list,
  getExperiment: { ...thing, send: ({ experimentUid }) => ({ id: experimentUid }) },
  listFindings: list,
  countFindings: harmless,
  getFinding: { ...thing, send: ({ findingId }) => ({ id: findingId }) },
  acknowledgeFinding: {
    send: ({ findingId }) => ({ id: findingId, body: { reason: "r" } }),
    answers: answers(refused, "404 not_found", refused, "200", "409 conflict", "409 conflict"),
    shows: ["operator"],
  },
  withdrawFinding: {
    send: ({ findingId }) => ({ id: findingId }),
    answers: answers(refused, "404 not_found", refused, "200", "409 conflict", "409 conflict"),
    shows: ["operator"],
  },
  getRolloutSeries: list,
  listAnnotations: list,
  listTemplates: list,
  exportRollouts: list,
  exportReleases: list,
  exportRuns: list,
  exportExperiments: list,
  exportTemplates: list,
  listSavedViews: harmless,
  createSavedView: {
    send: () => ({ body: { list: "rollouts", name: "mine", query: "" } }),
    answers: answers("201", "201", "201", "201", "201", "201"),
    shows: [],
  },
  changeSavedView: {
    send: () => ({ id: "00000000-0000-4000-8000-000000000000", body: { name: "other" } }),
    answers: everywhereMissing,
  },
  deleteSavedView: { send: () => ({ id: "00000000-0000-4000-8000-000000000000" }), answers: everywhereMissing },
  getTemplate: thing,
  listTemplateVersions: { ...thing, shows: "not looked for" },
  // Everybody who sees the cluster sees its controllers; where they run, those who read all of it.
  listControllers: { answers: forAll, shows: ["viewer", "operator", "admin"] },
  getController: {
    send: () => ({ id: "argo-rollouts" }),
    answers: forAll,
    shows: ["viewer", "operator", "admin"],
  },
  listControllerSamples: { send: () => ({ id: "argo-rollouts" }), answers: forAll, shows: [] },
  evaluateAnalysis: {
    ...harmless,
    send: () => ({ body: { result: { type: "float64", value: 1 }, successCondition: "result > 0" } }),
  },
  assessAnalysis: { ...harmless, send: () => ({ body: { spec: { metrics: [] }, metricResults: [] } }) },
  backtestAnalysis: {
    send: ({ runUid, marker }) => ({ body: { runUids: [runUid], metric: marker, proposal: {} } }),
    answers: forAll,
    shows: inReach,
    planted: ({ runUid }) => runUid,
  },
  lintAnalysis: {
    send: ({ path }) => ({
      body: { source: "metrics: []", rollout: `${path.cluster}/${path.namespace}/${path.kind}/${path.name}` },
    }),
    answers: inReachOnly,
    shows: [],
  },
  composeAnalysis: { ...harmless, send: () => ({ body: { templates: [] } }) },
  getInbox: list,
  // Filtered by actor, because the first page may contain only refusals from the other rows.
  listAudit: {
    ...list,
    send: ({ auditedName }) => ({ query: `?actor=${auditedName}` }),
    planted: ({ auditedName }) => auditedName,
  },
  verifyAudit: harmless,
  getAuditEntry: { ...thing, send: ({ auditSeq }) => ({ id: auditSeq }), planted: ({ auditedName }) => auditedName },
  exportAudit: { ...list, planted: ({ auditedName }) => auditedName },
  listSandboxFaults: { answers: answers(refused, refused, refused, refused, "404 not_found", refused) },
  playSandboxFault: {
    send: () => ({ body: { fault: "none" } }),
    answers: answers(refused, refused, refused, refused, "404 not_found", refused),
  },
  getConfigStatus: harmless,
  confirmConfig: {
    send: () => ({ body: { reason: "r" } }),
    answers: answers(refused, refused, refused, refused, "409 conflict", refused),
  },
  requestApproval: {
    send: (seed) => ({ body: { action: "promote-full", reason: "r", expect: expectationOf(seed) } }),
    answers: answers(
      refused,
      "404 not_found",
      refused,
      "409 not_allowed_now",
      "409 not_allowed_now",
      "409 not_allowed_now",
    ),
  },
  listApprovals: list,
  listScheduledActions: list,
  getScheduledAction: { ...thing, send: ({ scheduledId }) => ({ id: scheduledId }) },
  withdrawScheduledAction: {
    send: ({ scheduledId }) => ({ id: scheduledId }),
    answers: answers(refused, "404 not_found", refused, "409 conflict", "409 conflict", "409 conflict"),
  },
  propose: {
    send: (seed) => ({ body: { action: "abort", reason: "r", expect: expectationOf(seed) } }),
    // Cookies only: proposals are for tokens.
    answers: answers(refused, refused, refused, refused, refused, refused),
  },
  decideApproval: {
    send: ({ approvalId }) => ({ id: approvalId, body: { decision: "approve", viewDigest: "another view" } }),
    answers: answers("404 not_found", "404 not_found", refused, "409 stale_view", "409 stale_view", "409 stale_view"),
  },
  acknowledge: {
    send: () => ({ body: { reason: "r", viewDigest: "another view" } }),
    answers: answers(refused, "404 not_found", refused, "409 stale_view", "409 stale_view", "409 stale_view"),
  },
  withdrawAcknowledgement: {
    answers: answers(refused, "404 not_found", refused, "409 conflict", "409 conflict", "409 conflict"),
  },
  claim: {
    send: () => ({ body: { since: "2026-01-01T00:00:00.000Z" } }),
    answers: answers(refused, "404 not_found", refused, "409 stale_view", "409 stale_view", "409 stale_view"),
  },
  releaseClaim: {
    answers: answers(refused, "404 not_found", refused, "409 conflict", "409 conflict", "409 conflict"),
  },
  snooze: {
    send: () => ({ body: { reason: "r", viewDigest: "another view", until: null } }),
    answers: answers(refused, "404 not_found", refused, "409 stale_view", "409 stale_view", "409 stale_view"),
  },
  wake: {
    answers: answers(refused, "404 not_found", refused, "409 conflict", "409 conflict", "409 conflict"),
  },
  listSessions: { ...list, shows: ["admin"] },
  revokeSession: {
    send: ({ sessionId }) => ({ id: sessionId }),
    answers: answers("404 not_found", "404 not_found", "404 not_found", "404 not_found", "200", "404 not_found"),
    shows: "not looked for",
  },
  listTokens: { ...list, shows: ["viewer", "admin"] },
  listFreezes: { answers: forAll, shows: "not looked for" },
  createFreeze: {
    send: () => ({
      body: { reason: "r", namespaces: ["of-no-seed"], endsAt: new Date(Date.now() + 3_600_000).toISOString() },
    }),
    answers: answers(refused, refused, refused, "201", "201", refused),
    shows: "not looked for",
  },
  changeFreeze: {
    send: () => ({ id: "00000000-0000-4000-8000-000000000000", body: { reason: "r" } }),
    answers: answers(refused, "404 not_found", refused, "404 not_found", "404 not_found", "404 not_found"),
  },
  createToken: {
    send: () => ({ body: { name: "t", role: "operator" } }),
    answers: answers(refused, "201", refused, "201", "201", "201"),
  },
  revokeToken: {
    send: ({ tokenId }) => ({ id: tokenId }),
    answers: answers("404 not_found", "404 not_found", "200", "404 not_found", "200", "404 not_found"),
    shows: "not looked for",
  },
  getDeviceRequest: { ...harmless, send: ({ deviceUserCode }) => ({ id: deviceUserCode }) },
  decideDeviceRequest: {
    send: () => ({ id: "ZZZZ-ZZZZ", body: { decision: "refuse" } }),
    answers: everywhereMissing,
  },
  listRolloutGates: { ...thing, shows: [] },
  listHookCredentials: { answers: answers(refused, refused, refused, refused, "200", refused), shows: ["admin"] },
  createHookCredential: {
    send: () => ({ body: { name: "h", cluster: "demo", namespaces: ["*"] } }),
    answers: answers(refused, refused, refused, refused, "201", refused),
  },
  revokeHookCredential: {
    send: ({ hookCredentialId }) => ({ id: hookCredentialId }),
    answers: answers(refused, refused, refused, refused, "200", "404 not_found"),
    shows: "not looked for",
  },
  listNotifiableEvents: list,
  listNotificationChannels: {
    answers: answers(refused, refused, refused, refused, "200", refused),
    shows: ["admin"],
    planted: () => "planted-route",
  },
  sendTestNotification: {
    send: () => ({ id: "planted-channel" }),
    answers: answers(refused, refused, refused, refused, "202", refused),
    shows: "not looked for",
  },
  listNotifications: { answers: answers(refused, refused, refused, refused, "200", refused), shows: ["admin"] },
  retryNotification: {
    send: ({ notificationId }) => ({ id: notificationId }),
    answers: answers(refused, refused, refused, refused, "202", refused),
    shows: ["admin"],
  },
  stream: { answers: forAll, shows: "not looked for" },
  getAdminAccess: { ...adminOnly, planted: () => "scopedAdmin-robot" },
  whoMay: { ...adminOnly, send: () => ({ query: "?action=abort" }), planted: () => "auth.roles[" },
  explainPermissions: { ...adminOnly, send: () => ({ query: "?username=viewer" }), planted: () => "auth.roles[2]" },
  askClusterPermissions: {
    ...adminOnly,
    send: ({ path: { cluster, namespace } }) => ({
      query: `?username=viewer&cluster=${cluster}&namespace=${namespace}`,
    }),
    planted: () => "read-only",
  },
  listAdminFreezes: {
    ...adminOnly,
    send: () => ({ query: "?from=2026-01-01T00:00:00Z&to=2026-01-08T00:00:00Z" }),
    planted: () => "planted-freeze",
  },
  getAdminPolicies: { ...adminOnly, planted: () => "planted-freeze" },
  replayPolicies: {
    ...adminOnly,
    send: () => ({ body: { rule: "policies.freezes[0]", days: 30 } }),
    planted: () => "planted-freeze",
  },
  getAdminConfig: { ...adminOnly, planted: () => "planted-freeze" },
  listLinkTemplates: { ...adminOnly, planted: () => "interface" },
  setLinkTemplates: {
    send: () => ({ body: { items: [], changedAt: "2026-01-01T00:00:00.000Z" } }),
    answers: answers(refused, refused, refused, refused, "409 conflict", refused),
  },
  getNotificationSetting: { ...adminOnly, planted: () => "planted-route" },
  setNotificationSetting: {
    send: () => ({ body: { channels: [], routes: [], changedAt: "2026-01-01T00:00:00.000Z" } }),
    answers: answers(refused, refused, refused, refused, "409 conflict", refused),
  },
  getAdminStorage: { ...adminOnly, planted: () => "change_log" },
};

import { formatObjectRef, type ObjectRef } from "#lib/domain/delivery/object-ref.ts";

export type Filters = Record<string, string | number | null | undefined>;

/**
 * Every query key of the console. A key starts with its family, so that a change event can name the affected queries:
 * lists under `[family, "list"]`, single objects under `[family, "one", id]`.
 */
export const queryKeys = {
  me: () => ["me"] as const,
  sources: () => ["sources"] as const,
  heldObjects: (source: string) => ["sources", "held", source] as const,
  clusters: () => ["clusters"] as const,
  configStatus: () => ["config"] as const,
  freezes: () => ["freezes"] as const,
  inbox: () => ["inbox"] as const,
  inboxList: (filters: Filters) => ["inbox", "list", filters] as const,
  rolloutLists: () => ["rollouts", "list"] as const,
  rolloutList: (filters: Filters) => ["rollouts", "list", filters] as const,
  versionSet: (version: string, filters: Filters) => ["rollouts", "list", "set", version, filters] as const,
  versionMembers: (version: string, filters: Filters) =>
    ["rollouts", "list", "set", version, "members", filters] as const,
  setAborts: () => ["rollouts", "list", "set-aborts"] as const,
  versionMetrics: (version: string, filters: Filters) =>
    ["rollouts", "list", "set", version, "metrics", filters] as const,
  /** Not under its family: specs change rarely, and comparing them takes a while. */
  versionDifferences: (version: string, filters: Filters) => ["version-differences", version, filters] as const,
  /** What these rollouts allow, in few words: it follows their changes. */
  allowedOnMany: (rollouts: string) => ["rollouts", "list", "allowed", rollouts] as const,
  rollout: (rollout: ObjectRef) => ["rollouts", "one", formatObjectRef(rollout)] as const,
  rolloutById: (id: string) => ["rollouts", "one", id] as const,
  rolloutPart: (rollout: ObjectRef, part: "releases" | "runs" | "timeline" | "object" | "gates") =>
    ["rollouts", "one", formatObjectRef(rollout), part] as const,
  rolloutPods: (rollout: ObjectRef, filters: Filters) =>
    ["rollouts", "one", formatObjectRef(rollout), "pods", filters] as const,
  rolloutEvents: (rollout: ObjectRef, filters: Filters) =>
    ["rollouts", "one", formatObjectRef(rollout), "events", filters] as const,
  /** Not under its rollout, since then every change would query the cluster again. */
  rolloutLogs: (rollout: ObjectRef, job: string | null) => ["rollout-logs", formatObjectRef(rollout), job] as const,
  runLists: () => ["runs", "list"] as const,
  runList: (filters: Filters) => ["runs", "list", filters] as const,
  run: (uid: string) => ["runs", "one", uid] as const,
  measurements: (uid: string, filters: Filters) => ["runs", "one", uid, "measurements", filters] as const,
  earlierSeries: (uid: string) => ["earlier-series", uid] as const,
  findingLists: () => ["findings", "list"] as const,
  findingList: (filters: Filters) => ["findings", "list", filters] as const,
  finding: (id: string) => ["findings", "one", id] as const,
  controllerList: () => ["controllers", "list"] as const,
  controller: (cluster: string, component: string) => ["controllers", "one", cluster, component] as const,
  controllerSamples: (cluster: string, component: string, range: string) =>
    ["controllers", "one", cluster, component, "samples", range] as const,
  experimentLists: () => ["experiments", "list"] as const,
  experimentList: (filters: Filters) => ["experiments", "list", filters] as const,
  experiment: (uid: string) => ["experiments", "one", uid] as const,
  templateLists: () => ["templates", "list"] as const,
  templateList: (filters: Filters) => ["templates", "list", filters] as const,
  templateById: (id: string) => ["templates", "one", id] as const,
  templateVersions: (id: string) => ["templates", "one", id, "versions"] as const,
  /** Not under a family, like the next ones: replayed runs have ended, and no event changes them. */
  templateLint: (body: unknown) => ["template-lab", "lint", body] as const,
  recordedValues: (filter: unknown, metric: string | undefined) => ["template-lab", "values", filter, metric] as const,
  evaluations: (asked: unknown) => ["template-lab", "evaluations", asked] as const,
  backtest: (body: unknown) => ["backtest", body] as const,
  releaseLists: () => ["releases", "list"] as const,
  releaseList: (filters: Filters) => ["releases", "list", filters] as const,
  release: (id: string) => ["releases", "one", id] as const,
  releaseMoment: (id: string, at: string) => ["release-moments", id, at] as const,
  /** Not under a family: figures of weeks need not follow every change. */
  insights: (part: "releases" | "analysis", filters: Filters) => ["insights", part, filters] as const,
  /** Not under a family: the last search is sent again soon enough. */
  search: (q: string) => ["search", q] as const,
  action: (id: string) => ["actions", "one", id] as const,
  actionGroup: (seq: number) => ["actions", "group", seq] as const,
  /** Under no family: a plan that a person reads must not change by itself. */
  groupPlan: (asked: unknown) => ["group-plans", asked] as const,
  actionPlan: (rollout: ObjectRef, fields: Filters) =>
    ["rollouts", "one", formatObjectRef(rollout), "plan", fields] as const,
  subjectPlans: () => ["subject-plans"] as const,
  /**
   * Plan for a run or an Experiment. Not under its rollout, since then every measurement would query the cluster again.
   */
  subjectPlan: (rolloutId: string, fields: Filters) => ["subject-plans", rolloutId, fields] as const,
  scheduledActions: () => ["scheduled-actions"] as const,
  scheduledActionList: (filters: Filters) => ["scheduled-actions", "list", filters] as const,
  approvals: (filters: Filters) => ["approvals", "list", filters] as const,
  savedViews: (list: string) => ["saved-views", list] as const,
  /** The admin's pages, by part and question. They change with the config, which no event announces. */
  admin: (part: string, filters: Filters = {}) => ["admin", part, filters] as const,
  sessions: () => ["sessions"] as const,
  tokens: () => ["tokens"] as const,
  deviceRequest: (userCode: string) => ["device-request", userCode] as const,
  hookCredentials: () => ["hook-credentials"] as const,
  /** New events, for notifications of the browser. */
  notifiableEvents: () => ["notifiable-events"] as const,
  notifications: () => ["notifications"] as const,
  notificationList: (filters: Filters) => ["notifications", "list", filters] as const,
  notificationChannels: () => ["notifications", "channels"] as const,
  auditLists: () => ["audit", "list"] as const,
  auditList: (filters: Filters) => ["audit", "list", filters] as const,
  abortList: (filters: Filters) => ["releases", "list", "aborted", filters] as const,
  auditEntry: (seq: number) => ["audit", "one", seq] as const,
  auditVerification: () => ["audit", "verification"] as const,
};

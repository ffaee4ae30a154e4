// Written by scripts/generate-client.mjs from the OpenAPI document. Do not change it by hand.

export type Abort = {
  release: {
    id: string;
    revision: number | null;
    attempt: number;
    images: string[];
  };
  rollout: RolloutRef;
  /** When the abort was first observed. */
  at: Timestamp;
  /** client: a person or program outside Gatehouse; unknown: requested without a readable trace. */
  by: "person" | "client" | "controller" | "unknown";
  /** Such as `oncall`, `kubectl, outside Gatehouse`, or `Argo Rollouts controller`. */
  who: string;
  /** The person's reason. */
  reason: string | null;
  /** The controller's message in words; empty without one. */
  why: string;
  /** The audit entry; null if the controller aborted by itself. */
  auditSeq: number | null;
  /** For the controller's own aborts: the failed run of the release. */
  runUid: string | null;
};

export type AcknowledgeFindingRequest = {
  reason: RequiredReason;
};

export type AcknowledgeRequest = {
  reason: RequiredReason;
  /** The view that you saw; the acknowledgement lasts until it changes. */
  viewDigest: string;
};

export type Action = {
  id: string;
  /** The rollout, or the run if no rollout owns it. */
  rollout: RolloutRef;
  /** The run or Experiment that it acted on. */
  subject: {
    kind: "AnalysisRun" | "Experiment";
    uid: string;
    name: string;
  } | null;
  action: ActionName;
  params: ActionParams;
  state: ActionState;
  /** False while the state can still change; `not-effective` then means no effect yet. */
  final: boolean;
  /** Why it is not-effective; null in other states, and for old actions. */
  why: NoEffectWhy | null;
  /** Until when Gatehouse keeps watching for the effect. */
  watchedUntil: Timestamp | null;
  reason: string | null;
  /** Display name; not unique. */
  actor: string;
  /** The name that the identity provider gave; null for old actions. */
  actorUsername: string | null;
  /** The outcome in words; the API server's own text if it refused. */
  message: string;
  auditSeq: number | null;
  outcomeSeq: number | null;
  requestedAt: Timestamp;
  appliedAt: Timestamp | null;
  effectiveAt: Timestamp | null;
};

export type ActionAccepted = {
  id: string;
  state: ActionState;
  auditSeq: number;
  links: {
    self: string;
    /** Absent if no rollout owns the run. */
    rollout?: string;
    /** The run or Experiment that it acted on. */
    subject?: string;
    audit: string;
  };
};

export type ActionGroup = {
  /** Its audit entry, which identifies it. */
  seq: number;
  action: GroupActionName;
  of: string | null;
  reason: string | null;
  actor: string;
  requestedAt: Timestamp;
  /** Such as `aborted 12 of 14 of "v2.31.0"`. */
  sentence: string;
  /** Some members have no outcome yet. */
  running: boolean;
  /** Those that you may read, by address. */
  members: Array<{
    rollout: RolloutRef;
    /** Null if it was refused before it became an action. */
    actionId: string | null;
    state: ActionState;
    /** False while the state can still change. */
    final: boolean;
    /** The problem code of a refusal. */
    problem: string | null;
    message: string;
    /** The intent, or the refusal. */
    auditSeq: number | null;
    /** The entry of the outcome, once there is one. */
    outcomeSeq: number | null;
  }>;
};

export type ActionGroupRequest = {
  action: GroupActionName;
  reason?: string;
  /** What the rollouts have in common, such as their version: for the audit log. */
  of?: string;
  /** Each with what was seen of it, as in the request of a single action. */
  members: Array<{
    cluster: string;
    namespace: string;
    kind: RolloutKind;
    name: string;
    expect: Expectation;
  }>;
};

export type ActionName = "continue" | "accept-step" | "measure-again" | "continue-waive" | "skip-step" | "skip-all" | "promote-full" | "unpause" | "retry" | "restart" | "undo" | "set-image" | "pause" | "abort" | "approve" | "unsuspend" | "skip-analysis" | "retrigger" | "hold" | "suspend" | "rollback" | "terminate";

export type ActionNeeds = {
  reason: boolean;
  /** Tickets that the reason must name; absent if it need not. */
  tickets?: Array<{
    rule: string;
    /** In the syntax of docs/configuration.md, such as `CHG\d+`. */
    pattern: string;
    /** A system outside Gatehouse is asked about it at the click. */
    checked: boolean;
  }>;
  /** The rule that requires the approval of other people first; of several, the one with the most approvers. */
  secondPerson: {
    rule: string;
    expireMinutes: number;
    /** Who must approve, by each rule that applies, in sentences. */
    because: string;
  } | null;
  /** The freeze that is in force, or the release windows that are closed, until the next one opens. */
  freeze: {
    name: string;
    until: Timestamp;
    /** The same in sentences. */
    because: string;
  } | null;
  /** The set of the config whose other members have not reached this pause; absent if none holds it. */
  barrier?: {
    set: string;
    /** The same in sentences. */
    because: string;
  };
  /** Each freeze and the sets: with break-glass, send them as `expect.blocks`. Absent if there are none. */
  blocks?: Block[];
  /** You may override the freeze, or act ahead of the set, with a reason and a fresh sign-in. */
  breakGlass: boolean;
};

export type ActionParams = {
  /** undo: absent or 0 for the revision before the current one. */
  toRevision?: number;
  /** set-image: a container's name, or `*` for all containers. */
  container?: string;
  /** set-image: the image reference. */
  image?: string;
  /** restart: pods created before this moment; absent for now. */
  at?: string;
};

export type ActionPermission = {
  action: ActionName;
  label: string;
  protective: boolean;
  /** approval: only with another person's; break-glass: only by breaking a freeze, with a fresh sign-in. */
  verdict: PermissionVerdict;
  needsReason: boolean;
  /** Why not; null unless the verdict is no. */
  reasonCode: string | null;
  because: PermissionReason[];
  /** Why it is not possible in the rollout's present state; null if it is, or without a rollout. */
  notNow: string | null;
};

export type ActionPlanAnswer = {
  action: ActionName;
  /** The button's words, such as `Accept and continue`. */
  label: string;
  /** Protective actions work even when a source is stale and take at most two clicks. */
  protective: boolean;
  allowed: boolean;
  reasonCode?: string;
  /** Why it is not allowed, in a sentence. */
  reason?: string;
  /** The effect, in a sentence with numbers. */
  effect?: string;
  /** The results that it overrides: a run, an analysis. */
  waives?: string;
  /** What else to know before the click. */
  warnings?: string[];
  /** Indices of the pauses that the controller may pass because of it; send them back with the request. */
  passesPauses?: number[];
  /** Identifies the desired version of the workload; send it back with the request. */
  targetVersion?: string;
  needs: ActionNeeds;
  patches?: Array<{
    subresource: "" | "status";
    body: unknown;
  }>;
  /** The equivalent command; for set-image, fill in CONTAINER and IMAGE. */
  kubectl?: string;
  /** undo: the revisions to choose from, newest first. */
  revisions?: Array<{
    revision: number;
    podHash: string;
    images: string[];
    current: boolean;
    stable: boolean;
  }>;
  /** set-image: the containers; empty if a workload has the template (the plan lists them). */
  containers?: Array<{
    name: string;
    image: string;
  }>;
  /** The cluster's answer about your rights there; absent if it was not asked. */
  clusterAccess?: "allowed" | "denied" | "unknown";
  /** The rollout that it was planned for, so that a page can check it against the rollout on screen. */
  view: {
    viewDigest: string;
    uid: string;
    revisionKey: string;
  } | null;
};

export type ActionPlanRequest = {
  action: ActionName;
  /** undo: absent or 0 for the revision before the current one. */
  toRevision?: number;
  /** set-image: a container's name, or `*` for all containers. */
  container?: string;
  /** set-image: the image reference. */
  image?: string;
  /** restart: pods created before this moment; absent for now. */
  at?: string;
};

export type ActionRequest = {
  action: ActionName;
  /** undo: absent or 0 for the revision before the current one. */
  toRevision?: number;
  /** set-image: a container's name, or `*` for all containers. */
  container?: string;
  /** set-image: the image reference. */
  image?: string;
  /** restart: pods created before this moment; absent for now. */
  at?: string;
  reason?: string;
  /** Override a freeze, or act ahead of a set; requires the break-glass right and a fresh sign-in. */
  breakGlass?: boolean;
  /** Id of a second person's approval, if a policy requires one. */
  approval?: string;
  expect: Expectation;
};

export type ActionState = "requested" | "refused" | "applied" | "effective" | "not-effective" | "partial" | "unknown";

export type ActionSubject = {
  kind: "AnalysisRun" | "Experiment";
  uid: string;
};

export type ActiveFault = {
  /** Plural name of a resource, such as `rollouts`; default: all. */
  resource?: string;
  /** Default: requests everywhere. */
  namespace?: string;
  /** Default: every verb. */
  verb?: string;
  /** One of the fault's variants; default: the first. */
  how?: string;
  /** Only for `skew`: how far ahead the clock is. */
  offsetSeconds?: number;
  fault: string;
  since: Timestamp;
  /** Absent: until it is ended. */
  until?: Timestamp;
};

/** held: a person paused it in its spec; pausing: a pause with an end; waiting: for a person. */
export type Activity = "progressing" | "analysing" | "pausing" | "waiting" | "held";

export type AdminAccess = {
  /** The identity provider; null if none is configured. */
  issuer: string | null;
  /** People are demo accounts: their role is the account's, and bindings do not apply. */
  demo: boolean;
  bindings: AdminBinding[];
  /** The configured clusters. */
  clusters: string[];
  /** Newest first. */
  known: KnownSubject[];
  /** False if more are known than are listed. */
  allKnown: boolean;
};

export type AdminBinding = {
  /** Its place in the config, such as auth.roles[3]. */
  path: string;
  role: Role;
  groups: string[];
  users: string[];
  subjects: string[];
  robots: string[];
  tokens: BoundToken[];
  scope: RightScope;
  /** Patterns of actions; not used for a viewer. */
  actions: string[];
  breakGlass: boolean;
  /** Agents carry out the protective actions by themselves. */
  agentsMayAct: boolean;
  marks: BindingMark[];
};

export type AdminConfig = {
  file: string;
  digest: string;
  loadedAt: Timestamp;
  needsRestart: string[];
  entries: ConfigEntry[];
  /** The same as one YAML text, defaults included, secrets masked. */
  yaml: string;
  environment: Array<{
    name: string;
    /** Null if it is not set. */
    value: string | null;
    note: string;
  }>;
  pending: {
    state: "held" | "error";
    since: Timestamp;
    error: string;
    /** The changes in the held file; null if it has an error. */
    changes: ConfigChange[] | null;
  } | null;
};

export type AdminFreeze = {
  /** Its place in the config, such as policies.freezes[0]. */
  path: string;
  /** observe: it decides nothing; the audit entries of actions say what it would have decided. */
  mode: "enforce" | "observe";
  scope: RightScope;
  /** Patterns of actions. */
  actions: string[];
  name: string;
  /** Protective actions, such as abort and pause, are frozen too. */
  includeProtective: boolean;
  /** It is a release window: actions are refused while neither it nor another window for them is open. */
  outside: boolean;
  /** Five fields of cron. */
  start: string;
  timeZone: string;
  duration: string;
  /** The time that is in force. */
  now: {
    from: Timestamp;
    /** Null: no end is in sight. */
    to: Timestamp | null;
  } | null;
  /** The next time that begins; null if none does. */
  next: {
    from: Timestamp;
    /** Null: no end is in sight. */
    to: Timestamp | null;
  } | null;
  /** Within the asked time, oldest first; cut off at its ends. Past ones as the config of then had them. */
  times: Array<{
    from: Timestamp;
    to: Timestamp;
    /** As in the config of then. */
    mode: "enforce" | "observe";
  }>;
  /** Past times that it would have as it is now. not-yet: the config of then had no freeze of this name; unknown: that config was not kept. */
  before: Array<{
    from: Timestamp;
    to: Timestamp;
    why: "not-yet" | "unknown";
  }>;
  /** False if the freeze begins too often to list every time. */
  complete: boolean;
};

export type AdminFreezes = {
  /** The server's time. */
  at: Timestamp;
  freezes: AdminFreeze[];
  /** Newest first. */
  broken: BrokenFreeze[];
  /** False if the log holds more than was looked at. */
  allBroken: boolean;
};

export type AdminPolicies = {
  /** From when refusals are counted. */
  since: Timestamp;
  /** False if the log has more entries in that time than were counted. */
  complete: boolean;
  policies: AdminPolicy[];
  /** Actions that were refused for lack of a reason, by any rule or by default. */
  withoutReason: number;
  /** Refusals by a freeze or a rule that the log does not name: written before this version, or renamed since. */
  unnamed: number;
  /** Actions that need a reason if no rule says otherwise. */
  reasonByDefault: string[];
};

export type AdminPolicy = {
  /** Its place in the config, such as policies.freezes[0]. */
  path: string;
  /** observe: it decides nothing; the audit entries of actions say what it would have decided. */
  mode: "enforce" | "observe";
  scope: RightScope;
  /** Patterns of actions. */
  actions: string[];
  kind: "reason" | "freeze" | "second-person";
  /** Rules about reasons have none. */
  name: string | null;
  /** Of a rule about reasons. */
  required: boolean | null;
  /** Of a rule about reasons: the ticket that a reason must name, and whether another system decides about it. */
  ticket: {
    name: string;
    pattern: string;
    checked: boolean;
  } | null;
  includeProtective: boolean | null;
  /** Of a freeze: true for a release window. */
  outside: boolean | null;
  robotsMayAsk: boolean | null;
  expireMinutes: number | null;
  /** How many people other than the requester must approve. */
  approvers: number | null;
  /** Each of them is in one of these groups; empty: anyone with the right to the action. */
  approverGroups: string[] | null;
  start: string | null;
  timeZone: string | null;
  duration: string | null;
  /** Null for rules about reasons that are enforced: the log does not tell them apart. */
  counts: PolicyCounts | null;
};

export type AdminStorage = {
  at: Timestamp;
  databaseBytes: number | null;
  /** Largest first. */
  tables: StoredTable[];
  /** Of the tables whose growth is known. */
  bytesPerDay: number | null;
  /** Their share of all bytes, 0 to 1. */
  growthKnownFor: number;
  /** storageGigabytes of the config; null if it is not set. */
  limitBytes: number | null;
  /** Until the limit at this rate; null if unknown, or without a limit. */
  daysLeft: number | null;
  retention: {
    /** The last complete run. */
    doneAt: Timestamp | null;
    outcome: string | null;
    message: string | null;
    /** The rows removed by the last run that deleted any. */
    removed: {
      seq: number;
      at: Timestamp;
      rows: Record<string, number>;
    } | null;
    problem: string | null;
  };
  /** Which recorders hold the sources. */
  leases: {
    sources: number;
    expired: number;
    holders: string[];
    upkeep: string | null;
    problem: string | null;
  };
  queues: StorageQueue[];
};

export type AllowedAction = {
  action: ActionName;
  /** The button's words, such as `Accept and continue`. */
  label: string;
  /** Protective actions work even when a source is stale and take at most two clicks. */
  protective: boolean;
  allowed: boolean;
  reasonCode?: string;
  /** Why it is not allowed, in a sentence. */
  reason?: string;
  /** The effect, in a sentence with numbers. */
  effect?: string;
  /** The results that it overrides: a run, an analysis. */
  waives?: string;
  /** What else to know before the click. */
  warnings?: string[];
  /** Indices of the pauses that the controller may pass because of it; send them back with the request. */
  passesPauses?: number[];
  /** Identifies the desired version of the workload; send it back with the request. */
  targetVersion?: string;
  needs: ActionNeeds;
  patches?: Array<{
    subresource: "" | "status";
    body: unknown;
  }>;
  /** The equivalent command; for set-image, fill in CONTAINER and IMAGE. */
  kubectl?: string;
  /** undo: the revisions to choose from, newest first. */
  revisions?: Array<{
    revision: number;
    podHash: string;
    images: string[];
    current: boolean;
    stable: boolean;
  }>;
  /** set-image: the containers; empty if a workload has the template (the plan lists them). */
  containers?: Array<{
    name: string;
    image: string;
  }>;
  /** The cluster's answer about your rights there; absent if it was not asked. */
  clusterAccess?: "allowed" | "denied" | "unknown";
};

export type AnalysisArgument = {
  name: string;
  value?: string;
  valueFrom?: {
    secretKeyRef?: {
      name?: string;
      key?: string;
    };
    fieldRef?: {
      fieldPath?: string;
    };
    podTemplateHashValue?: "Stable" | "Latest";
  };
};

export type AnalysisInsights = {
  period: {
    from: Timestamp;
    to: Timestamp;
  };
  /** Ended runs that are not counted yet: the recorder derives their figures soon. */
  pendingRuns: number;
  /** Those that people waited for longest first; at most 200. */
  metrics: MetricFigures[];
  metricCount: number;
  /** In the same order; at most 200. */
  templates: TemplateFigures[];
  templateCount: number;
};

export type AnalysisMetric = {
  name: string;
  interval?: string;
  initialDelay?: string;
  count?: number | string;
  successCondition?: string;
  failureCondition?: string;
  failureLimit?: number | string;
  inconclusiveLimit?: number | string;
  consecutiveErrorLimit?: number | string;
  consecutiveSuccessLimit?: number | string;
  provider?: Record<string, unknown>;
};

export type AnalysisPhase = "Pending" | "Running" | "Successful" | "Failed" | "Error" | "Inconclusive" | "Unknown";

export type AnalysisRunDetail = {
  uid: string;
  cluster: string;
  namespace: string;
  name: string;
  /** The rollout that owns the run, if any. */
  rollout: RolloutRef | null;
  /** Release: the controller's own analysis of a whole release. */
  type: "Step" | "Background" | "PrePromotion" | "PostPromotion" | "Experiment" | "Manual" | "Release";
  stepIndex: number | null;
  revision: number | null;
  podHash: string | null;
  phase: AnalysisPhase;
  message: string;
  startedAt: Timestamp | null;
  completedAt: Timestamp | null;
  /** By the cluster's clock; null if it has no end or the end is before the start. */
  durationSeconds: number | null;
  /** By Gatehouse's own clock; the other times are the cluster's. */
  firstSeenAt: Timestamp;
  /** spec.terminate: the run was terminated early, so Successful is weaker evidence. */
  terminated: boolean;
  /** deleted: gone from the cluster, kept in Gatehouse; derived: from messages, it is no object. */
  presence: "live" | "deleted" | "unobserved" | "derived";
  measurements: number;
  lostMeasurements: number;
  measurementsExpired: boolean;
  /** The verdict check found that the recorded measurements contradict the verdict. */
  contradiction: boolean;
  /** The verdict in words, with numbers. */
  verdict: string;
  /** When measuring starts, if not at once. */
  start: string | null;
  /** Null for a run that has not ended or is not checked yet. */
  verdictCheck: VerdictCheck | null;
  metrics: RunMetric[];
  args: Array<{
    name: string;
    value: string | null;
    secret: boolean;
  }>;
  /** The recorded template versions that it was built from, matched by time and content. */
  templates: Array<{
    /** As in /templates. */
    id: string;
    namespace: string | null;
    kind: TemplateKind;
    name: string;
    version: number;
    /** Whether the template is unchanged since. */
    current: boolean;
  }>;
  /** The Experiment that owns the run, if there is one and it is recorded. */
  experiment: {
    uid: string;
    name: string;
  } | null;
  /** The object of another controller that the run belongs to, such as Kargo's Stage; null if none is known. */
  createdBy: {
    kind: string;
    name: string;
  } | null;
  runSummary: Record<string, number> | null;
  dryRunSummary: Record<string, number> | null;
  /** The set weight of the run's own revision over the time of the run, as observed. */
  weights: Array<{
    at: Timestamp;
    weight: number;
  }>;
  /** What happened to the rollout in the meantime, oldest first; at most 100. */
  marks: RunMark[];
  /** Its metrics as rows, the same as in dialogs. */
  evidence: MetricEvidence[];
  links: Link[];
};

export type AnalysisRunSpec = {
  metrics: AnalysisMetric[];
  args?: AnalysisArgument[];
  terminate?: boolean;
  dryRun?: Array<{
    metricName: string;
  }>;
  /** Names of the dry-run metrics; replaces dryRun. */
  dryRunMetricNames?: string[];
  measurementRetention?: Array<{
    metricName: string;
    limit?: number;
  }>;
  ttlStrategy?: {
    secondsAfterCompletion?: number;
    secondsAfterFailure?: number;
    secondsAfterSuccess?: number;
  };
};

export type AnalysisRunSummary = {
  uid: string;
  cluster: string;
  namespace: string;
  name: string;
  /** The rollout that owns the run, if any. */
  rollout: RolloutRef | null;
  /** Release: the controller's own analysis of a whole release. */
  type: "Step" | "Background" | "PrePromotion" | "PostPromotion" | "Experiment" | "Manual" | "Release";
  stepIndex: number | null;
  revision: number | null;
  podHash: string | null;
  phase: AnalysisPhase;
  message: string;
  startedAt: Timestamp | null;
  completedAt: Timestamp | null;
  /** By the cluster's clock; null if it has no end or the end is before the start. */
  durationSeconds: number | null;
  /** By Gatehouse's own clock; the other times are the cluster's. */
  firstSeenAt: Timestamp;
  /** spec.terminate: the run was terminated early, so Successful is weaker evidence. */
  terminated: boolean;
  /** deleted: gone from the cluster, kept in Gatehouse; derived: from messages, it is no object. */
  presence: "live" | "deleted" | "unobserved" | "derived";
  measurements: number;
  lostMeasurements: number;
  measurementsExpired: boolean;
  /** The verdict check found that the recorded measurements contradict the verdict. */
  contradiction: boolean;
};

export type AnalysisTemplateSpec = {
  /** Required if templates refer to each other. */
  name?: string;
  metrics?: AnalysisMetric[];
  args?: AnalysisArgument[];
  dryRun?: Array<{
    metricName: string;
  }>;
  measurementRetention?: Array<{
    metricName: string;
    limit?: number;
  }>;
  /** References, resolved among the templates of this request. */
  templates?: Array<{
    templateName: string;
    clusterScope?: boolean;
  }>;
};

export type Annotation = {
  id: string;
  kind: "release" | "step" | "action";
  time: Timestamp;
  /** Of a release that has ended; else null. */
  timeEnd: Timestamp | null;
  title: string;
  text: string;
  /** Separated by commas: kind, state, cluster, namespace, name. */
  tags: string;
  rollout: RolloutRef;
  /** Of its page in Gatehouse. */
  url: string;
};

export type ApiToken = {
  id: string;
  name: string;
  role: Role;
  owner: string;
  /** Its owner's name and groups when it was created; the cluster mappings use these. */
  actsAs: {
    username: string;
    groups: string[];
  };
  /** Created restricted, or named by a role binding since: it only has the rights of bindings that name it. */
  restricted: boolean;
  createdAt: Timestamp;
  expiresAt: Timestamp | null;
  lastUsedAt: Timestamp | null;
  revokedAt: Timestamp | null;
};

export type Approval = {
  id: string;
  rollout: RolloutRef;
  action: ActionName;
  /** Parameters of the requested action; the approval covers only these. */
  params: ActionParams;
  /** The run or Experiment that it is about; null for the rollout itself. */
  subject: {
    kind: "AnalysisRun" | "Experiment";
    uid: string;
    name: string;
  } | null;
  state: ApprovalState;
  /** The strictest policy that required other people when it was requested; empty for a proposal. */
  rule: string;
  reason: string;
  /** The approval is valid only for this view of the rollout. */
  viewDigest: string;
  /** Indices of the pause steps that the controller may pass because of it; the approval covers no others. */
  passesPauses: number[];
  /** The desired version of the workload that it is about; the approval covers no other. Null: not about a workload. */
  targetVersion: string | null;
  /** Of a proposal: the token of the agent that made it for the requester. Null: a person asks. */
  agent: {
    name: string;
  } | null;
  /** Display name; not unique. */
  requestedBy: string;
  /** The name that the identity provider gave; null for old requests. */
  requestedByUsername: string | null;
  /** You requested it: another person must decide. */
  own: boolean;
  /** You may approve or reject it: your approval is missing, and you have not given it. */
  decidable: boolean;
  /** You may withdraw it: you requested it, approved it, or are an admin there. */
  withdrawable: boolean;
  requestedAt: Timestamp;
  expiresAt: Timestamp;
  /** What is required now, the most approvers first: it is approved once each rule is satisfied. Empty once closed. */
  rules: Array<{
    /** Empty if no rule requires an approval any more: any other person's is enough. */
    name: string;
    /** How many different people must approve, the requester not counted. */
    approvers: number;
    /** Each of them is in one of these groups; empty: anyone with the right to act. */
    groups: string[];
    /** How many approvals count for it now. */
    approved: number;
  }>;
  /** Who has approved it, the first one first. Each person approves once. */
  approvals: Array<{
    /** Display name; not unique. */
    name: string;
    username: string;
    at: Timestamp;
    reason: string | null;
    /** False if the person has lost the right, or is in no group of a rule that applies now. */
    counts: boolean;
  }>;
  /** The person who last approved, rejected or withdrew it. */
  decidedBy: string | null;
  decidedByUsername: string | null;
  decidedAt: Timestamp | null;
  decisionReason: string | null;
  /** The action that used it. */
  actionId: string | null;
};

export type ApprovalDecision = {
  /** Anyone but the requester can approve it, once. The requester, its approvers and admins can withdraw it. To approve an agent's proposal is to act: the action is yours. */
  decision: "approve" | "reject" | "withdraw";
  /** Refuses anything but a proposal of the token that calls: an agent decides about nothing else. */
  ownProposal?: true;
  reason?: string;
  /** The view that the approver saw; required to approve. */
  viewDigest?: string;
};

export type ApprovalRequest = {
  action: ActionName;
  /** undo: absent or 0 for the revision before the current one. */
  toRevision?: number;
  /** set-image: a container's name, or `*` for all containers. */
  container?: string;
  /** set-image: the image reference. */
  image?: string;
  /** restart: pods created before this moment; absent for now. */
  at?: string;
  /** The run or Experiment, for terminate and the retry of an Experiment. */
  subject?: ActionSubject;
  reason: RequiredReason;
  expect: Expectation;
};

export type ApprovalState = "pending" | "approved" | "rejected" | "withdrawn" | "expired" | "superseded" | "used";

export type AssessAnswer = RunVerdict | PhaseVerdict;

export type AssessRequest = {
  metric?: {
    name?: string;
    interval?: string;
    initialDelay?: string;
    count?: number | string;
    successCondition?: string;
    failureCondition?: string;
    failureLimit?: number | string;
    inconclusiveLimit?: number | string;
    consecutiveErrorLimit?: number | string;
    consecutiveSuccessLimit?: number | string;
    provider?: Record<string, unknown>;
  };
  result?: {
    name?: string;
    phase?: "Pending" | "Running" | "Successful" | "Failed" | "Error" | "Inconclusive";
    message?: string;
    measurements?: AssessedMeasurement[];
    count?: number;
    successful?: number;
    failed?: number;
    inconclusive?: number;
    error?: number;
    consecutiveError?: number;
    consecutiveSuccess?: number;
    dryRun?: boolean;
    metadata?: Record<string, string>;
  };
  terminating?: boolean;
  spec?: AnalysisRunSpec;
  metricResults?: Array<{
    name: string;
    phase?: "Pending" | "Running" | "Successful" | "Failed" | "Error" | "Inconclusive";
    message?: string;
    measurements?: AssessedMeasurement[];
    count?: number;
    successful?: number;
    failed?: number;
    inconclusive?: number;
    error?: number;
    consecutiveError?: number;
    consecutiveSuccess?: number;
    dryRun?: boolean;
    metadata?: Record<string, string>;
  }>;
};

export type AssessedMeasurement = {
  phase: "Pending" | "Running" | "Successful" | "Failed" | "Error" | "Inconclusive";
  message?: string;
  value?: string;
  startedAt?: string;
  finishedAt?: string;
  resumeAt?: string;
  metadata?: Record<string, string>;
};

export type Attention = {
  reason: "inconclusive" | "pause" | "blueGreenPromotion" | "gate" | "degraded" | "finding";
  since: Timestamp;
  severity: "info" | "warning" | "critical";
};

export type AuditActor = {
  /** kubernetes-user: a person acted in the cluster, named by its API server's audit log. */
  type: "user" | "token" | "system" | "unknown" | "kubernetes-user";
  issuer?: string;
  subject?: string;
  name: string;
  token?: {
    id: string;
    name: string;
  };
};

export type AuditDetail = {
  seq: number;
  /** Database clock, UTC, microseconds. */
  time: string;
  actor: AuditActor;
  source: "gatehouse" | "cluster" | "system";
  /** Event code, such as `action.abort`; the catalogue is in docs/audit-events.md. */
  code: string;
  action?: string;
  actionId?: string;
  target?: {
    id?: string;
    cluster?: string;
    namespace?: string;
    kind?: string;
    name?: string;
  };
  reason?: string;
  outcome?: AuditOutcome;
  detail?: Record<string, unknown>;
  requestId: string;
  evidenceDigest?: string;
  previousHash: string;
  entryHash: string;
  hash: string;
  sentence: string;
  /** Parts of the sentence; strong parts are names. */
  parts?: Array<{
    text: string;
    strong: boolean;
  }>;
  /** Of a change without Gatehouse: the later entry that says who made it; the sentence names them already. */
  attributedBy: number | null;
  /** For an outcome: the entry of the intent that it belongs to. */
  intentSeq: number | null;
  /** The action's state, how many seconds after the request it took effect, or why it had no effect. */
  effect: {
    state: string;
    seconds: number | null;
    why: string | null;
  } | null;
  /** The canonical text that is hashed. */
  entry: string;
  /** The evidence that the person saw; an outcome repeats that of its intent. */
  evidence: unknown | null;
  /** The metrics of the evidence, judged by the rules that are frozen with them. Empty if it has none. */
  metrics: MetricEvidence[];
  /** Of a change without Gatehouse: the analysis run that it ended, or whose result it overrode. */
  overridden: {
    uid: string;
    name: string;
  } | null;
  /** Of a change without Gatehouse, for admins of its cluster: the request as the API server audited it. Null once it is deleted by age. */
  request: {
    auditId: string;
    at: Timestamp;
    username: string;
    groups: string[];
    impersonatedBy: string | null;
    userAgent: string;
    sourceAddresses: string[];
  } | null;
  /** entryHash and hash match entry and previousHash. */
  linkOk: boolean;
};

export type AuditItem = {
  seq: number;
  /** Database clock, UTC, microseconds. */
  time: string;
  actor: AuditActor;
  source: "gatehouse" | "cluster" | "system";
  /** Event code, such as `action.abort`; the catalogue is in docs/audit-events.md. */
  code: string;
  action?: string;
  actionId?: string;
  target?: {
    id?: string;
    cluster?: string;
    namespace?: string;
    kind?: string;
    name?: string;
  };
  reason?: string;
  outcome?: AuditOutcome;
  detail?: Record<string, unknown>;
  requestId: string;
  evidenceDigest?: string;
  previousHash: string;
  entryHash: string;
  hash: string;
  sentence: string;
  /** Parts of the sentence; strong parts are names. */
  parts?: Array<{
    text: string;
    strong: boolean;
  }>;
  /** Of a change without Gatehouse: the later entry that says who made it; the sentence names them already. */
  attributedBy: number | null;
  /** For an outcome: the entry of the intent that it belongs to. */
  intentSeq: number | null;
  /** The action's state, how many seconds after the request it took effect, or why it had no effect. */
  effect: {
    state: string;
    seconds: number | null;
    why: string | null;
  } | null;
};

export type AuditOutcome = "intent" | "applied" | "refused" | "partial" | "unknown";

export type AuditVerification = {
  ok: boolean;
  /** How many were verified, from the first one on. */
  entries: number;
  /** With `quick`: the log is too large, so none was verified and `ok` is false. */
  skipped?: true;
  brokenAt?: number;
  reason?: string;
};

export type BacktestAnswer = {
  metric: string;
  totals: BacktestTotals;
  /** More runs match than `limit` allows: these are the newest. */
  truncated: boolean;
  /** Newest first. */
  runs: BacktestRun[];
};

export type BacktestCounts = {
  Successful: number;
  Failed: number;
  Error: number;
  Inconclusive: number;
  undecided: number;
};

export type BacktestDifference = {
  seq: number;
  value: string | null;
  finishedAt: Timestamp | null;
  /** Its recorded phase. */
  recorded: string;
  /** Its phase under the proposal, `unknown`; null if it would not be taken. */
  proposed: string | null;
  /** It ends the metric under the recorded rules. */
  endsRecorded: boolean;
  /** It ends the metric under the proposal. */
  endsProposed: boolean;
};

export type BacktestFilter = {
  /** Runs of this rollout: cluster/namespace/Kind/name. */
  rollout?: string;
  /** Runs made from any version of this template: cluster/namespace/Kind/name. */
  template?: string;
  /** Runs created at this time or later. */
  from?: Timestamp;
  /** Runs created before this time. */
  to?: Timestamp;
  /** The newest runs; default 200. */
  limit?: number;
};

/** An absent rule stays as recorded with each run; null removes it, so that its default applies. */
export type BacktestProposal = {
  successCondition?: string | null;
  failureCondition?: string | null;
  failureLimit?: number | string | null;
  inconclusiveLimit?: number | string | null;
  consecutiveErrorLimit?: number | string | null;
  consecutiveSuccessLimit?: number | string | null;
  count?: number | string | null;
  interval?: string | null;
  initialDelay?: string | null;
};

export type BacktestRequest = {
  filter?: BacktestFilter;
  runUids?: string[];
  metric: string;
  proposal: BacktestProposal;
};

export type BacktestRun = {
  uid: string;
  cluster: string;
  namespace: string;
  name: string;
  rollout: RolloutRef | null;
  revision: number | null;
  createdAt: Timestamp;
  completedAt: Timestamp | null;
  /** The metric was a dry run, so that the run's verdict cannot change. */
  dryRun: boolean;
  /** How many measurements were replayed. */
  measurements: number;
  recorded: {
    run: "Successful" | "Failed" | "Error" | "Inconclusive";
    metric: "Pending" | "Running" | "Successful" | "Failed" | "Error" | "Inconclusive" | null;
  };
  /** Under the recorded rules. */
  replayed: {
    run: BacktestVerdict;
    metric: BacktestVerdict;
  };
  /** Under the proposal. */
  proposed: {
    run: BacktestVerdict;
    metric: BacktestVerdict;
  };
  firstDifference: BacktestDifference | null;
};

export type BacktestTotals = {
  runs: number;
  measurements: number;
  dryRuns: number;
  /** Runs with another verdict under the proposal than recorded. */
  changed: number;
  recorded: BacktestCounts;
  replayed: BacktestCounts;
  proposed: BacktestCounts;
  /** Undecided runs, by reason. */
  undecided: Record<string, number>;
};

export type BacktestVerdict = {
  phase: "Successful" | "Failed" | "Error" | "Inconclusive" | "undecided";
  code?: "record-ends" | "schedule" | "gap" | "value" | "order" | "expression" | "secret" | "spec" | "others" | "same-time";
  /** Why it is undecided, or the limit that was broken. */
  text?: string;
  /** The measurement that ends the metric, or that leaves it undecided. */
  seq?: number;
  /** The metric was still measuring when the run ended. */
  endedByRun?: boolean;
};

export type BindingMark = {
  kind: "nobody" | "cluster" | "token";
  /** What looks wrong, as a sentence. */
  text: string;
};

export type Block = {
  kind: "freeze" | "set";
  /** Several sets that hold it are named together. */
  name: string;
  /** Of a freeze that a person made. */
  id?: string;
};

export type BoundToken = {
  id: string;
  /** Null if no token has this id. */
  name: string | null;
  state: "valid" | "expired" | "revoked" | "unknown";
  expiresAt: Timestamp | null;
};

export type BrokenFreeze = {
  /** Its entry in the audit log. */
  seq: number;
  at: Timestamp;
  freeze: string;
  person: string;
  sentence: string;
};

export type ChangeEvent = {
  /** `rollout-pods` and `rollout-events` carry the id of their rollout, `notification` that of a new event (`/notifiable-events`). */
  kind: "rollout" | "analysis-run" | "release" | "action" | "approval" | "audit" | "source" | "experiment" | "template" | "rollout-pods" | "rollout-events" | "finding" | "freeze" | "scheduled-action" | "setting" | "notification";
  id: string;
  op: "upsert" | "delete";
  /** Of an `analysis-run`, `experiment`, `release` or `audit`: the id of the rollout that it belongs to. Absent: it has none, or none is known. */
  rollout?: string;
};

export type ChannelSetting = {
  name: string;
  type: "slack";
  /** Where the secret is: file:PATH or env:NAME. */
  webhookUrl?: string;
  /** Where the secret is: file:PATH or env:NAME. */
  token?: string;
  /** Which a token posts to. */
  channel?: string;
  apiUrl?: string;
} | {
  name: string;
  type: "webhook";
  /** An address, or where it is stored. */
  url: string;
  /** Where the secret is: file:PATH or env:NAME. */
  signingSecret: string;
  /** Where the secret is: file:PATH or env:NAME. */
  token?: string;
  /** Only in the config file. */
  caFile?: string;
} | {
  name: string;
  type: "pagerduty";
  /** Where the secret is: file:PATH or env:NAME. */
  routingKey: string;
  /** Of the service region. */
  apiUrl?: string;
} | {
  name: string;
  type: "alertmanager";
  /** The address before /api/v2/alerts, or where it is stored. */
  url: string;
  /** Where the secret is: file:PATH or env:NAME. */
  token?: string;
  /** Only in the config file. */
  caFile?: string;
} | {
  name: string;
  type: "teams";
  /** Where the secret is: file:PATH or env:NAME. */
  webhookUrl: string;
} | {
  name: string;
  type: "deployments";
  provider: "github" | "gitlab";
  /** Where the secret is: file:PATH or env:NAME. */
  token: string;
  /** Of your own server. */
  apiUrl?: string;
  /** Patterns of the only repositories that it reports to. */
  repositories: string[];
  /** The annotation that names the repository. */
  repository?: string;
  /** The annotation that names the commit. */
  commit?: string;
  /** May have {cluster}, {namespace}, {kind} and {name}. */
  environment?: string;
  /** Its own scope: no route leads here. */
  clusters?: string[];
  /** Its own scope: no route leads here. */
  namespaces?: string[];
  /** Its own scope: no route leads here. */
  rollouts?: string[];
  /** Only in the config file. */
  caFile?: string;
} | {
  name: string;
  type: "cdevents";
  /** An address, or where it is stored. */
  url: string;
  /** Where the secret is: file:PATH or env:NAME. */
  signingSecret: string;
  /** Where the secret is: file:PATH or env:NAME. */
  token?: string;
  /** May have {cluster}, {namespace}, {kind} and {name}. */
  environment?: string;
  /** Its own scope: no route leads here. */
  clusters?: string[];
  /** Its own scope: no route leads here. */
  namespaces?: string[];
  /** Its own scope: no route leads here. */
  rollouts?: string[];
  /** Only in the config file. */
  caFile?: string;
} | {
  name: string;
  type: "email";
  host: string;
  port: number;
  security: "starttls" | "tls" | "none";
  from: string;
  to: string[];
  user?: string;
  /** Where the secret is: file:PATH or env:NAME. */
  password?: string;
  /** Only in the config file. */
  caFile?: string;
};

export type Claim = {
  /** Of this claim: send it to take the claim over. */
  id: string;
  who: string;
  isMine: boolean;
  at: Timestamp;
  expiresAt: Timestamp;
};

export type ClaimRequest = {
  /** `attention.since` of the wait that you saw; the claim lasts at most as long as that wait. */
  since: Timestamp;
  /** The id of another person's claim that you take over. Without it, a claim of another person is a conflict. */
  takesOver?: string;
};

export type Cluster = {
  name: string;
  access: "read" | "act";
  /** Empty unless the caller may read the whole cluster. */
  server: string;
  state: SourceState;
  lastContact: Timestamp | null;
  rollouts: number;
  /** False if only recorded history is left. */
  configured: boolean;
};

export type ClusterIdentity = {
  /** groups: the rights of your groups there; user: those of your own user there, with your groups; serviceAccount: those of Gatehouse's own account. */
  mode: "groups" | "user" | "serviceAccount";
  /** Your name in the cluster's log, or the account's; null without one, or if the account's name is still unknown. */
  username: string | null;
  groups: string[];
  /** Why you cannot act there, in a sentence. */
  problem: string | null;
};

export type ClusterPermissions = {
  /** not-allowed: Gatehouse's own account may not ask about others. */
  state: "answered" | "not-allowed" | "unreachable" | "no-identity" | "read-only";
  text: string;
  /** The RBAC rule that would allow the question. */
  rule: string | null;
  identity: ClusterIdentity | null;
  rights: Array<{
    /** Such as patch rollouts/status. */
    right: string;
    /** The object's name, if the right is about one. */
    resource: string | null;
    /** The actions that need it; empty for a whole namespace. */
    actions: string[];
    answer: "allowed" | "denied" | "unknown";
  }>;
};

export type ComposeAnswer = {
  spec: AnalysisRunSpec;
};

export type ComposeRequest = {
  /** Specs of AnalysisTemplates, in the order in which the Rollout names them. */
  templates: AnalysisTemplateSpec[];
  clusterTemplates?: AnalysisTemplateSpec[];
  /** The Rollout's arguments; those that no template declares are dropped. */
  args?: AnalysisArgument[];
  /** The Rollout that pod hashes and field paths are read from. */
  rollout?: Record<string, unknown>;
};

export type ConfigChange = {
  path: string;
  /** Null if the key is new. */
  before: string | null;
  /** Null if the key is gone. */
  after: string | null;
};

export type ConfigEntry = {
  /** Such as clusters[0].staleAfterSeconds. */
  path: string;
  /** As YAML, with secrets masked. */
  value: string;
  /** start: the file has another value, which takes effect at the next start; interface: an admin set it in Gatehouse. */
  origin: "file" | "default" | "start" | "interface";
  /** Line of the file; null for a default. */
  line: number | null;
  /** For a named environment variable: whether this process has it. */
  note: string | null;
};

export type ConfigStatus = {
  /** error: the file is invalid; held: it removes too much. In both cases the previous config stays in force. */
  state: "ok" | "error" | "held";
  loadedAt: Timestamp;
  /** SHA-256 of the file in force. */
  digest: string;
  /** Since when the file has differed from the config in force. */
  since?: Timestamp;
  error?: string;
  fault?: "missing" | "unreadable" | "invalid";
  /** The removals of the held file, and its digest. */
  held?: {
    digest: string;
    clusters: string[];
    bindings: string[];
  };
  /** Keys whose changes take effect at the next start. */
  needsRestart?: string[];
};

export type ConfirmConfigRequest = {
  reason: RequiredReason;
  /** Digest of the held file that you saw; any other file is refused. */
  digest?: string;
};

export type Controller = {
  /** cluster/component */
  id: string;
  cluster: string;
  component: string;
  label: string;
  purpose: string;
  state: "up" | "unwell" | "down" | "unknown";
  reason: "answers" | "pods-ready" | "probe-failing" | "not-answering" | "no-pods" | "scaled-down" | "one-failure" | "not-asked" | "not-configured" | "not-in-prometheus" | "prometheus-silent" | "no-credentials" | "denied";
  since: Timestamp | null;
  /** By its metrics, else by the tag of its image. */
  version: string | null;
  /** What this version is known to do wrong. */
  defects: ControllerDefect[];
  /** How its metrics are read; null if they are not. */
  via: "endpoint" | "prometheus" | null;
  everySeconds: number | null;
  lastScrape: Timestamp | null;
  lastSuccess: Timestamp | null;
  durationMs: number | null;
  /** Why the last scrape failed. */
  error: {
    code: string;
    message: string;
  } | null;
  consecutiveFailures: number;
  /** When its process began, by its own metrics. */
  startedAt: Timestamp | null;
  /** Restarts that Gatehouse saw. */
  restarts: number;
  /** Null if none is configured; absent: nothing answers there. */
  probe: {
    state: "ok" | "failing" | "absent";
    message: string | null;
    since: Timestamp;
  } | null;
  /** Null unless the caller may read the whole cluster. */
  workloads: Array<{
    kind: "Deployment" | "DaemonSet";
    namespace: string;
    name: string;
    desired: number;
    ready: number;
    tag: string | null;
  }> | null;
  /** Per minute, over five minutes; null if it has no such metric. */
  errors: ControllerReading | null;
  /** The median in seconds, over five minutes. */
  latency: ControllerLatency | null;
  /** The sum over its queues. */
  depth: ControllerReading | null;
};

export type ControllerChart = {
  key: string;
  label: string;
  unit: "count" | "seconds" | "bytes" | "time";
  kind: "gauge" | "counter" | "histogram";
  presence: SeriesPresence;
  lines: Array<{
    /** Empty if the series has one line. */
    name: string;
    points: Array<{
      at: Timestamp;
      /** Null is a gap. */
      value: number | null;
    }>;
  }>;
  /** Lines that are not in the answer. */
  omitted: number;
};

export type ControllerDefect = {
  id: string;
  severity: "info" | "warning";
  title: string;
  advice: string;
  /** Where it is reported, fixed or was seen. */
  source: string;
};

export type ControllerDetail = {
  /** cluster/component */
  id: string;
  cluster: string;
  component: string;
  label: string;
  purpose: string;
  state: "up" | "unwell" | "down" | "unknown";
  reason: "answers" | "pods-ready" | "probe-failing" | "not-answering" | "no-pods" | "scaled-down" | "one-failure" | "not-asked" | "not-configured" | "not-in-prometheus" | "prometheus-silent" | "no-credentials" | "denied";
  since: Timestamp | null;
  /** By its metrics, else by the tag of its image. */
  version: string | null;
  /** What this version is known to do wrong. */
  defects: ControllerDefect[];
  /** How its metrics are read; null if they are not. */
  via: "endpoint" | "prometheus" | null;
  everySeconds: number | null;
  lastScrape: Timestamp | null;
  lastSuccess: Timestamp | null;
  durationMs: number | null;
  /** Why the last scrape failed. */
  error: {
    code: string;
    message: string;
  } | null;
  consecutiveFailures: number;
  /** When its process began, by its own metrics. */
  startedAt: Timestamp | null;
  /** Restarts that Gatehouse saw. */
  restarts: number;
  /** Null if none is configured; absent: nothing answers there. */
  probe: {
    state: "ok" | "failing" | "absent";
    message: string | null;
    since: Timestamp;
  } | null;
  /** Null unless the caller may read the whole cluster. */
  workloads: Array<{
    kind: "Deployment" | "DaemonSet";
    namespace: string;
    name: string;
    desired: number;
    ready: number;
    tag: string | null;
  }> | null;
  /** Per minute, over five minutes; null if it has no such metric. */
  errors: ControllerReading | null;
  /** The median in seconds, over five minutes. */
  latency: ControllerLatency | null;
  /** The sum over its queues. */
  depth: ControllerReading | null;
  /** How to reach its metrics and its probe. */
  reach: string;
  series: ControllerSeries[];
};

export type ControllerLatency = {
  label: string;
  unit: string;
  presence: SeriesPresence;
  /** Null if it is not known, or if nothing was counted. */
  value: number | null;
  p50: {
    value: number;
    from: number;
    to: number | null;
  } | null;
  p99: {
    value: number;
    from: number;
    to: number | null;
  } | null;
};

export type ControllerReading = {
  label: string;
  unit: string;
  presence: SeriesPresence;
  /** Null if it is not known, or if nothing was counted. */
  value: number | null;
};

export type ControllerSamples = {
  from: Timestamp;
  to: Timestamp;
  charts: ControllerChart[];
};

export type ControllerSeries = {
  key: string;
  label: string;
  unit: "count" | "seconds" | "bytes" | "time";
  kind: "gauge" | "counter" | "histogram";
  presence: SeriesPresence;
};

export type CourseMoment = {
  /** When the recorder saw it. */
  at: Timestamp;
  phase: RolloutPhase;
  message: string;
  /** Completed steps. */
  step: number | null;
  stepCount: number;
  /** The current step; null past the last one. */
  stepText: string | null;
  /** Percent that the strategy asks for; null if it has no weights. */
  weight: number | null;
  activity: Activity;
  /** The reasons for the wait, in sentences. */
  waits: string[];
};

export type CreateHookCredentialRequest = {
  name: string;
  cluster: string;
  purpose?: HookPurpose;
  namespaces: string[];
  expiresInDays?: number;
};

export type CreateTokenRequest = {
  name: string;
  role: Role;
  expiresInDays?: number;
  /** No rights until a role binding references its ID. */
  restricted?: boolean;
};

export type CreatedHookCredential = {
  /** The user of Basic authentication. */
  id: string;
  name: string;
  cluster: string;
  /** flagger: gates and events of canaries; kubernetes-audit: the API server's audit events. */
  purpose: HookPurpose;
  /** Patterns of the namespaces whose canaries it may ask for. */
  namespaces: string[];
  createdBy: string;
  createdAt: Timestamp;
  expiresAt: Timestamp | null;
  revokedAt: Timestamp | null;
  lastUsedAt: Timestamp | null;
  /** The password of Basic authentication. Shown once; only its hash is kept. */
  secret: string;
};

export type CreatedToken = {
  id: string;
  name: string;
  role: Role;
  owner: string;
  /** Its owner's name and groups when it was created; the cluster mappings use these. */
  actsAs: {
    username: string;
    groups: string[];
  };
  /** Created restricted, or named by a role binding since: it only has the rights of bindings that name it. */
  restricted: boolean;
  createdAt: Timestamp;
  expiresAt: Timestamp | null;
  lastUsedAt: Timestamp | null;
  revokedAt: Timestamp | null;
  /** Shown once; only its hash is kept. */
  token: string;
};

export type CurrentRun = {
  role: "step" | "background" | "prePromotion" | "postPromotion";
  name: string;
  /** Null until the recorder has seen the run. */
  uid: string | null;
  phase: AnalysisPhase;
  message: string;
};

/** approve: the terminal gets an API token that acts as you. */
export type DeviceDecision = {
  decision: "approve" | "refuse";
  /** approve: the token's role, at most your own. Default: viewer. */
  role?: Role;
  /** approve: how long the token is valid. Default: 7. */
  expiresInDays?: number;
};

export type DeviceRequest = {
  /** Names the request in the audit log. */
  id: string;
  /** The name that the terminal chose for itself. */
  deviceName: string;
  /** The network address that it asked from, as a trusted proxy says; without one that of the connection. */
  address: string | null;
  /** The network address of the connection: another one than address if a trusted proxy is in between. */
  peer: string | null;
  userAgent: string | null;
  createdAt: Timestamp;
  /** After this it can no longer be approved. */
  expiresAt: Timestamp;
  /** A decided request is shown only to the person who decided it. */
  state: "pending" | "approved" | "refused";
};

export type EarlierSeries = {
  uid: string;
  name: string;
  phase: AnalysisPhase;
  revision: number | null;
  startedAt: Timestamp;
  metric: string;
  /** In order; at most 121. Numbers only: measurements without one are left out. */
  points: Array<{
    /** The number of the measurement; the mean, if the point stands for several. */
    seq: number;
    /** Since the start of that run. */
    offsetSeconds: number;
    low: number;
    high: number;
  }>;
};

export type EarlierSeriesList = {
  /** Per metric the last five runs that measured it, newest first. */
  items: EarlierSeries[];
};

export type EvaluateRequest = {
  /** The provider's result with its Go type. A float64 may be the text NaN, +Inf or -Inf. */
  result: {
    type: "nil" | "bool" | "string" | "int" | "float64" | "*float64" | "[]float64" | "[]string" | "[]any" | "json" | "map(int)" | "[]map(int)" | "[]any(map int)" | "[]MetricDataResult";
    value?: unknown;
  };
  successCondition?: string;
  failureCondition?: string;
};

export type Expectation = {
  viewDigest: string;
  uid?: string;
  revisionKey?: string;
  /** `passesPauses` of the action as shown. Gatehouse refuses the action if it may now pass another pause. Absent: not compared. */
  passesPauses?: number[];
  /** `targetVersion` of the action as shown. Gatehouse refuses the action if the workload has changed since. Absent: not compared. */
  targetVersion?: string;
  /** With `breakGlass`: `needs.blocks` of the action as shown. Gatehouse overrides only these, and refuses the action if others are in force. Absent: overrides all that are. */
  blocks?: Block[];
};

export type ExperimentAnalysis = {
  name: string;
  template: {
    kind: "AnalysisTemplate" | "ClusterAnalysisTemplate";
    name: string;
  };
  /** requiredForCompletion: the Experiment ends with it. */
  required: boolean;
  /** Of its run, if that is recorded; else by the Experiment's status. */
  phase: AnalysisPhase;
  message: string;
  /** The one template whose pods it measures, by its arguments; null if that is not certain. */
  measures: string | null;
  run: {
    name: string;
    /** Null until the recorder has seen it. */
    uid: string | null;
  } | null;
};

export type ExperimentDetail = {
  uid: string;
  cluster: string;
  namespace: string;
  name: string;
  /** The rollout that started it, if any. */
  rollout: RolloutRef | null;
  revision: number | null;
  podHash: string | null;
  phase: AnalysisPhase;
  message: string;
  createdAt: Timestamp;
  /** Since when all its ReplicaSets were available. */
  availableAt: Timestamp | null;
  completedAt: Timestamp | null;
  presence: "live" | "deleted" | "unobserved";
  runs: {
    total: number;
    byPhase: Record<string, number>;
  };
  updatedAt: Timestamp;
  duration: string | null;
  progressDeadlineSeconds: number | null;
  /** spec.terminate: it was terminated early. */
  terminated: boolean;
  templates: ExperimentTemplate[];
  analyses: ExperimentAnalysis[];
  /** The runs that it owns, live and past, newest first; at most 200. */
  analysisRuns: AnalysisRunSummary[];
};

export type ExperimentSummary = {
  uid: string;
  cluster: string;
  namespace: string;
  name: string;
  /** The rollout that started it, if any. */
  rollout: RolloutRef | null;
  revision: number | null;
  podHash: string | null;
  phase: AnalysisPhase;
  message: string;
  createdAt: Timestamp;
  /** Since when all its ReplicaSets were available. */
  availableAt: Timestamp | null;
  completedAt: Timestamp | null;
  presence: "live" | "deleted" | "unobserved";
  runs: {
    total: number;
    byPhase: Record<string, number>;
  };
  updatedAt: Timestamp;
};

export type ExperimentTemplate = {
  name: string;
  desired: number;
  /** The controller's own word, such as `Progressing`; empty without one. */
  status: string;
  message: string;
  replicas: number;
  ready: number;
  available: number;
  /** Of its containers. */
  images: string[];
  /** The name of its ReplicaSet. */
  replicaSet: string;
};

export type Finding = {
  id: string;
  /** Id of the rule, such as `inconclusive-ignored`; docs/findings.md lists them. */
  rule: string;
  ruleName: string;
  severity: FindingSeverity;
  title: string;
  state: FindingState;
  about: "rollout" | "cluster" | "source" | "controller";
  /** The rollout; for a cluster, a source or a controller, its cluster, kind and name, which may be empty. */
  target: RolloutRef;
  since: Timestamp;
  foundAt: Timestamp;
  closedAt: Timestamp | null;
  closedWhy: string | null;
  acknowledged: {
    who: string;
    at: Timestamp;
    reason: string;
  } | null;
  evidence: FindingEvidence[];
  advice: string;
  /** The version that it is about. */
  revisionKey: string | null;
  /** The analysis run that it is about. */
  runUid: string | null;
};

export type FindingCounts = {
  open: {
    critical: number;
    warning: number;
    info: number;
  };
};

export type FindingDetail = {
  id: string;
  /** Id of the rule, such as `inconclusive-ignored`; docs/findings.md lists them. */
  rule: string;
  ruleName: string;
  severity: FindingSeverity;
  title: string;
  state: FindingState;
  about: "rollout" | "cluster" | "source" | "controller";
  /** The rollout; for a cluster, a source or a controller, its cluster, kind and name, which may be empty. */
  target: RolloutRef;
  since: Timestamp;
  foundAt: Timestamp;
  closedAt: Timestamp | null;
  closedWhy: string | null;
  acknowledged: {
    who: string;
    at: Timestamp;
    reason: string;
  } | null;
  evidence: FindingEvidence[];
  advice: string;
  /** The version that it is about. */
  revisionKey: string | null;
  /** The analysis run that it is about. */
  runUid: string | null;
  /** The condition of the rule, and why it matters. */
  explanation: string;
  /** The release of `revisionKey`, its newest attempt; null if none is recorded. */
  release: {
    id: string;
    revision: number | null;
    /** Pod hash of the revision. */
    runKey: string;
    attempt: number;
    images: string[];
  } | null;
  mayAcknowledge: boolean;
};

export type FindingEvidence = {
  label: string;
  value: string;
  at: Timestamp | null;
  link: {
    to: "run";
    uid: string;
  } | {
    to: "experiment";
    uid: string;
  } | {
    to: "audit";
    seq: string;
  } | {
    to: "source";
    id: string;
  } | {
    to: "controller";
    id: string;
  } | null;
};

export type FindingSeverity = "info" | "warning" | "critical";

export type FindingState = "open" | "acknowledged" | "closed";

export type Follows = {
  /** Such as `Then 70 % → wait 10 s → 100 %, no further analysis.` */
  text: string;
  /** All steps in order; the sentence shortens the middle of a long plan. */
  parts: Array<{
    kind: "weight" | "pause" | "gate" | "analysis" | "experiment" | "other" | "promotion" | "switch" | "scaleDown";
    text: string;
    /** Counted from 1; null if it is not a step. */
    step: number | null;
  }>;
};

export type Freeze = {
  id: string;
  reason: string;
  scope: RightScope;
  startsAt: Timestamp;
  endsAt: Timestamp;
  /** Advancing actions are refused now; false before it starts. */
  inForce: boolean;
  madeBy: string;
  /** You may extend it, and end it early. */
  mayEnd: boolean;
};

export type FreezeChange = {
  reason: RequiredReason;
  /** The new end, later than the present one and at most 31 days from now; without it, the freeze ends now. */
  endsAt?: string;
};

export type FreezeRequest = {
  reason: RequiredReason;
  /** By default all. */
  clusters?: string[];
  /** By default all. */
  namespaces?: string[];
  /** By default all. */
  rollouts?: string[];
  /** By default now. */
  startsAt?: string;
  /** At most 31 days from now. */
  endsAt: string;
};

export type Gap = {
  afterSeq: number;
  count: number;
  /** How many is not known, as for a run that disappeared unobserved: the count is a minimum and may be 0. */
  open?: boolean;
};

export type GroupActionName = "continue" | "accept-step" | "measure-again" | "promote-full" | "unpause" | "retry" | "approve" | "unsuspend" | "pause" | "abort" | "hold" | "suspend" | "rollback";

export type GroupPlan = {
  /** In the order of the request; those that you may not read are left out. */
  items: PlannedMember[];
};

export type GroupPlanRequest = {
  /** Without it, only the actions that each rollout allows. */
  action?: GroupActionName;
  members: RolloutPath[];
};

export type HeldObject = {
  /** The source's id. */
  source: string;
  uid: string;
  namespace: string | null;
  /** Null if nothing is stored about it. */
  name: string | null;
};

export type HookCredential = {
  /** The user of Basic authentication. */
  id: string;
  name: string;
  cluster: string;
  /** flagger: gates and events of canaries; kubernetes-audit: the API server's audit events. */
  purpose: HookPurpose;
  /** Patterns of the namespaces whose canaries it may ask for. */
  namespaces: string[];
  createdBy: string;
  createdAt: Timestamp;
  expiresAt: Timestamp | null;
  revokedAt: Timestamp | null;
  lastUsedAt: Timestamp | null;
};

export type HookPurpose = "flagger" | "kubernetes-audit";

export type InboxAnswer = {
  kind: "acknowledged" | "aborted";
  /** Null for an abort by an unknown client. */
  who: string | null;
  at: Timestamp;
  reason: string | null;
};

export type InboxItem = {
  rollout: RolloutSummary;
  /** Null while it still waits for an answer. */
  answer: InboxAnswer | null;
  mayAcknowledge: boolean;
  /** The reason for the wait, in words. */
  sentence: string;
  /** The oldest of its critical findings that are not acknowledged. */
  finding: {
    id: string;
    rule: string;
    /** The rule in few words; null for one that this version does not have. */
    badge: string | null;
    title: string;
  } | null;
  /** The controller's next step without a person; null if it waits for one. */
  ownAct: OwnAct | null;
  /** The rest of the plan after the current step; null without an update. */
  follows: string | null;
  actions: AllowedAction[];
  /** Metrics of the deciding run, worst first; at most six. */
  evidence: MetricEvidence[];
  measuringAgain: MeasuringAgain | null;
  handling: WaitHandling;
  /** Those of the rollout. */
  links: Link[];
};

export type InvalidParam = {
  name: string;
  reason: string;
  /** Where in a text the problem is; both count from 1. */
  position?: {
    line: number;
    column: number;
  };
};

export type KnownSubject = {
  kind: "person" | "robot" | "token";
  name: string;
  username: string;
  subject: string;
  groups: string[];
  /** Id of the token; null for people and robots. */
  token: string | null;
  lastSeenAt: Timestamp | null;
};

export type LeftOut = {
  metric: string;
  /** Measurements that were left out. */
  count: number;
  /** The number of these that are not Successful. */
  unsuccessful: number;
};

export type Link = {
  name: string;
  /** An http or https address. */
  href: string;
  /** annotation: from the object in the cluster, so anyone who may change it chose the address. */
  source: "config" | "annotation";
};

export type LinkTemplate = {
  name: string;
  /** With placeholders, such as https://grafana.example.com/d/{name}?from={fromMs}. */
  url: string;
  clusters: string[];
  namespaces: string[];
  /** By default all. */
  kinds?: string[];
  on: Array<"rollout" | "release" | "run" | "metric">;
};

export type LinkTemplates = {
  /** Those in force. */
  items: LinkTemplate[];
  /** file: the config sets this, so it can only be changed there, and the stored value does not count. */
  source: "file" | "interface";
  changedBy: string | null;
  /** Of the stored value; null if it was never set. */
  changedAt: Timestamp | null;
};

export type LinkTemplatesChange = {
  /** All of them: they replace the present ones. */
  items: Array<{
    name: string;
    /** With placeholders, such as https://grafana.example.com/d/{name}?from={fromMs}. */
    url: string;
    clusters?: string[];
    namespaces?: string[];
    /** By default all. */
    kinds?: string[];
    on: Array<"rollout" | "release" | "run" | "metric">;
  }>;
  /** As it was read. Refused if the value was changed since. */
  changedAt: Timestamp | null;
};

export type LintAnswer = {
  /** At most 200. */
  problems: TemplateProblem[];
  /** How many problems are left out. */
  moreProblems: number;
  /** Null if the text cannot be read as a template. */
  metrics: Array<{
    name: string;
    provider: string | null;
    successCondition: string | null;
    failureCondition: string | null;
  }> | null;
  /** At most 50, of 1 MB. Null if no rollout was given, or the template cannot be read. */
  runs: Array<{
    /** Where the rollout names the template, such as `step 3`. Places that give the same run are one. */
    where: string;
    /** The spec of the run; null if the controller would refuse it. */
    spec: unknown;
    /** The rollout's analysisRunMetadata for the run; null without any. */
    metadata: {
      labels: Record<string, string>;
      annotations: Record<string, string>;
    } | null;
    /** Upstream's text. It begins with `InvalidSpec: ` if the rollout itself becomes invalid. */
    error: string | null;
  }> | null;
  /** How many places beyond those of `runs` may give other runs. */
  moreRuns: number;
};

export type LintRequest = {
  /** YAML of an AnalysisTemplate or a ClusterAnalysisTemplate, or of its spec. */
  source: string;
  /** Previews the runs that this rollout would create with it: cluster/namespace/Kind/name. */
  rollout?: string;
};

export type LogContainer = {
  name: string;
  role: "container" | "init" | "sidecar";
  state: "waiting" | "running" | "terminated" | "unknown";
  /** Why it waits or ended, such as `CrashLoopBackOff`; may be empty. */
  reason: string;
  restarts: number;
  /** Of the current instance. */
  startedAt: Timestamp | null;
  /** The instance before the last restart may still have a log. */
  hasPrevious: boolean;
};

export type LogPod = {
  name: string;
  uid: string;
  phase: string;
  reason: string;
  createdAt: Timestamp | null;
  /** Those that it was made for first, then sidecars and init containers. */
  containers: LogContainer[];
};

export type LogRecord = {
  type: "line";
  pod: string;
  /** RFC 3339 with nanoseconds, by the container runtime; null if it gave none. */
  at: string | null;
  /** As the container wrote it: it may contain control characters. */
  text: string;
  /** Length of the text cut from the end of a long line. */
  droppedBytes?: number;
} | {
  type: "problem";
  pod: string;
  /** Why this pod's log could not be read, or ended early. */
  text: string;
} | {
  type: "idle";
} | {
  type: "end";
  reason: "complete" | "lines" | "bytes" | "time" | "signed-out";
  text: string;
};

export type LogVersion = {
  /** new: the version being rolled out; stable: the version that it is compared with. */
  side: "new" | "stable" | "other";
  owner: {
    kind: "ReplicaSet" | "Deployment" | "DaemonSet" | "Job";
    name: string;
  };
  revision: number | null;
  images: string[];
  /** The Experiment of the current version that runs it, and its name there; null for the rollout's own. */
  experiment: {
    uid: string;
    name: string;
    template: string;
  } | null;
  /** The analysis run that measured by this Job; null for what runs a version. */
  run: {
    uid: string;
    name: string;
  } | null;
  pods: LogPod[];
  /** Why its pods could not be read, in a sentence. */
  problem: string | null;
};

export type Me = {
  name: string;
  subject: string;
  issuer: string;
  role: Role;
  /** The name that role bindings know; a token's is its owner's when it was created. */
  username: string;
  /** A token's are its owner's when it was created. */
  groups: string[];
  /** The teams of the config that may own something you may read. */
  teams: Array<{
    name: string;
    /** You are in one of its groups. It gives no rights. */
    isMine: boolean;
  }>;
  /** The sets of the config in whose scope you may read something, by name. */
  sets: string[];
  /** For each cluster that you see. */
  clusterIdentities: NamedClusterIdentity[];
  /** What you may do, and where; a token never exceeds its own role. */
  grants: MyGrant[];
  token: {
    id: string;
    name: string;
  } | null;
  session: {
    id: string;
    idleExpiresAt: Timestamp;
    absoluteExpiresAt: Timestamp;
  } | null;
  demo: boolean;
  /** A demo in which an admin can play faults. */
  faults: boolean;
};

export type Measurement = {
  metric: string;
  /** Counts finished measurements of the metric from 1. */
  seq: number;
  startedAt: Timestamp;
  finishedAt: Timestamp | null;
  /** By the cluster's clock; null if it has no end or the end is before the start. */
  durationSeconds: number | null;
  phase: AnalysisPhase;
  /** The text as received; null if the measurement has none. */
  value: string | null;
  parsed: ParsedValue;
  message: string;
  /** The controller retook it: another measurement with the same seq counts instead. Both are kept. */
  superseded: boolean;
  /** Why it has its phase, with the numbers compared; absent if that takes too long to compute. */
  explanation?: string;
  /** Notes of the metric's source, often the reason; absent without any, and with points. Redacted; at most 64 texts with 16 Ki characters. A text that was cut ends with a note, and `…` says how many were left out. */
  metadata?: Record<string, string>;
};

export type MeasurementList = {
  items: Measurement[];
  nextCursor: string | null;
  /** With points: the metrics with measurements left out. With `since`, only new ones are counted. */
  leftOut?: LeftOut[];
  /** With points: the position for `since`; null if the run has too many metrics for one. */
  latest?: string | null;
};

export type MeasuringAgain = {
  runUid: string;
  since: Timestamp;
};

export type MetricEvidence = {
  runUid: string;
  metric: string;
  phase: AnalysisPhase;
  values: Array<number | null>;
  /** The newest value as recorded. */
  last: string | null;
  /** Of the values and thresholds, as of the run's metric. */
  unit: string | null;
  /** The phase of the newest finished measurement; null without one, or if it was not recorded. */
  lastPhase: AnalysisPhase | null;
  /** Notes of the source about the newest value, each text cut; absent without any. */
  metadata?: Record<string, string>;
  condition: string | null;
  /** When a value passes: `≥ 400`, or `≥ 95 %` of a ratio, else the condition; null if none is set. */
  pass: string | null;
  /** When a value fails, likewise. */
  fail: string | null;
  /** The threshold lines of the pass and fail conditions. */
  thresholds: Array<{
    condition: "success" | "failure";
    value: number;
    inclusive: boolean;
    /** On which side of the line the condition is true. */
    region: "above" | "below" | "at" | "other";
  }>;
  /** The limit that decided the metric's phase, as written in its rules. */
  limit: {
    what: "inconclusive" | "failed" | "errors in a row";
    used: number;
    limit: string;
  } | null;
  /** Such as `3 of 5 measurements were inconclusive (2 allowed)`. */
  summary: string;
};

export type MetricFigures = {
  cluster: string;
  /** Null: made from no template, or it was not recorded. */
  template: {
    id: string;
    cluster: string;
    namespace: string | null;
    kind: string;
    name: string;
  } | null;
  metric: string;
  /** Of its values, as of a run's metric; null if it is not certain, or not the same in all runs. */
  unit: string | null;
  runs: number;
  successful: number;
  failed: number;
  inconclusive: number;
  error: number;
  /** Waits for a person that it caused. */
  waits: {
    runs: number;
    seconds: number;
  };
  overrides: OverrideCounts;
  /** All that were taken, errors included. */
  measurements: number;
  inconclusiveMeasurements: number;
  errorMeasurements: number;
  nans: {
    runs: number;
    measurements: number;
    /** Measurements of the runs in which NaN was counted. */
    of: number;
    /** Their measurements were deleted, or are not counted yet. */
    unknownRuns: number;
  };
  /** Distance of the values from the nearest limit, in the metric's own unit; null without a numeric limit. */
  margin: {
    runs: number;
    /** The median, over the runs, of a run's median distance. */
    median: number;
    /** The 10th percentile, over the runs, of a run's 10th percentile. */
    low: number;
  } | null;
};

export type MomentMetric = {
  name: string;
  measurements: number;
  successful: number;
  failed: number;
  inconclusive: number;
  error: number;
  /** The newest measurement that had ended. */
  last: {
    value: string | null;
    phase: AnalysisPhase;
    at: Timestamp;
  } | null;
  /** Of its values, as of the run's metric. */
  unit: string | null;
};

export type MyGrant = {
  role: Role;
  scope: RightScope;
  /** Patterns of actions; none for a viewer. */
  actions: string[];
  /** May override a freeze, with a reason and a fresh sign-in; never for a token. */
  breakGlass: boolean;
  /** binding: a role binding names the person or robot; account: a demo account; token: bindings name the token, and the grant is the overlap with its owner's rights. */
  through: "binding" | "account" | "token";
  /** Which of these actions require another person's approval first. */
  secondPerson: Array<{
    rule: string;
    actions: ActionName[];
    /** The part of the grant's scope in which the rule holds. */
    scope: RightScope;
    expireMinutes: number;
    /** Who must approve, such as "a second person" or "2 other people from sre". */
    approvers: string;
  }>;
};

export type NamedClusterIdentity = {
  /** groups: the rights of your groups there; user: those of your own user there, with your groups; serviceAccount: those of Gatehouse's own account. */
  mode: "groups" | "user" | "serviceAccount";
  /** Your name in the cluster's log, or the account's; null without one, or if the account's name is still unknown. */
  username: string | null;
  groups: string[];
  /** Why you cannot act there, in a sentence. */
  problem: string | null;
  cluster: string;
  access: "read" | "act";
};

export type NoEffectWhy = "awaited" | "superseded" | "given-up";

export type NotifiableEventItem = {
  id: string;
  kind: "waiting" | "inconclusive" | "promotion-failing" | "wait-ended" | "finding-opened" | "finding-worsened" | "finding-closed" | "action";
  severity: "info" | "warning" | "critical";
  cluster: string;
  namespace: string;
  kindOfObject: string | null;
  name: string;
  title: string;
  sentence: string;
  /** Where the evidence is in the user interface. */
  path: string;
  /** When it happened or was found. */
  at: Timestamp;
  /** When Gatehouse stored it; later than `at` after downtime. */
  queuedAt: Timestamp;
};

export type NotificationChannel = {
  name: string;
  type: "slack" | "webhook" | "email" | "pagerduty" | "alertmanager" | "teams" | "deployments" | "cdevents";
  /** The routes of the config that lead to it. */
  routes: string[];
  lastSuccessAt: Timestamp | null;
  lastErrorAt: Timestamp | null;
  /** Null if the newest message that was tried was sent. */
  lastError: string | null;
  /** Messages and events that are not sent yet. */
  waiting: number;
  /** Messages that were given up. */
  failed: number;
  /** The newest test message, and what came back. */
  test: {
    state: NotificationState;
    at: Timestamp;
    answer: string | null;
  } | null;
};

export type NotificationChannels = {
  items: NotificationChannel[];
};

export type NotificationItem = {
  /** The id that the message carries to its receiver, with each repeat. */
  id: string;
  channel: string;
  channelType: "slack" | "webhook" | "email" | "pagerduty" | "alertmanager" | "teams" | "deployments" | "cdevents";
  /** trigger, acknowledge, resolve: to PagerDuty and Alertmanager, about something until it is over; resolve, to Slack: changes an earlier message; refresh: keeps all open alerts of Alertmanager open. */
  shape: "single" | "group" | "digest" | "test" | "trigger" | "acknowledge" | "resolve" | "refresh";
  severity: "info" | "warning" | "critical";
  title: string;
  /** How many events it is about. */
  events: number;
  /** The evidence of its most recent event in the user interface. */
  path: string | null;
  routes: string[];
  state: NotificationState;
  attempts: number;
  createdAt: Timestamp;
  /** Null once it was sent or given up. */
  nextAttemptAt: Timestamp | null;
  /** Why the newest try failed. Of a message that was sent: what came back, if that says more. */
  lastError: string | null;
  sentAt: Timestamp | null;
};

export type NotificationSetting = {
  /** No secret: only where each one is. */
  channels: ChannelSetting[];
  routes: RouteSetting[];
  /** What channels made in the interface may use: `notifications.allow` of the config file. */
  allow: string[];
  /** Stored channels, by name, that are not in force because the config file does not allow what they use. */
  unusable: InvalidParam[];
  /** file: the config sets this, so it can only be changed there, and the stored value does not count. */
  source: "file" | "interface";
  changedBy: string | null;
  /** Of the stored value; null if it was never set. */
  changedAt: Timestamp | null;
};

export type NotificationSettingChange = {
  /** All of them: they replace the present ones. */
  channels: Array<{
    name: string;
    type: "slack";
    /** Where the secret is: file:PATH or env:NAME. */
    webhookUrl?: string;
    /** Where the secret is: file:PATH or env:NAME. */
    token?: string;
    /** Which a token posts to. */
    channel?: string;
    apiUrl?: string;
  } | {
    name: string;
    type: "webhook";
    /** An address, or where it is stored. */
    url: string;
    /** Where the secret is: file:PATH or env:NAME. */
    signingSecret: string;
    /** Where the secret is: file:PATH or env:NAME. */
    token?: string;
    /** Only in the config file. */
    caFile?: string;
  } | {
    name: string;
    type: "pagerduty";
    /** Where the secret is: file:PATH or env:NAME. */
    routingKey: string;
    /** Of the service region. */
    apiUrl?: string;
  } | {
    name: string;
    type: "alertmanager";
    /** The address before /api/v2/alerts, or where it is stored. */
    url: string;
    /** Where the secret is: file:PATH or env:NAME. */
    token?: string;
    /** Only in the config file. */
    caFile?: string;
  } | {
    name: string;
    type: "teams";
    /** Where the secret is: file:PATH or env:NAME. */
    webhookUrl: string;
  } | {
    name: string;
    type: "deployments";
    provider: "github" | "gitlab";
    /** Where the secret is: file:PATH or env:NAME. */
    token: string;
    /** Of your own server. */
    apiUrl?: string;
    /** Patterns of the only repositories that it reports to. */
    repositories: string[];
    /** The annotation that names the repository. */
    repository?: string;
    /** The annotation that names the commit. */
    commit?: string;
    /** May have {cluster}, {namespace}, {kind} and {name}. */
    environment?: string;
    /** Its own scope: no route leads here. */
    clusters?: string[];
    /** Its own scope: no route leads here. */
    namespaces?: string[];
    /** Its own scope: no route leads here. */
    rollouts?: string[];
    /** Only in the config file. */
    caFile?: string;
  } | {
    name: string;
    type: "cdevents";
    /** An address, or where it is stored. */
    url: string;
    /** Where the secret is: file:PATH or env:NAME. */
    signingSecret: string;
    /** Where the secret is: file:PATH or env:NAME. */
    token?: string;
    /** May have {cluster}, {namespace}, {kind} and {name}. */
    environment?: string;
    /** Its own scope: no route leads here. */
    clusters?: string[];
    /** Its own scope: no route leads here. */
    namespaces?: string[];
    /** Its own scope: no route leads here. */
    rollouts?: string[];
    /** Only in the config file. */
    caFile?: string;
  } | {
    name: string;
    type: "email";
    host: string;
    port?: number;
    security?: "starttls" | "tls" | "none";
    from: string;
    to: string[];
    user?: string;
    /** Where the secret is: file:PATH or env:NAME. */
    password?: string;
    /** Only in the config file. */
    caFile?: string;
  }>;
  /** All of them: they replace the present ones. */
  routes: Array<{
    name: string;
    clusters?: string[];
    namespaces?: string[];
    rollouts?: string[];
    events?: Array<"waiting" | "inconclusive" | "promotion-failing" | "wait-ended" | "finding-opened" | "finding-worsened" | "finding-closed" | "action">;
    minSeverity?: "info" | "warning" | "critical";
    /** Names of channels. */
    to: string[];
    /** Times of day, such as 22:00. Critical events are sent anyway. */
    quietHours?: {
      start: string;
      end: string;
      timeZone?: string;
    };
  }>;
  /** As it was read. Refused if the value was changed since. */
  changedAt: Timestamp | null;
};

/** failed: given up until it is retried; suppressed: the config no longer has its channel, or its matter was over before it was sent. */
export type NotificationState = "queued" | "sending" | "sent" | "failed" | "suppressed";

/** Findings that are open and not acknowledged. */
export type OpenFindings = {
  open: number;
  worst: "info" | "warning" | "critical" | null;
  /** The rule of the oldest critical one in few words; only in lists and on a release. */
  badge?: string;
};

export type OverrideCounts = {
  runs: number;
  /** Fully promoted, and not undone within 24 h. */
  stayed: number;
  undone: number;
  aborted: number;
  /** Superseded, or the end is not known. */
  other: number;
};

export type OwnAct = {
  /** Such as `Continues by itself with step 5 of 6`. */
  text: string;
  /** When it is due; may have passed, since controllers act a little later. */
  at: Timestamp;
};

export type ParsedValue = {
  kind: "number" | "nan" | "+inf" | "-inf" | "array" | "object" | "string" | "empty" | "unparsable";
  number?: number;
};

export type PauseCondition = {
  reason: string;
  startTime: Timestamp | null;
};

export type PermissionAnswer = {
  at: Timestamp;
  subject: {
    kind: "person" | "robot" | "token";
    name: string;
    username: string;
    subject: string;
    groups: string[];
    /** Where the groups are from. */
    groupsFrom: "question" | "session" | "token" | "none";
    /** Gatehouse has a session or a token of the person. */
    seen: boolean;
  };
  /** Their strongest role; null if no binding grants anything: they may not sign in. */
  role: Role | null;
  grants: Array<{
    /** Null for a demo account. */
    path: string | null;
    through: "own" | "token" | "account";
    role: Role;
    scope: RightScope;
    actions: string[];
    breakGlass: boolean;
  }>;
  place: {
    cluster: string;
    namespace: string;
    kind: string | null;
    name: string | null;
    access: "read" | "act" | "unnamed";
  } | null;
  reads: {
    verdict: "yes" | "no";
    because: PermissionReason[];
  } | null;
  /** Empty without a place. */
  actions: ActionPermission[];
  /** As whom the cluster would see them; null without a place. */
  identity: ClusterIdentity | null;
};

export type PermissionReason = {
  kind: "gives" | "lacks" | "reason" | "second-person" | "freeze" | "state";
  text: string;
  path: string | null;
};

export type PermissionVerdict = "yes" | "approval" | "break-glass" | "break-glass-and-approval" | "no";

export type PhaseVerdict = {
  phase: "Pending" | "Running" | "Successful" | "Failed" | "Error" | "Inconclusive";
  message?: string;
};

export type PlannedMember = {
  rollout: {
    /** cluster/namespace/Kind/name */
    id: string;
    cluster: string;
    namespace: string;
    kind: RolloutKind;
    name: string;
  };
  viewDigest: string;
  uid: string;
  revisionKey: string;
  /** Why it needs attention; null if it does not. */
  sentence: string | null;
  /** The metric of the deciding run that is worst. */
  evidence: MetricEvidence | null;
  /** The actions that are allowed now. */
  allowed: GroupActionName[];
  /** The action that was asked about, from the recorded state; null if none was, or it has no such action. */
  plan: {
    action: ActionName;
    /** The button's words, such as `Accept and continue`. */
    label: string;
    /** Protective actions work even when a source is stale and take at most two clicks. */
    protective: boolean;
    allowed: boolean;
    reasonCode?: string;
    /** Why it is not allowed, in a sentence. */
    reason?: string;
    /** The effect, in a sentence with numbers. */
    effect?: string;
    /** The results that it overrides: a run, an analysis. */
    waives?: string;
    /** What else to know before the click. */
    warnings?: string[];
    /** Indices of the pauses that the controller may pass because of it; send them back with the request. */
    passesPauses?: number[];
    /** Identifies the desired version of the workload; send it back with the request. */
    targetVersion?: string;
    needs: ActionNeeds;
    /** The cluster's answer about your rights there; absent if it was not asked. */
    clusterAccess?: "allowed" | "denied" | "unknown";
  } | null;
};

export type PlayFaultRequest = {
  fault: string;
  /** Plural name of a resource, such as `rollouts`; default: all. */
  resource?: string;
  /** Default: requests everywhere. */
  namespace?: string;
  /** Default: every verb. */
  verb?: string;
  /** One of the fault's variants; default: the first. */
  how?: string;
  /** Only for `skew`: how far ahead the clock is. */
  offsetSeconds?: number;
  /** Default: until it is ended. */
  seconds?: number;
};

export type PointInTime = string;

export type PolicyCounts = {
  /** Actions that it refused. */
  refused: number;
  /** Actions in spite of a freeze; null for other policies. */
  broken: number | null;
  /** Approvals that were requested; null unless it asks for two people. */
  requested: number | null;
  approved: number | null;
  /** Actions that it would have refused, or required more of, while it was observed. */
  observed: number;
};

export type PolicyReplay = {
  since: Timestamp;
  until: Timestamp;
  /** False if the log has more entries in that time than were read. */
  complete: boolean;
  /** Actions that were let through. */
  actions: number;
  rules: ReplayedRule[];
  /** The refusals of that time, replayed with the policies that were in force then. */
  check: {
    /** Refusals by a policy that name the policies that judged them. */
    refusals: number;
    reproduced: number;
    /** The entries that were not reproduced, newest first, at most 20. */
    others: number[];
    /** Refusals by policies that are not kept. */
    unknown: number;
    /** Since when the policies are kept; null if they are not yet. */
    knownSince: Timestamp | null;
  };
};

export type PolicyReplayRequest = {
  /** The place of a rule in the config in force, such as policies.freezes[0]. */
  rule?: string;
  /** Rules as they would be below `policies` in the config, at most 10. Either this or `rule`. */
  yaml?: string;
  days?: 30 | 90;
};

export type Problem = {
  type: string;
  title: string;
  status: number;
  code: "invalid_request" | "reason_required" | "unauthenticated" | "forbidden" | "reauthentication_required" | "cluster_refused" | "not_found" | "method_not_allowed" | "stale_view" | "not_allowed_now" | "source_stale" | "frozen" | "barrier" | "second_person_required" | "ticket_refused" | "conflict" | "read_only" | "config_error" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "audit_unavailable" | "unavailable";
  detail: string;
  requestId: string;
  invalidParams?: InvalidParam[];
  actionId?: string;
  /** stale_view: the differences between seen and now. */
  changes?: ViewChange[] | null;
  /** stale_view: the rollout as it is now. */
  current?: unknown;
};

export type ProposalRequest = {
  action: ActionName;
  /** undo: absent or 0 for the revision before the current one. */
  toRevision?: number;
  /** set-image: a container's name, or `*` for all containers. */
  container?: string;
  /** set-image: the image reference. */
  image?: string;
  /** restart: pods created before this moment; absent for now. */
  at?: string;
  reason: RequiredReason;
  expect: Expectation;
};

/** A share, with the numbers behind it. */
export type Rate = {
  count: number;
  of: number;
  /** From 0 to 1; null if there is nothing to count. */
  rate: number | null;
  /** Bounds of the 95 % Wilson score interval. */
  low: number | null;
  high: number | null;
};

export type Release = {
  id: string;
  rollout: {
    id: string;
    cluster: string;
    namespace: string;
    kind: string;
    name: string;
  };
  /** The team of the config that owns it; null if none does. */
  team: string | null;
  /** Pod hash of the revision. */
  runKey: string;
  revision: number | null;
  attempt: number;
  state: "progressing" | "paused" | "promoted" | "aborted" | "superseded" | "unknown";
  /** Why it waits for a person; null if it does not. */
  waitsFor: "inconclusive" | "pause" | "blueGreenPromotion" | "gate" | "degraded" | "finding" | null;
  /** Why it waits, in one sentence, as in the inbox; null unless a person's decision lets it continue. */
  sentence: string | null;
  message: string;
  findings: OpenFindings;
  images: string[];
  startedAt: Timestamp;
  endedAt: Timestamp | null;
  runs: {
    total: number;
    byPhase: Record<string, number>;
    /** Those of `byPhase` whose recorded measurements contradict the phase. */
    contradicted: Record<string, number>;
  };
  /** What people and other clients did to it, matched by revision and time; only entries you may read. */
  acts: {
    total: number;
    /** Newest first, at most ten: overrides, then the newest. */
    latest: ReleaseAct[];
  };
  links: Link[];
};

export type ReleaseAct = {
  /** The audit entry. */
  seq: number;
  /** The entry's time, UTC; for changes made outside Gatehouse, the time of observation. */
  time: string;
  action: string;
  /** Who requested it, even if the recorder found out the outcome. */
  actor: AuditActor;
  /** cluster: done outside Gatehouse. */
  source: "gatehouse" | "cluster" | "system";
  /** Such as `oncall`, `kubectl, outside Gatehouse`, or `client unknown, outside Gatehouse`: never guessed. */
  who: string;
  /** Such as `aborted it at 50 %`. */
  did: string;
  reason: string | null;
  outcome: AuditOutcome | null;
  effect: {
    state: string;
    seconds: number | null;
    why: string | null;
  } | null;
};

export type ReleaseBase = {
  runKey: string;
  revision: number | null;
  /** Null if they are not known. */
  images: string[] | null;
  /** The release that made it stable; null if it was not recorded. */
  releaseId: string | null;
};

export type ReleaseCourse = {
  release: Release;
  /** Null for the first release, and if it is not known. */
  base: ReleaseBase | null;
  templates: {
    /** Redacted, without the label that names its hash; null if it was not recorded. */
    base: Record<string, unknown> | null;
    /** Redacted, without the label that names its hash; null if it was not recorded. */
    release: Record<string, unknown> | null;
    /** If a template is missing: since when the templates of the rollout's workload are recorded. Null if they are not, or if no template is missing. */
    since: Timestamp | null;
  };
  from: Timestamp;
  /** Null while it is under way. */
  to: Timestamp | null;
  /** Oldest first, at most 2,000. */
  moments: CourseMoment[];
  /** There are more moments than are listed. */
  isCut: boolean;
  /** Empty if they are not known. */
  steps: Array<{
    index: number;
    kind: "setWeight" | "pause" | "analysis" | "experiment" | "setCanaryScale" | "setHeaderRoute" | "setMirrorRoute" | "plugin" | "unknown";
    /** In the words of `kubectl argo rollouts`, such as `setWeight: 20`. */
    text: string;
    /** The answer of the step's plugin; empty for other kinds, and before it was called. */
    pluginStatuses: StepPluginStatus[];
  }>;
  /** Seconds. The activities add up to the total. */
  time: {
    total: number;
    activities: {
      progressing: number;
      analysing: number;
      pausing: number;
      waiting: number;
      held: number;
    };
    /** Of the time that it waited or was held: while a freeze of a person, or a freeze window of the config, was in force. */
    frozen: number;
  };
  /** From then on, freeze windows count as the config of the time had them; before, as the current one has them. Null: all as the current one has them. */
  policiesKnownFrom: Timestamp | null;
  /** Its analyses, without those of Experiments, oldest first, at most 200. */
  runs: ReleaseRun[];
  /** Oldest first, at most 20. */
  experiments: ReleaseExperiment[];
  /** What people and other clients did, oldest first, at most 100. */
  acts: ReleaseAct[];
  findings: Array<{
    id: string;
    severity: FindingSeverity;
    title: string;
    since: Timestamp;
    closedAt: Timestamp | null;
  }>;
  /** Warnings of the cluster about its objects in its time, oldest first, at most 100. */
  warnings: Array<{
    uid: string;
    involved: {
      kind: string;
      name: string;
    };
    reason: string;
    message: string;
    count: number;
    firstAt: Timestamp;
    lastAt: Timestamp;
  }>;
  /** All attempts of its revision, oldest first. */
  attempts: Array<{
    id: string;
    attempt: number;
    state: "progressing" | "paused" | "promoted" | "aborted" | "superseded" | "unknown";
    startedAt: Timestamp;
    endedAt: Timestamp | null;
  }>;
};

export type ReleaseExperiment = {
  uid: string;
  name: string;
  phase: AnalysisPhase;
  message: string;
  createdAt: Timestamp;
  completedAt: Timestamp | null;
  /** When it was seen to be gone. */
  goneAt: Timestamp | null;
  /** The versions that it runs side by side; empty if they cannot be read. */
  templates: Array<{
    name: string;
    /** The controller's own word, such as `Progressing`; empty without one. */
    status: string;
    /** Of its containers. */
    images: string[];
  }>;
  /** Its analysis runs, oldest first. */
  runs: ReleaseRun[];
};

export type ReleaseFigures = {
  releases: number;
  promoted: number;
  aborted: number;
  superseded: number;
  /** Their end was not observed. */
  unknown: number;
  /** Under way: not part of any rate. */
  open: number;
  /** Promoted, then replaced within 24 h by a version that was promoted before. */
  undone: number;
  aborts: Rate;
  /** Releases with an Inconclusive analysis. */
  inconclusive: Rate;
  /** Aborted or undone, of those promoted or aborted. */
  changeFailure: Rate;
  /** Full promotions per recorded day; null if less than a day was recorded. */
  perDay: number | null;
  /** From the commit to the full promotion. */
  leadTime: {
    /** Releases that the two are of. */
    count: number;
    /** Null if nothing was counted. */
    median: number | null;
    /** Null if nothing was counted. */
    p90: number | null;
    /** Promoted, without a commit time. */
    unknown: number;
  };
  recovery: {
    /** Releases that the two are of. */
    count: number;
    /** Null if nothing was counted. */
    median: number | null;
    /** Null if nothing was counted. */
    p90: number | null;
    /** Failed, and nothing was fully promoted since. */
    open: number;
  };
  /** Time waiting for people, of the ended releases that waited. */
  waiting: {
    /** Releases that the two are of. */
    count: number;
    /** Null if nothing was counted. */
    median: number | null;
    /** Null if nothing was counted. */
    p90: number | null;
    /** Ended, and not known whether they waited. */
    unknown: number;
    ended: number;
    totalSeconds: number;
    /** Of the total: while a freeze of a person, or a freeze window of the current config, was in force. */
    frozenSeconds: number;
  };
};

export type ReleaseHeldRequest = {
  /** The source's id. */
  source: string;
  reason: RequiredReason;
};

export type ReleaseInsights = {
  period: {
    from: Timestamp;
    to: Timestamp;
  };
  /** Since when a rollout that is counted is known; null without one. */
  recordedSince: Timestamp | null;
  figures: ReleaseFigures;
  /** Of the period of the same length before; null if the record does not cover it. */
  before: ReleaseFigures | null;
  previous: {
    from: Timestamp;
    to: Timestamp;
  };
  /** Every day of the period, by when releases began. */
  days: Array<{
    /** As in 2026-03-01, in the time zone of the request. */
    day: string;
    from: Timestamp;
    to: Timestamp;
    promoted: number;
    aborted: number;
    superseded: number;
    unknown: number;
    open: number;
  }>;
  /** Those with the most failed releases first, then the most releases; at most 200. */
  rollouts: Array<{
    rollout: RolloutRef;
    figures: ReleaseFigures;
  }>;
  rolloutCount: number;
  /** The 24 hours of a day: releases that began to wait for a person in it, and the median of those waits. */
  hours: Array<{
    hour: number;
    releases: number;
    /** Null if nothing was counted. */
    median: number | null;
  }>;
};

export type ReleaseMoment = {
  /** The moment that is shown: within the time of the release. */
  at: Timestamp;
  /** The observation that it rests on: the newest until then. */
  observedAt: Timestamp;
  moment: CourseMoment;
  /** As of the observation; null if it was not recorded. */
  replicas: {
    desired: number;
    current: number;
    updated: number;
    ready: number;
    available: number;
  } | null;
  steps: RolloutStep[];
  /** The rest of the plan after the current step; null when no update is under way. */
  follows: Follows | null;
  /** The analyses that had begun, newest first. */
  runs: Array<{
    uid: string;
    name: string;
    type: "Step" | "Background" | "PrePromotion" | "PostPromotion" | "Experiment" | "Manual" | "Release";
    stepIndex: number | null;
    /** Running until it had ended. */
    phase: AnalysisPhase;
    metrics: MomentMetric[];
  }>;
  /** Actions that the state of the rollout allowed, without rights, policies and freshness; null if its object was not recorded. */
  actions: Array<{
    action: ActionName;
    /** The button's words, such as `Accept and continue`. */
    label: string;
    /** Protective actions work even when a source is stale and take at most two clicks. */
    protective: boolean;
    allowed: boolean;
    /** Why it is not allowed, in a sentence. */
    reason?: string;
    /** The effect, in a sentence with numbers. */
    effect?: string;
  }> | null;
  /** Unknown facts about this moment, in sentences. */
  notes: string[];
};

export type ReleaseRun = {
  uid: string;
  name: string;
  type: "Step" | "Background" | "PrePromotion" | "PostPromotion" | "Experiment" | "Manual" | "Release";
  stepIndex: number | null;
  phase: AnalysisPhase;
  message: string;
  startedAt: Timestamp | null;
  completedAt: Timestamp | null;
  /** The run that caused the rollout's current state. */
  decided: boolean;
  /** The verdict check found that the recorded measurements contradict the verdict. */
  contradiction: boolean;
};

export type ReplayedRule = {
  /** Its name; of a rule about reasons, its place. */
  rule: string;
  kind: "freeze" | "second-person" | "reason";
  /** Empty if it would have changed nothing. */
  byAction: Array<{
    action: string;
    would: "refuse" | "require a reason" | "require a ticket" | "require a second person" | "require more approvals";
    count: number;
    /** Actions of this name that were let through. */
    of: number;
  }>;
  /** From a refused action until its freeze ended or a release window opened. Null for other rules, and if no end is known. */
  waitMinutes: {
    median: number;
    /** Actions whose wait is known. */
    of: number;
  } | null;
  /** The audit entries of those actions, newest first, at most 20. */
  entries: Array<{
    seq: number;
    at: Timestamp;
    sentence: string;
    would: "refuse" | "require a reason" | "require a ticket" | "require a second person" | "require more approvals";
  }>;
};

export type RequiredReason = string;

export type RightScope = {
  clusters: string[];
  namespaces: string[];
  rollouts: string[];
};

export type Role = "viewer" | "operator" | "admin";

export type RolloutActionRequest = {
  action: ActionName;
  /** undo: absent or 0 for the revision before the current one. */
  toRevision?: number;
  /** set-image: a container's name, or `*` for all containers. */
  container?: string;
  /** set-image: the image reference. */
  image?: string;
  /** restart: pods created before this moment; absent for now. */
  at?: string;
  reason?: string;
  /** Override a freeze, or act ahead of a set; requires the break-glass right and a fresh sign-in. */
  breakGlass?: boolean;
  /** Id of a second person's approval, if a policy requires one. */
  approval?: string;
  expect: Expectation;
  /** Schedules the action for this time, at most 7 days from now, instead of doing it now. It is judged now for that time, and again at that time. */
  dueAt?: string;
  /** An agent acts by itself. Refuses all but protective actions, on exactly the view of `expect`, where a role binding has `agentsMayAct` and no rule asks for a person. Requires a token and a reason. */
  agent?: true;
};

export type RolloutCounts = {
  needs: Record<string, number>;
};

export type RolloutDetail = {
  /** cluster/namespace/Kind/name */
  id: string;
  uid: string;
  cluster: string;
  namespace: string;
  kind: RolloutKind;
  name: string;
  /** Its labels and annotations that `recording.labels` of the config names. */
  labels: Record<string, string>;
  /** The team of the config that owns it; null if none does. */
  team: string | null;
  strategy: Strategy | null;
  phase: RolloutPhase;
  /** The controller's own word, such as Flagger's WaitingPromotion; null for Argo Rollouts. */
  providerPhase: string | null;
  message: string;
  /** Completed steps. */
  step: number | null;
  stepCount: number;
  /** The step of an aborted rollout at the abort; the controller itself resets to the first step. */
  abortPoint: {
    /** Completed steps; null if not observed. */
    step: number | null;
    /** The set weight, in percent. */
    weight: number | null;
    /** Those of the aborted version; absent if its release was not recorded. */
    images?: string[];
  } | null;
  weight: Weight | null;
  images: RolloutImage[];
  attention: Attention | null;
  waitingSince: Timestamp | null;
  /** Of a healthy rollout: when its version was promoted, if that was recorded. */
  stableSince: Timestamp | null;
  findings: OpenFindings;
  /** Why it waits, in one sentence, as in the inbox; null unless a person's decision lets it continue. */
  sentence: string | null;
  viewDigest: string;
  revisionKey: string;
  revision: number | null;
  /** Whether the cluster still has it. */
  presence: "live" | "deleted" | "absent";
  access: "read" | "act";
  updatedAt: Timestamp;
  steps: RolloutStep[];
  pauseConditions: PauseCondition[];
  /** The rest of the plan after the current step; null when no update is under way. */
  follows: Follows | null;
  controllerPause: boolean;
  /** spec.paused: the rollout itself was paused. */
  paused: boolean;
  aborted: boolean;
  promoteFull: boolean;
  stableRevisionKey: string | null;
  replicas: {
    desired: number;
    current: number;
    updated: number;
    ready: number;
    available: number;
  };
  conditions: Array<{
    type: string;
    status: string;
    reason: string;
    message: string;
    at: Timestamp | null;
  }>;
  currentRuns: CurrentRun[];
  /** The analyses of its current release, newest first, at most twenty; also after an abort. */
  releaseRuns: ReleaseRun[];
  /** The evidence for a decision: the same as in the inbox and in dialogs. */
  evidence: MetricEvidence[];
  replicaSets: Array<{
    name: string;
    revision: number | null;
    podHash: string;
    tags: string[];
    images: string[];
    replicas: number;
    available: number;
    /** Its pods that the cluster has, as recorded. */
    pods: {
      total: number;
      ready: number;
      restarts: number;
    };
  }>;
  /** What spec.workloadRef refers to. */
  workload: {
    kind: string;
    name: string;
    /** Null if it is not recorded: the recorder keeps only Deployments. */
    recorded: {
      images: string[];
      desired: number;
      replicas: number;
      ready: number;
      available: number;
      presence: "live" | "deleted";
    } | null;
  } | null;
  /** The name of the Experiment that the current step runs. */
  currentExperiment: string | null;
  /** Null for other strategies. */
  blueGreen: {
    activeService: string | null;
    previewService: string | null;
    /** What makes the preview the active version: being ready, a time, or a person. */
    promotion: "immediate" | "timed" | "person";
    /** When a timed promotion that runs is due. */
    promotesAt: Timestamp | null;
    /** Null if no time is set or it has no effect. */
    autoPromotionSeconds: number | null;
    /** How long the previous version is kept after the switch. */
    scaleDownDelaySeconds: number;
  } | null;
  /** What to know now, most urgent first. */
  notices: Array<{
    severity: "info" | "attention" | "warning" | "critical";
    text: string;
    /** When the controller acts by itself; null if nothing is due. */
    deadline: Timestamp | null;
  }>;
  /** Its gates that have hooks, with who answers them; null if its controller has no gates. */
  gates: Array<{
    gate: "confirm-rollout" | "confirm-traffic-increase" | "confirm-promotion" | "rollback";
    hooks: Array<{
      name: string;
      /** Gatehouse answers it. */
      isOurs: boolean;
      host: string;
    }>;
  }> | null;
  /** Freshness of the watch that this view rests on. */
  source: {
    state: string;
    lastContact: Timestamp | null;
    fresh: boolean;
    reason: string | null;
  };
  /** Why Gatehouse refuses every action that advances it, whoever asks; null if it does not. */
  advanceRefused: {
    reasonCode: string;
    reason: string;
  } | null;
  allowedActions: AllowedAction[];
  /** Your identity on the cluster; null if the cluster is no longer in the config. */
  clusterIdentity: ClusterIdentity | null;
  firstSeenAt: Timestamp;
  /** Null if it does not wait for a person. */
  handling: WaitHandling | null;
  /** From the config and from its annotations `gatehouse.dev/link.NAME`. */
  links: Link[];
  /** The on-call link of its team, an https address; null without one. */
  onCall: string | null;
};

export type RolloutEvent = {
  uid: string;
  involved: {
    kind: string;
    name: string;
    uid: string;
  };
  /** Normal or Warning. */
  type: string;
  reason: string;
  message: string;
  /** How often it happened, by the cluster's count. */
  count: number;
  reporter: string | null;
  firstAt: Timestamp;
  lastAt: Timestamp;
};

export type RolloutGate = {
  gate: "confirm-rollout" | "confirm-traffic-increase" | "confirm-promotion" | "rollback";
  /** Whether a hook of the spec calls this gate here; null if that is not known. */
  wired: boolean | null;
  lastAskedAt: Timestamp | null;
  /** The answer to the controller. It continues (or, at `rollback`, rolls back) if the status is 200. */
  lastAnswer: {
    status: number;
    reason: string;
  } | null;
  /** The newest word on it that is still in force. */
  decision: {
    /** The action that made it. */
    id: string;
    verdict: "approve" | "hold" | "rollback";
    /** served: the controller has asked, and was answered by it. */
    state: "requested" | "served";
    timesServed: number;
    /** Percent that an approved step may reach; null at other gates. */
    upToWeight: number | null;
    actorName: string;
    reason: string;
    decidedAt: Timestamp;
    /** Null for a hold that stays until the next word. */
    expiresAt: Timestamp | null;
  } | null;
};

export type RolloutGates = {
  gates: RolloutGate[];
};

export type RolloutImage = {
  image: string;
  tags: string[];
};

export type RolloutKind = "Rollout" | "Canary";

export type RolloutLogs = {
  /** The new version first, then those of Experiments, and the Job that was asked for last. */
  versions: LogVersion[];
  /** Your name at the cluster: its rights count. */
  readAs: string;
  /** Whether the recorded versions are up to date; the pods are read from the cluster itself. */
  source: {
    fresh: boolean;
    reason: string | null;
  };
  /** The most lines that one answer has. */
  maxLines: number;
};

export type RolloutPath = {
  cluster: string;
  namespace: string;
  kind: RolloutKind;
  name: string;
};

export type RolloutPhase = "Healthy" | "Progressing" | "Paused" | "Degraded" | "Unknown";

export type RolloutPod = {
  uid: string;
  namespace: string;
  name: string;
  replicaSet: string;
  podHash: string | null;
  revision: number | null;
  /** Pending, Running, Succeeded, Failed or Unknown. */
  phase: string;
  /** Why it is unhealthy, such as `CrashLoopBackOff`. */
  reason: string | null;
  message: string;
  ready: boolean;
  containers: number;
  readyContainers: number;
  restarts: number;
  node: string | null;
  presence: "live" | "deleted";
  createdAt: Timestamp;
  startedAt: Timestamp | null;
  goneAt: Timestamp | null;
};

export type RolloutRef = {
  id: string;
  cluster: string;
  namespace: string;
  kind: string;
  name: string;
};

export type RolloutStep = {
  index: number;
  kind: "setWeight" | "pause" | "analysis" | "experiment" | "setCanaryScale" | "setHeaderRoute" | "setMirrorRoute" | "plugin" | "unknown";
  /** In the words of `kubectl argo rollouts`, such as `setWeight: 20`. */
  text: string;
  state: "done" | "current" | "pending";
  /** When a running timed pause ends. */
  endsAt: Timestamp | null;
  /** The answer of the step's plugin; empty for other kinds, and before it was called. */
  pluginStatuses: StepPluginStatus[];
};

export type RolloutSummary = {
  /** cluster/namespace/Kind/name */
  id: string;
  uid: string;
  cluster: string;
  namespace: string;
  kind: RolloutKind;
  name: string;
  /** Its labels and annotations that `recording.labels` of the config names. */
  labels: Record<string, string>;
  /** The team of the config that owns it; null if none does. */
  team: string | null;
  strategy: Strategy | null;
  phase: RolloutPhase;
  /** The controller's own word, such as Flagger's WaitingPromotion; null for Argo Rollouts. */
  providerPhase: string | null;
  message: string;
  /** Completed steps. */
  step: number | null;
  stepCount: number;
  /** The step of an aborted rollout at the abort; the controller itself resets to the first step. */
  abortPoint: {
    /** Completed steps; null if not observed. */
    step: number | null;
    /** The set weight, in percent. */
    weight: number | null;
    /** Those of the aborted version; absent if its release was not recorded. */
    images?: string[];
  } | null;
  weight: Weight | null;
  images: RolloutImage[];
  attention: Attention | null;
  waitingSince: Timestamp | null;
  /** Of a healthy rollout: when its version was promoted, if that was recorded. */
  stableSince: Timestamp | null;
  findings: OpenFindings;
  /** In lists: why it waits or needs a fix, as in the inbox; null if neither. */
  sentence?: string | null;
  viewDigest: string;
  revisionKey: string;
  revision: number | null;
  /** Whether the cluster still has it. */
  presence: "live" | "deleted" | "absent";
  access: "read" | "act";
  updatedAt: Timestamp;
};

export type RouteSetting = {
  name: string;
  clusters: string[];
  namespaces: string[];
  rollouts: string[];
  events: Array<"waiting" | "inconclusive" | "promotion-failing" | "wait-ended" | "finding-opened" | "finding-worsened" | "finding-closed" | "action">;
  minSeverity: "info" | "warning" | "critical";
  /** Names of channels. Empty, in the config file: that of the rollout's team. */
  to: string[];
  /** Times of day, such as 22:00. Critical events are sent anyway. */
  quietHours?: {
    start: string;
    end: string;
    timeZone: string;
  };
  /** Only the rollouts of this team; only in the config file. */
  team?: string;
};

export type RunMark = {
  at: Timestamp;
  /** person: an action, through Gatehouse or not; revision: a version begins. */
  kind: "step" | "pause" | "resume" | "person" | "abort" | "retry" | "revision";
  text: string;
  /** Of an action, its words, such as "aborted it" or "asked to abort it". */
  did: string | null;
  /** Of an action, its intent. */
  auditSeq: number | null;
  /** Of an action: the entry of its outcome, once there is one. */
  outcomeSeq: number | null;
};

export type RunMetric = {
  name: string;
  provider: string | null;
  phase: AnalysisPhase;
  /** What its measurements give, if that contradicts `phase`. */
  replayedPhase: AnalysisPhase | null;
  message: string;
  dryRun: boolean;
  successCondition: string | null;
  failureCondition: string | null;
  thresholds: Threshold[];
  /** Whether the thresholds express the conditions completely. */
  conditionsDrawn: boolean;
  counters: {
    count: number;
    successful: number;
    failed: number;
    inconclusive: number;
    error: number;
    consecutiveError: number;
    consecutiveSuccess: number;
  };
  limits: {
    count: string | null;
    interval: string | null;
    initialDelay: string | null;
    failureLimit: string;
    inconclusiveLimit: string;
    consecutiveErrorLimit: string;
    consecutiveSuccessLimit: string;
  };
  /** The resolved query, redacted; null if unknown. */
  query: string | null;
  /** The controller's notes about the metric, such as its resolved query. Redacted; at most 64 texts with 16 Ki characters. A text that was cut ends with a note, and `…` says how many were left out. */
  metadata: Record<string, string>;
  /** Of its values, such as `ms`: from the config, else from the query; null if not certain. `ratio` is a fraction of 1, which pages show in percent. */
  unit: string | null;
  gaps: Gap[];
  /** Counters and list disagree; measurements are sorted by startedAt. */
  inconsistent: boolean;
  /** Stored measurements, without retaken ones. */
  recorded: number;
  /** Measurements that the controller retook; they do not count. */
  takenAgain: number;
  explanation: string;
  /** With the metric's query and the time of the run. */
  links: Link[];
};

export type RunVerdict = {
  phase: "Pending" | "Running" | "Successful" | "Failed" | "Error" | "Inconclusive";
  message: string;
  metrics: Record<string, PhaseVerdict>;
  /** Counts metrics, not measurements. */
  runSummary: {
    count: number;
    successful: number;
    failed: number;
    inconclusive: number;
    error: number;
  };
  dryRunSummary: {
    count: number;
    successful: number;
    failed: number;
    inconclusive: number;
    error: number;
  };
};

export type SandboxFaults = {
  active: ActiveFault[];
  /** `none` ends active faults, in its scope or everywhere. */
  faults: string[];
  ways: Record<string, string[]>;
  verbs: string[];
};

export type SavedList = "rollouts" | "releases" | "analysis-runs" | "experiments" | "templates" | "audit";

export type SavedView = {
  id: string;
  list: SavedList;
  name: string;
  query: string;
  /** People who may read in its place see it; if its filters have words, people who may read all of that place. The rows follow from the reader's own rights. */
  shared: boolean;
  /** The display name of its owner. */
  owner: string;
  mine: boolean;
  createdAt: Timestamp;
  updatedAt: Timestamp;
};

export type SavedViewChange = {
  name?: string;
  /** Filters, order and columns as in the address of the list, without the question mark; may be empty. */
  query?: string;
  shared?: boolean;
};

export type SavedViewRequest = {
  list: SavedList;
  name: string;
  /** Filters, order and columns as in the address of the list, without the question mark; may be empty. */
  query: string;
  shared?: boolean;
};

export type ScheduledAction = {
  id: string;
  rollout: RolloutRef;
  action: ActionName;
  params: ActionParams;
  reason: string | null;
  dueAt: Timestamp;
  state: ScheduledState;
  /** Why it ended, in words; empty while it is pending. */
  message: string;
  /** Display name; not unique. */
  requestedBy: string;
  requestedByUsername: string;
  /** You requested it. */
  own: boolean;
  /** It is pending, and you may withdraw it: you requested it, or may do the action. */
  withdrawable: boolean;
  requestedAt: Timestamp;
  endedAt: Timestamp | null;
  /** The action that it became. */
  actionId: string | null;
};

export type ScheduledState = "pending" | "running" | "done" | "refused" | "superseded" | "missed" | "withdrawn";

export type SearchAnswer = {
  rollouts: {
    items: Array<{
      rollout: RolloutRef;
      phase: RolloutPhase;
      /** Whether the cluster still has it. */
      presence: "live" | "deleted" | "absent";
      images: RolloutImage[];
      attention: {
        reason: "inconclusive" | "pause" | "blueGreenPromotion" | "gate" | "degraded" | "finding";
      } | null;
      /** When it changed last. */
      at: Timestamp;
    }>;
    /** There are others, which come later in the order. */
    more: boolean;
  };
  releases: {
    items: Array<{
      rollout: RolloutRef;
      id: string;
      /** Pod hash of the revision. */
      runKey: string;
      revision: number | null;
      attempt: number;
      state: "progressing" | "paused" | "promoted" | "aborted" | "superseded" | "unknown";
      /** Why it waits for a person; null if it does not. */
      waitsFor: "inconclusive" | "pause" | "blueGreenPromotion" | "gate" | "degraded" | "finding" | null;
      images: string[];
      message: string;
      /** When it began. */
      at: Timestamp;
    }>;
    /** There are others, which come later in the order. */
    more: boolean;
  };
  runs: {
    items: Array<{
      uid: string;
      cluster: string;
      namespace: string;
      name: string;
      phase: AnalysisPhase;
      message: string;
      /** When it was created. */
      at: Timestamp;
    }>;
    /** There are others, which come later in the order. */
    more: boolean;
  };
  experiments: {
    items: Array<{
      uid: string;
      cluster: string;
      namespace: string;
      name: string;
      phase: AnalysisPhase;
      message: string;
      /** When it was created. */
      at: Timestamp;
    }>;
    /** There are others, which come later in the order. */
    more: boolean;
  };
  templates: {
    items: Array<{
      id: string;
      cluster: string;
      namespace: string | null;
      kind: string;
      name: string;
      /** When its newest version was written. */
      at: Timestamp;
    }>;
    /** There are others, which come later in the order. */
    more: boolean;
  };
  findings: {
    items: Array<{
      id: string;
      title: string;
      severity: FindingSeverity;
      state: FindingState;
      target: RolloutRef;
      /** Since when it holds. */
      at: Timestamp;
    }>;
    /** There are others, which come later in the order. */
    more: boolean;
  };
  people: {
    items: Array<{
      name: string;
      /** As the identity provider names the person; null without a name. */
      subject: string | null;
      /** When they acted last. */
      at: Timestamp;
    }>;
    /** There are others, which come later in the order. */
    more: boolean;
  };
  messages: {
    items: Array<{
      rollout: RolloutRef;
      involved: {
        kind: string;
        name: string;
      };
      type: string;
      reason: string;
      message: string;
      /** When it occurred last. */
      at: Timestamp;
    }>;
    /** There are others, which come later in the order. */
    more: boolean;
  };
  audit: {
    items: AuditItem[];
    /** There are others, which come later in the order. */
    more: boolean;
  };
  /** No word has three characters with two letters or digits: only rollouts, templates and people were searched. */
  tooShort: boolean;
};

/** none-yet: a counter that appears with its first event; not-available: the component does not say it, which is not 0; too-many: it has more labels than are kept apart. */
export type SeriesPresence = "present" | "none-yet" | "not-available" | "too-many";

export type Session = {
  id: string;
  user: {
    issuer: string;
    subject: string;
    name: string;
  };
  /** The session that asks. */
  current: boolean;
  createdAt: Timestamp;
  lastSeenAt: Timestamp;
  idleExpiresAt: Timestamp;
  absoluteExpiresAt: Timestamp;
  /** When the person last authenticated, if known. */
  authenticatedAt: Timestamp | null;
  userAgent: string | null;
  address: string | null;
};

export type SetAbort = {
  /** Name of the set in the config, which has `onAbort`. */
  set: string;
  /** The images that the aborted release changes. */
  images: string[];
  /** Their version in words, such as `v2.31.0`. */
  version: string;
  /** Where it was aborted and how many go on, in a sentence. */
  because: string;
  /** Those that still receive it and that you may see; at most 500. */
  rollouts: RolloutSummary[];
};

export type SetAborts = {
  items: SetAbort[];
};

export type SetDifferences = {
  total: number;
  /** At most 2,000, by cluster, namespace and name. */
  compared: number;
  /** At most 20; empty if no field differs. */
  fields: Array<{
    /** image: as the wanted revision writes it. steps: a digest of the strategy's steps. template: the hash of the recorded spec. argument: as declared. */
    kind: "image" | "steps" | "template" | "argument";
    /** Such as `AnalysisTemplate/success-rate`, or `threshold of success-rate`; null for image and steps. */
    name: string | null;
    /** The largest first, unknown ones last; at most 10 with a known value. */
    groups: Array<{
      /** none: these members do not have the field. unknown: not recorded or not readable, and so equal to no other. */
      state: "value" | "none" | "unknown";
      /** At most 300 characters; null unless the state is `value`. */
      value: string | null;
      count: number;
      /** More than half of the members: they are not listed. */
      isMost: boolean;
      /** At most 20. */
      rollouts: RolloutPath[];
    }>;
    moreGroups: number;
  }>;
  /** Further fields that differ. */
  moreFields: number;
  /** Further fields, beyond the first 200. */
  notCompared: number;
};

export type SetMember = {
  rollout: RolloutSummary;
  /** How far it has got with the version. inconclusive, waiting: for a person; leaving: it still runs the version, and another one replaces it; notBegun: it runs another version of the same image. */
  standing: "inconclusive" | "waiting" | "degraded" | "aborted" | "underway" | "notBegun" | "leaving" | "unknown" | "promoted";
  /** It rolls the version out, or did so last: an action on it is about this version, not about another one. */
  current: boolean;
  /** The newest analysis run of its current revision. */
  verdict: {
    runUid: string;
    name: string;
    phase: AnalysisPhase;
  } | null;
  /** Why it may not pass its pause yet: members of its set have not reached theirs. Null if it may. */
  heldBack: string | null;
};

export type SetMetrics = {
  /** How many of these rollouts have a run of this version. Items has at most 60. */
  measured: number;
  items: Array<{
    rollout: RolloutPath;
    /** How far it has got with the version. inconclusive, waiting: for a person; leaving: it still runs the version, and another one replaces it; notBegun: it runs another version of the same image. */
    standing: "inconclusive" | "waiting" | "degraded" | "aborted" | "underway" | "notBegun" | "leaving" | "unknown" | "promoted";
    /** Each metric once, of the newest run that has it. */
    metrics: MetricEvidence[];
  }>;
};

export type Snooze = {
  who: string;
  at: Timestamp;
  /** Null: until its state changes. */
  until: Timestamp | null;
  reason: string;
};

export type SnoozeRequest = {
  reason: RequiredReason;
  /** The view that you saw. */
  viewDigest: string;
  /** When it returns; null: when its state changes. */
  until: Timestamp | null;
};

export type Source = {
  id: string;
  cluster: string;
  kind: string;
  /** Null: all namespaces. */
  namespace: string | null;
  state: SourceState;
  /** The older of the two below; staleness is measured from it. */
  lastContact: Timestamp | null;
  /** The watch's last sign of life; it may be quiet for half a minute. */
  watchContact: Timestamp | null;
  /** The last read that the server could not answer from a cache. */
  readContact: Timestamp | null;
  staleAfterSeconds: number;
  /** How far the API server's clock is ahead of the recorder's; null if unknown. */
  clockSkewSeconds: number | null;
  hold: SourceHold | null;
  lastError: string | null;
  /** Null unless the caller may read everything that it watches. */
  objects: number | null;
  historyBeginsAt: Timestamp | null;
  /** False if its cluster or namespace is no longer in the config. */
  configured: boolean;
};

export type SourceHold = {
  /** empty: a list without any object; shrink: too many vanished at once. Only these do not advance. */
  reason: "empty" | "shrink";
  /** Number of held objects that the caller may read. */
  count: number;
  since: Timestamp;
  /** An admin released it; the recorder has not processed that yet. */
  releasing: boolean;
};

export type SourceState = "syncing" | "live" | "stale" | "denied" | "absent" | "suspect" | "error";

export type StepPluginStatus = {
  name: string;
  /** Run, or Terminate or Abort after that. */
  operation: string;
  /** Running, Successful, Failed or Error, as the controller writes it. */
  phase: string;
  message: string;
  /** How often the operation was executed. */
  executions: number | null;
  /** How long the controller waits before it executes it again, such as 30s. */
  backoff: string | null;
  /** The controller's config disables the plugin: its steps are passed over. */
  disabled: boolean;
  startedAt: Timestamp | null;
  updatedAt: Timestamp | null;
  finishedAt: Timestamp | null;
};

export type StorageQueue = {
  name: string;
  /** Null if it could not be read. */
  depth: number | null;
  /** There are more than were counted. */
  isAtLeast: boolean;
  problem: string | null;
};

export type StoredTable = {
  table: string;
  /** PostgreSQL's own estimate; null before its first ANALYZE. */
  rows: number | null;
  /** With indexes and TOAST, all partitions. */
  bytes: number;
  indexBytes: number;
  toastBytes: number;
  /** 0 for a table that has none. */
  partitions: number;
  oldest: Timestamp | null;
  newest: Timestamp | null;
  /** The source of oldest and newest: a column or the months of partitions; null without an index. */
  timesFrom: string | null;
  /** The configured age, such as 90d; null: rows are not deleted by age. */
  retention: string | null;
  /** Its key, such as retention.events. */
  retentionKey: string | null;
  /** Over the last week at most; null without an index. */
  rowsPerDay: number | null;
  /** rowsPerDay times the table's bytes per row. */
  bytesPerDay: number | null;
  /** What could not be read, and why. */
  problem: string | null;
};

export type Strategy = "Canary" | "BlueGreen" | "ABTesting";

export type TemplateDetail = {
  /** cluster/namespace/Kind/name, with `-` for the namespace of a ClusterAnalysisTemplate. */
  id: string;
  uid: string;
  cluster: string;
  /** Null for a ClusterAnalysisTemplate. */
  namespace: string | null;
  kind: TemplateKind;
  name: string;
  presence: "live" | "deleted" | "absent";
  /** Number of recorded specs, counted from 1. */
  version: number;
  specHash: string;
  metrics: TemplateMetric[];
  /** Rollouts of the cluster whose strategy names it. */
  usedBy: number;
  /** The field manager that wrote the current spec; null if unknown. */
  writer: string | null;
  /** When the current spec was written, by the cluster's clock. */
  writtenAt: Timestamp;
  createdAt: Timestamp;
  updatedAt: Timestamp;
  /** The current spec, redacted. */
  spec: unknown;
  args: Array<{
    name: string;
    value: string | null;
    secret: boolean;
  }>;
  /** The rollouts that `usedBy` counts; at most 200. */
  rollouts: RolloutRef[];
  /** Ids of the templates that name it; at most 200. */
  composedInto: string[];
  /** The templates that it names, as `Kind/name`. */
  composedOf: string[];
};

export type TemplateFigures = {
  cluster: string;
  /** Null: made from no template, or it was not recorded. */
  template: {
    id: string;
    cluster: string;
    namespace: string | null;
    kind: string;
    name: string;
  } | null;
  runs: number;
  successful: number;
  failed: number;
  inconclusive: number;
  error: number;
  /** Waits for a person that it caused. */
  waits: {
    runs: number;
    seconds: number;
  };
  overrides: OverrideCounts;
};

export type TemplateKind = "AnalysisTemplate" | "ClusterAnalysisTemplate" | "MetricTemplate";

export type TemplateMetric = {
  name: string;
  provider: string | null;
  interval: string | null;
  count: string | null;
  successCondition: string | null;
  failureCondition: string | null;
  failureLimit: string | null;
  inconclusiveLimit: string | null;
  consecutiveErrorLimit: string | null;
  consecutiveSuccessLimit: string | null;
  initialDelay: string | null;
};

export type TemplateProblem = {
  severity: "error" | "warning";
  text: string;
  /** Both count from 1. */
  from: {
    line: number;
    column: number;
  };
  /** After the last character. */
  to: {
    line: number;
    column: number;
  };
};

export type TemplateSummary = {
  /** cluster/namespace/Kind/name, with `-` for the namespace of a ClusterAnalysisTemplate. */
  id: string;
  uid: string;
  cluster: string;
  /** Null for a ClusterAnalysisTemplate. */
  namespace: string | null;
  kind: TemplateKind;
  name: string;
  presence: "live" | "deleted" | "absent";
  /** Number of recorded specs, counted from 1. */
  version: number;
  specHash: string;
  metrics: TemplateMetric[];
  /** Rollouts of the cluster whose strategy names it. */
  usedBy: number;
  /** The field manager that wrote the current spec; null if unknown. */
  writer: string | null;
  /** When the current spec was written, by the cluster's clock. */
  writtenAt: Timestamp;
  createdAt: Timestamp;
  updatedAt: Timestamp;
};

export type TemplateVersion = {
  /** Changes if the template is deleted and recreated. */
  templateUid: string;
  version: number;
  current: boolean;
  specHash: string;
  /** Redacted. */
  spec: unknown;
  metrics: TemplateMetric[];
  writer: string | null;
  writtenAt: Timestamp;
  observedAt: Timestamp;
  /** When the next spec was written or the template was deleted; null while current. */
  until: Timestamp | null;
};

export type Threshold = {
  condition: "success" | "failure";
  accessor: string;
  operator: "<" | "<=" | ">" | ">=" | "==" | "!=";
  value: number;
  /** The number as written in the condition. */
  text: string;
  inclusive: boolean;
  /** The side of the value on which the condition holds. */
  region: "above" | "below" | "at" | "other";
};

export type TimeZone = string;

export type TimelineEvent = {
  id: string;
  at: Timestamp;
  /** phase, step, pause, resume, abort, retry, revision, run, action, unasked (done without Gatehouse), approval (requested or decided) */
  kind: string;
  text: string;
  phase: string | null;
  runUid: string | null;
  /** Of the analysis run or object that it is about. */
  runName: string | null;
  /** Of an action, its intent. */
  auditSeq: number | null;
  /** Of an action: the entry of its outcome, once there is one. */
  outcomeSeq: number | null;
  /** Of an action: what its person gave as the reason. */
  reason: string | null;
  /** An action that was not carried out. */
  isRefused: boolean;
  /** The release that was the newest then; null before the first. */
  release: {
    id: string;
    revision: number | null;
    attempt: number;
    state: "progressing" | "paused" | "promoted" | "aborted" | "superseded" | "unknown";
    images: string[];
    startedAt: Timestamp;
  } | null;
};

export type Timestamp = string;

export type VerdictCheck = {
  /** ended-early: spec.terminate ended the run before its rules did. */
  state: "agrees" | "contradicts" | "ended-early" | "undecided";
  findings: Array<{
    /** contradiction: the rules do not give the recorded result; flag: they do, but it proves little. */
    kind: "contradiction" | "undecided" | "flag";
    rule: string;
    metric?: string;
    seq?: number;
    /** The result that the measurements give, if the recorded one differs. */
    phase?: AnalysisPhase;
    text: string;
  }>;
  checkedAt: Timestamp;
};

export type VersionSet = {
  version: string;
  /** The images that have the version, without it. */
  images: string[];
  /** Each of these images, the one with the most rollouts first. */
  imageCounts: Array<{
    image: string;
    /** How many run or receive the version of this image. */
    rollouts: number;
    /** Of all rollouts with this image, of other versions too. */
    counts: Record<string, number>;
    /** The rollout, if you may see no other one with this image. */
    only: RolloutPath | null;
  }>;
  /** Such as `v2.31.0: promoted in 31 of 40, inconclusive in 2, not begun in 7`. */
  sentence: string;
  total: number;
  counts: Record<string, number>;
  clusters: Array<{
    cluster: string;
    total: number;
    counts: Record<string, number>;
  }>;
  /** The same by the label that `recording.waveLabel` of the config names, in the order of its values (2 before 10), rollouts without it last. Null if the config names none. */
  waves: {
    label: string;
    items: Array<{
      /** The label's value; null for rollouts without the label. */
      wave: string | null;
      total: number;
      counts: Record<string, number>;
    }>;
  } | null;
};

export type ViewChange = {
  field: string;
  seen: unknown | null;
  now: unknown | null;
  /** The change in a sentence. */
  text?: string;
};

export type WaitHandling = {
  /** Null without a claim. */
  claim: Claim | null;
  mayClaim: boolean;
  /** Null while it is not snoozed. */
  snooze: Snooze | null;
  /** Null if you may not snooze it. */
  maySnooze: {
    /** The longest snooze until a time. */
    maxHours: number;
    /** Whether it may be snoozed until it changes, without a time. */
    untilChange: boolean;
  } | null;
};

export type Weight = {
  set: number | null;
  actual: number | null;
};

export type WhoMay = {
  /** Known subjects whose rights include the action, as of their last sign-in. Newest first. */
  subjects: Array<{
    kind: "person" | "robot" | "token";
    /** Display name. */
    name: string;
    username: string;
    /** Id of the token; null for people and robots. */
    token: string | null;
    /** all: in the whole place; some: in a part of it. */
    extent: "all" | "some";
    lastSeenAt: Timestamp | null;
  }>;
  /** False if more subjects are known than were looked at. */
  allKnown: boolean;
  /** Role bindings that grant it, also to people who never signed in. None apply to a demo account. */
  bindings: Array<{
    path: string;
    /** all: in the whole place; some: in a part of it. */
    extent: "all" | "some";
  }>;
  /** Rules that require another person's approval there. */
  secondPerson: Array<{
    path: string;
    name: string;
  }>;
};

/** What each operation takes and answers. */
export type Operations = {
  /** The signed-in person and their rights. Least role: viewer. */
  getMe: {
    answer: Me;
  };
  /** Configured clusters and their freshness. Least role: viewer. */
  listClusters: {
    answer: {
      items: Cluster[];
      nextCursor: string | null;
    };
  };
  /** Every source: state, last contact, last error, objects. Least role: viewer. */
  listSources: {
    answer: {
      items: Source[];
      nextCursor: string | null;
    };
  };
  /** Objects that a source holds: missing, but not marked gone. Least role: viewer. */
  listHeldObjects: {
    query?: {
      /** Items per page, 1 to 200. */
      limit?: number | undefined;
      /** The nextCursor of the previous page. */
      cursor?: string | undefined;
      /** The source's id; else all sources. */
      source?: string | undefined;
    };
    answer: {
      items: HeldObject[];
      nextCursor: string | null;
    };
  };
  /** Confirms that the held objects of a source are gone; the recorder then marks them gone at once. Least role: admin. */
  releaseHeld: {
    body: ReleaseHeldRequest;
    answer: Source;
  };
  /** Rollouts in all clusters. Least role: viewer. */
  listRollouts: {
    query?: {
      /** Items per page, 1 to 200. */
      limit?: number | undefined;
      /** The nextCursor of the previous page. */
      cursor?: string | undefined;
      cluster?: string | undefined;
      namespace?: string | undefined;
      kind?: RolloutKind | undefined;
      phase?: RolloutPhase | undefined;
      /** Why it needs attention. person: any reason that only a person's decision ends; any: any reason. */
      attention?: "any" | "person" | "inconclusive" | "pause" | "blueGreenPromotion" | "gate" | "degraded" | "finding" | undefined;
      /** What it needs. decide: a person's decision; fix: it is degraded; look: it has a finding; underway: nothing, it is in progress; other: none of these, and it is not healthy. */
      need?: "decide" | "fix" | "look" | "underway" | "other" | "healthy" | undefined;
      /** Part of an image, such as a tag, case-insensitively. */
      version?: string | undefined;
      /** Owned by this team of the config. */
      team?: string | undefined;
      /** In this set of the config. */
      set?: string | undefined;
      /** With this recorded label, such as `team=payments`; without `=`: with any value of it. */
      label?: string | undefined;
      /** Matches name or namespace, case-insensitively. */
      q?: string | undefined;
      /** The order; a minus reverses it. Without it: name. Rows without the value come last. */
      sort?: "name" | "-name" | "cluster" | "-cluster" | "need" | "-need" | "waitingSince" | "-waitingSince" | undefined;
    };
    answer: {
      items: RolloutSummary[];
      nextCursor: string | null;
    };
  };
  /** One rollout with its steps, pauses, runs and allowed actions. Least role: viewer. */
  getRollout: {
    path: RolloutPath;
    answer: RolloutDetail;
  };
  /** The live object, redacted, fetched as the user. Least role: viewer. */
  getRolloutObject: {
    path: RolloutPath;
    answer: Record<string, unknown>;
  };
  /** Releases of one rollout, newest first. Least role: viewer. */
  listRolloutReleases: {
    path: RolloutPath;
    query?: {
      /** Items per page, 1 to 200. */
      limit?: number | undefined;
      /** The nextCursor of the previous page. */
      cursor?: string | undefined;
    };
    answer: {
      items: Release[];
      nextCursor: string | null;
    };
  };
  /** Analysis runs of one rollout, live and past, newest first. Least role: viewer. */
  listRolloutRuns: {
    path: RolloutPath;
    query?: {
      /** Items per page, 1 to 200. */
      limit?: number | undefined;
      /** The nextCursor of the previous page. */
      cursor?: string | undefined;
    };
    answer: {
      items: AnalysisRunSummary[];
      nextCursor: string | null;
    };
  };
  /** Timeline of one rollout, newest first. Least role: viewer. */
  listRolloutTimeline: {
    path: RolloutPath;
    query?: {
      /** Items per page, 1 to 200. */
      limit?: number | undefined;
      /** The nextCursor of the previous page. */
      cursor?: string | undefined;
    };
    answer: {
      items: TimelineEvent[];
      nextCursor: string | null;
    };
  };
  /** Requests an action on a rollout, bound to the view that the person saw; with `dueAt`, for a later time. Least role: operator. */
  actOnRollout: {
    path: RolloutPath;
    header?: {
      "Idempotency-Key"?: string | undefined;
    };
    body: RolloutActionRequest;
    answer: ActionAccepted | ScheduledAction;
  };
  /** What an action on a rollout would do, from the live object; changes nothing. Least role: viewer. */
  planRolloutAction: {
    path: RolloutPath;
    body: ActionPlanRequest;
    answer: ActionPlanAnswer;
  };
  /** Ends an analysis run early, which lets its release through. Least role: operator. */
  actOnRun: {
    path: {
      uid: string;
    };
    header?: {
      "Idempotency-Key"?: string | undefined;
    };
    body: ActionRequest;
    answer: ActionAccepted;
  };
  /** What an action on it would do, from the live object; changes nothing. Least role: viewer. */
  planRunAction: {
    path: {
      uid: string;
    };
    body: ActionPlanRequest;
    answer: ActionPlanAnswer;
  };
  /** Ends an Experiment early, or starts one that failed again. Least role: operator. */
  actOnExperiment: {
    path: {
      uid: string;
    };
    header?: {
      "Idempotency-Key"?: string | undefined;
    };
    body: ActionRequest;
    answer: ActionAccepted;
  };
  /** What an action on it would do, from the live object; changes nothing. Least role: viewer. */
  planExperimentAction: {
    path: {
      uid: string;
    };
    body: ActionPlanRequest;
    answer: ActionPlanAnswer;
  };
  /** Follows an action until it is effective. Least role: viewer. */
  getAction: {
    path: {
      id: string;
    };
    answer: Action;
  };
  /** Releases of all rollouts, newest first. Least role: viewer. */
  listReleases: {
    query?: {
      /** Items per page, 1 to 200. */
      limit?: number | undefined;
      /** The nextCursor of the previous page. */
      cursor?: string | undefined;
      cluster?: string | undefined;
      namespace?: string | undefined;
      kind?: string | undefined;
      name?: string | undefined;
      state?: "progressing" | "paused" | "promoted" | "aborted" | "superseded" | "unknown" | undefined;
      /** Part of an image, such as a tag, case-insensitively. */
      version?: string | undefined;
      /** Part of the name of a person who acted on it, case-insensitively. */
      person?: string | undefined;
      /** Releases that a figure of the insights counts. */
      figure?: "decided" | "open" | "inconclusive" | "undone" | "failed" | "recovered" | "unrecovered" | "ended" | "waited" | "waitUnknown" | "committed" | "uncommitted" | undefined;
      /** Ended releases that began to wait for a person in this hour of a day, in the time zone. */
      waitHour?: number | undefined;
      /** Of waitHour; default UTC. */
      timeZone?: TimeZone | undefined;
      /** Releases that began within this time before now. */
      last?: "1h" | "24h" | "7d" | "30d" | undefined;
      /** Releases that began at or after this time. */
      from?: PointInTime | undefined;
      /** Releases that began before this time. */
      to?: PointInTime | undefined;
      /** The order; a minus reverses it. Without it: -startedAt. Rows without the value come last. */
      sort?: "startedAt" | "-startedAt" | "state" | "-state" | "duration" | "-duration" | undefined;
    };
    answer: {
      items: Release[];
      nextCursor: string | null;
    };
  };
  /** Aborted releases, the last first, each with who aborted it: a person, another client, or the controller. Least role: viewer. */
  listAborts: {
    query?: {
      /** Items per page, 1 to 200. */
      limit?: number | undefined;
      /** The nextCursor of the previous page. */
      cursor?: string | undefined;
      cluster?: string | undefined;
      namespace?: string | undefined;
      name?: string | undefined;
      /** Part of the name of a person who acted on it, case-insensitively. */
      person?: string | undefined;
      /** Aborts within this time before now. */
      last?: "1h" | "24h" | "7d" | "30d" | undefined;
      /** Aborts at or after this time. */
      from?: PointInTime | undefined;
      /** Aborts before this time. */
      to?: PointInTime | undefined;
    };
    answer: {
      items: Abort[];
      nextCursor: string | null;
    };
  };
  /** One release. Least role: viewer. */
  getRelease: {
    path: {
      id: string;
    };
    answer: Release;
  };
  /** The course of a release: moments, analyses, acts, findings, and where the time went. Least role: viewer. */
  getReleaseCourse: {
    path: {
      id: string;
    };
    answer: ReleaseCourse;
  };
  /** A release as it stood at one moment, with what could have been done. Least role: viewer. */
  getReleaseMoment: {
    path: {
      id: string;
    };
    query?: {
      /** The moment, in UTC; by default its end, or now while it is under way. */
      at?: Timestamp | undefined;
    };
    answer: ReleaseMoment;
  };
  /** Figures of releases in a period: outcomes, DORA figures, time waiting for people. Least role: viewer. */
  getReleaseInsights: {
    query?: {
      cluster?: string | undefined;
      namespace?: string | undefined;
      /** Kind of the rollout. */
      kind?: string | undefined;
      /** The rollout's name. */
      rollout?: string | undefined;
      /** Default: 30 days before the end. */
      from?: string | undefined;
      /** Default: now. At most 400 days after from. */
      to?: string | undefined;
      /** Of the days and hours. */
      timeZone?: TimeZone | undefined;
    };
    answer: ReleaseInsights;
  };
  /** Figures of metrics and templates in a period, those that people waited for longest first. Least role: viewer. */
  getAnalysisInsights: {
    query?: {
      cluster?: string | undefined;
      namespace?: string | undefined;
      /** Kind of the rollout. */
      kind?: string | undefined;
      /** The rollout's name. */
      rollout?: string | undefined;
      /** Default: 30 days before the end. */
      from?: string | undefined;
      /** Default: now. At most 400 days after from. */
      to?: string | undefined;
      /** cluster/namespace/Kind/name; `none`: of no known template. */
      template?: string | undefined;
      metric?: string | undefined;
    };
    answer: AnalysisInsights;
  };
  /** Finds rollouts, releases, runs, templates, findings, people, messages and audit entries that you may read. Least role: viewer. */
  search: {
    query: {
      /** Words, in either case. A hit has every word, at least one in its own text. */
      q: string;
      /** The most of each kind, 1 to 20. */
      limit?: number | undefined;
    };
    answer: SearchAnswer;
  };
  /** Analysis runs, live and past, newest first. Least role: viewer. */
  listRuns: {
    query?: {
      /** Items per page, 1 to 200. */
      limit?: number | undefined;
      /** The nextCursor of the previous page. */
      cursor?: string | undefined;
      cluster?: string | undefined;
      namespace?: string | undefined;
      /** Kind of the rollout. */
      kind?: string | undefined;
      /** The rollout's name. */
      rollout?: string | undefined;
      phase?: AnalysisPhase | undefined;
      /** Release: the controller's own analysis of a whole release. */
      type?: "Step" | "Background" | "PrePromotion" | "PostPromotion" | "Experiment" | "Manual" | "Release" | undefined;
      /** The name of one of its metrics. */
      metric?: string | undefined;
      /** The name of a template with a version, in force when the run began, whose metrics are all in the run. */
      template?: string | undefined;
      /** Runs with a metric of this template that has a verdict: cluster/namespace/Kind/name, or none. */
      ofTemplate?: string | undefined;
      /** Runs with a metric that a figure of the insights counts. */
      figure?: "measured" | "successful" | "failed" | "inconclusive" | "error" | "nan" | "nanUnknown" | "margin" | "waited" | "overridden" | "overrideStayed" | "overrideUndone" | "overrideAborted" | "overrideOther" | "pending" | undefined;
      /** Matches name, namespace or rollout, case-insensitively. */
      q?: string | undefined;
      /** Runs that were created within this time before now. */
      last?: "1h" | "24h" | "7d" | "30d" | undefined;
      /** Runs that were created at or after this time. */
      from?: PointInTime | undefined;
      /** Runs that were created before this time. */
      to?: PointInTime | undefined;
      /** The order; a minus reverses it. Without it: -startedAt. startedAt is the creation, which every run has. */
      sort?: "startedAt" | "-startedAt" | "name" | "-name" | "phase" | "-phase" | undefined;
    };
    answer: {
      items: AnalysisRunSummary[];
      nextCursor: string | null;
    };
  };
  /** One analysis run with its metrics. Least role: viewer. */
  getRun: {
    path: {
      uid: string;
    };
    answer: AnalysisRunDetail;
  };
  /** Measurements of a run in the order of metric and seq. Least role: viewer. */
  listMeasurements: {
    path: {
      uid: string;
    };
    query?: {
      metric?: string | undefined;
      limit?: number | undefined;
      cursor?: string | undefined;
      /** Thins each metric that has more measurements, in ascending order. Of equal stretches, a quarter as many as this, it keeps for each phase the first and last, the least and greatest, and the first without a number. It also keeps the newest six, those beside a gap, and all that are not Successful unless these are more than this. */
      points?: number | undefined;
      /** `latest` of an earlier answer. Only with points: the measurements after it, and the newest before it, which a controller may retake. For each metric in the answer they replace all from the first seq in it on. */
      since?: string | undefined;
      /** Only with points: measurements that ended at or after this time. */
      from?: PointInTime | undefined;
      /** Only with points: measurements that ended at or before this time. */
      to?: PointInTime | undefined;
      /** By metric and seq, or in reverse. Not with points. */
      order?: "asc" | "desc" | undefined;
      /** unsuccessful: those of any other phase than Successful. */
      only?: "unsuccessful" | undefined;
    };
    answer: MeasurementList;
  };
  /** The values of the same metrics in earlier runs of the same rollout, to compare a run with. Least role: viewer. */
  listEarlierSeries: {
    path: {
      uid: string;
    };
    answer: EarlierSeriesList;
  };
  /** Every measurement of a run, retaken ones included, as a CSV table or as JSON with the run itself. Least role: viewer. */
  exportRun: {
    path: {
      uid: string;
    };
    query?: {
      /** json: the run as in getRun, and its measurements. */
      format?: "csv" | "json" | undefined;
      /** Only the measurements of this metric. */
      metric?: string | undefined;
    };
    answer: Response;
  };
  /** Pods of a rollout's ReplicaSets and Experiments, live and past, newest first. Least role: viewer. */
  listRolloutPods: {
    path: RolloutPath;
    query?: {
      /** Items per page, 1 to 200. */
      limit?: number | undefined;
      /** The nextCursor of the previous page. */
      cursor?: string | undefined;
      /** The ReplicaSet's name. */
      replicaSet?: string | undefined;
      presence?: "live" | "deleted" | undefined;
    };
    answer: {
      items: RolloutPod[];
      nextCursor: string | null;
    };
  };
  /** Kubernetes events about a rollout and its objects, newest first. Least role: viewer. */
  listRolloutEvents: {
    path: RolloutPath;
    query?: {
      /** Items per page, 1 to 200. */
      limit?: number | undefined;
      /** The nextCursor of the previous page. */
      cursor?: string | undefined;
      type?: "Normal" | "Warning" | undefined;
      involvedKind?: string | undefined;
    };
    answer: {
      items: RolloutEvent[];
      nextCursor: string | null;
    };
  };
  /** The pods of a rollout's versions with their containers, read from the cluster as the user. Least role: viewer. */
  getRolloutLogs: {
    path: RolloutPath;
    query?: {
      /** Also the pods of this Job, by which an analysis run of the rollout measured. */
      job?: string | undefined;
    };
    answer: RolloutLogs;
  };
  /** Lines of the logs of some of these pods, as JSON lines, read from the cluster as the user; never stored. Least role: viewer. */
  streamRolloutLogLines: {
    path: RolloutPath;
    query: {
      /** Also the pods of this Job, by which an analysis run of the rollout measured. */
      job?: string | undefined;
      /** Names of its pods, with commas between them; at most 20. */
      pods: string;
      /** Default: the first container of each pod. */
      container?: string | undefined;
      /** Stay open, and send new lines as they are written. */
      follow?: "true" | "false" | undefined;
      /** The log of the instance before the last restart. */
      previous?: "true" | "false" | undefined;
      /** Begin with this many of the last lines of each pod. Default: 500 without sinceTime, else all. */
      tailLines?: number | undefined;
      /** Leave out lines before; the cluster takes whole seconds. */
      sinceTime?: string | undefined;
      /** End with the last line before; Gatehouse cuts here. */
      untilTime?: string | undefined;
    };
    answer: Response;
  };
  /** Experiments, live and past, newest first. Least role: viewer. */
  listExperiments: {
    query?: {
      /** Items per page, 1 to 200. */
      limit?: number | undefined;
      /** The nextCursor of the previous page. */
      cursor?: string | undefined;
      cluster?: string | undefined;
      namespace?: string | undefined;
      /** The rollout's name. */
      rollout?: string | undefined;
      phase?: AnalysisPhase | undefined;
      /** Matches name, namespace or rollout, case-insensitively. */
      q?: string | undefined;
      /** Experiments that were created within this time before now. */
      last?: "1h" | "24h" | "7d" | "30d" | undefined;
      /** Experiments that were created at or after this time. */
      from?: PointInTime | undefined;
      /** Experiments that were created before this time. */
      to?: PointInTime | undefined;
      /** The order; a minus reverses it. Without it: -createdAt. Rows without the value come last. */
      sort?: "createdAt" | "-createdAt" | "name" | "-name" | "phase" | "-phase" | undefined;
    };
    answer: {
      items: ExperimentSummary[];
      nextCursor: string | null;
    };
  };
  /** One Experiment with its ReplicaSets, analyses and runs. Least role: viewer. */
  getExperiment: {
    path: {
      uid: string;
    };
    answer: ExperimentDetail;
  };
  /** Analysis templates of both kinds, with the metrics of their current spec. Least role: viewer. */
  listTemplates: {
    query?: {
      /** Items per page, 1 to 200. */
      limit?: number | undefined;
      /** The nextCursor of the previous page. */
      cursor?: string | undefined;
      cluster?: string | undefined;
      namespace?: string | undefined;
      kind?: TemplateKind | undefined;
      /** The name of a rollout that you may read and whose strategy names it. */
      usedBy?: string | undefined;
      /** Matches name or namespace, case-insensitively. */
      q?: string | undefined;
      /** The order; a minus reverses it. Without it: name. Rows without the value come last. */
      sort?: "name" | "-name" | "cluster" | "-cluster" | "writtenAt" | "-writtenAt" | undefined;
    };
    answer: {
      items: TemplateSummary[];
      nextCursor: string | null;
    };
  };
  /** One analysis template with its current spec and the rollouts that use it. Least role: viewer. */
  getTemplate: {
    path: {
      cluster: string;
      /** `-` for a ClusterAnalysisTemplate. */
      namespace: string;
      templateKind: TemplateKind;
      name: string;
    };
    answer: TemplateDetail;
  };
  /** Every recorded spec of an analysis template, newest first. Least role: viewer. */
  listTemplateVersions: {
    path: {
      cluster: string;
      /** `-` for a ClusterAnalysisTemplate. */
      namespace: string;
      templateKind: TemplateKind;
      name: string;
    };
    query?: {
      /** Items per page, 1 to 200. */
      limit?: number | undefined;
      /** The nextCursor of the previous page. */
      cursor?: string | undefined;
      /** Only the version in force at that time, which a run started then was built from. */
      at?: Timestamp | undefined;
    };
    answer: {
      items: TemplateVersion[];
      nextCursor: string | null;
    };
  };
  /** How many rollouts there are, by need. Least role: viewer. */
  countRollouts: {
    query?: {
      cluster?: string | undefined;
      namespace?: string | undefined;
      kind?: RolloutKind | undefined;
      phase?: RolloutPhase | undefined;
      /** Why it needs attention. person: any reason that only a person's decision ends; any: any reason. */
      attention?: "any" | "person" | "inconclusive" | "pause" | "blueGreenPromotion" | "gate" | "degraded" | "finding" | undefined;
      /** Part of an image, such as a tag, case-insensitively. */
      version?: string | undefined;
      /** Owned by this team of the config. */
      team?: string | undefined;
      /** In this set of the config. */
      set?: string | undefined;
      /** With this recorded label, such as `team=payments`; without `=`: with any value of it. */
      label?: string | undefined;
      /** Matches name or namespace, case-insensitively. */
      q?: string | undefined;
    };
    answer: RolloutCounts;
  };
  /** The rollouts of the list with the same filters and order, as a CSV table. Least role: viewer. */
  exportRollouts: {
    query?: {
      cluster?: string | undefined;
      namespace?: string | undefined;
      kind?: RolloutKind | undefined;
      phase?: RolloutPhase | undefined;
      /** Why it needs attention. person: any reason that only a person's decision ends; any: any reason. */
      attention?: "any" | "person" | "inconclusive" | "pause" | "blueGreenPromotion" | "gate" | "degraded" | "finding" | undefined;
      /** What it needs. decide: a person's decision; fix: it is degraded; look: it has a finding; underway: nothing, it is in progress; other: none of these, and it is not healthy. */
      need?: "decide" | "fix" | "look" | "underway" | "other" | "healthy" | undefined;
      /** Part of an image, such as a tag, case-insensitively. */
      version?: string | undefined;
      /** Owned by this team of the config. */
      team?: string | undefined;
      /** In this set of the config. */
      set?: string | undefined;
      /** With this recorded label, such as `team=payments`; without `=`: with any value of it. */
      label?: string | undefined;
      /** Matches name or namespace, case-insensitively. */
      q?: string | undefined;
      /** The order; a minus reverses it. Without it: name. Rows without the value come last. */
      sort?: "name" | "-name" | "cluster" | "-cluster" | "need" | "-need" | "waitingSince" | "-waitingSince" | undefined;
    };
    answer: Response;
  };
  /** The releases of the list with the same filters and order, as a CSV table. Least role: viewer. */
  exportReleases: {
    query?: {
      cluster?: string | undefined;
      namespace?: string | undefined;
      kind?: string | undefined;
      name?: string | undefined;
      state?: "progressing" | "paused" | "promoted" | "aborted" | "superseded" | "unknown" | undefined;
      /** Part of an image, such as a tag, case-insensitively. */
      version?: string | undefined;
      /** Part of the name of a person who acted on it, case-insensitively. */
      person?: string | undefined;
      /** Releases that a figure of the insights counts. */
      figure?: "decided" | "open" | "inconclusive" | "undone" | "failed" | "recovered" | "unrecovered" | "ended" | "waited" | "waitUnknown" | "committed" | "uncommitted" | undefined;
      /** Ended releases that began to wait for a person in this hour of a day, in the time zone. */
      waitHour?: number | undefined;
      /** Of waitHour; default UTC. */
      timeZone?: TimeZone | undefined;
      /** Releases that began within this time before now. */
      last?: "1h" | "24h" | "7d" | "30d" | undefined;
      /** Releases that began at or after this time. */
      from?: PointInTime | undefined;
      /** Releases that began before this time. */
      to?: PointInTime | undefined;
      /** The order; a minus reverses it. Without it: -startedAt. Rows without the value come last. */
      sort?: "startedAt" | "-startedAt" | "state" | "-state" | "duration" | "-duration" | undefined;
    };
    answer: Response;
  };
  /** The analysis runs of the list with the same filters and order, as a CSV table. Least role: viewer. */
  exportRuns: {
    query?: {
      cluster?: string | undefined;
      namespace?: string | undefined;
      /** Kind of the rollout. */
      kind?: string | undefined;
      /** The rollout's name. */
      rollout?: string | undefined;
      phase?: AnalysisPhase | undefined;
      /** Release: the controller's own analysis of a whole release. */
      type?: "Step" | "Background" | "PrePromotion" | "PostPromotion" | "Experiment" | "Manual" | "Release" | undefined;
      /** The name of one of its metrics. */
      metric?: string | undefined;
      /** The name of a template with a version, in force when the run began, whose metrics are all in the run. */
      template?: string | undefined;
      /** Runs with a metric of this template that has a verdict: cluster/namespace/Kind/name, or none. */
      ofTemplate?: string | undefined;
      /** Runs with a metric that a figure of the insights counts. */
      figure?: "measured" | "successful" | "failed" | "inconclusive" | "error" | "nan" | "nanUnknown" | "margin" | "waited" | "overridden" | "overrideStayed" | "overrideUndone" | "overrideAborted" | "overrideOther" | "pending" | undefined;
      /** Matches name, namespace or rollout, case-insensitively. */
      q?: string | undefined;
      /** Runs that were created within this time before now. */
      last?: "1h" | "24h" | "7d" | "30d" | undefined;
      /** Runs that were created at or after this time. */
      from?: PointInTime | undefined;
      /** Runs that were created before this time. */
      to?: PointInTime | undefined;
      /** The order; a minus reverses it. Without it: -startedAt. startedAt is the creation, which every run has. */
      sort?: "startedAt" | "-startedAt" | "name" | "-name" | "phase" | "-phase" | undefined;
    };
    answer: Response;
  };
  /** The Experiments of the list with the same filters and order, as a CSV table. Least role: viewer. */
  exportExperiments: {
    query?: {
      cluster?: string | undefined;
      namespace?: string | undefined;
      /** The rollout's name. */
      rollout?: string | undefined;
      phase?: AnalysisPhase | undefined;
      /** Matches name, namespace or rollout, case-insensitively. */
      q?: string | undefined;
      /** Experiments that were created within this time before now. */
      last?: "1h" | "24h" | "7d" | "30d" | undefined;
      /** Experiments that were created at or after this time. */
      from?: PointInTime | undefined;
      /** Experiments that were created before this time. */
      to?: PointInTime | undefined;
      /** The order; a minus reverses it. Without it: -createdAt. Rows without the value come last. */
      sort?: "createdAt" | "-createdAt" | "name" | "-name" | "phase" | "-phase" | undefined;
    };
    answer: Response;
  };
  /** The templates of the list with the same filters and order, as a CSV table. Least role: viewer. */
  exportTemplates: {
    query?: {
      cluster?: string | undefined;
      namespace?: string | undefined;
      kind?: TemplateKind | undefined;
      /** The name of a rollout that you may read and whose strategy names it. */
      usedBy?: string | undefined;
      /** Matches name or namespace, case-insensitively. */
      q?: string | undefined;
      /** The order; a minus reverses it. Without it: name. Rows without the value come last. */
      sort?: "name" | "-name" | "cluster" | "-cluster" | "writtenAt" | "-writtenAt" | undefined;
    };
    answer: Response;
  };
  /** Your saved views of the lists, and the shared ones of others, by name. Least role: viewer. */
  listSavedViews: {
    query?: {
      /** Items per page, 1 to 200. */
      limit?: number | undefined;
      /** The nextCursor of the previous page. */
      cursor?: string | undefined;
      list?: SavedList | undefined;
    };
    answer: {
      items: SavedView[];
      nextCursor: string | null;
    };
  };
  /** Saves a view of a list: its filters, order and columns; operators may share it. Least role: viewer. */
  createSavedView: {
    body: SavedViewRequest;
    answer: SavedView;
  };
  /** Renames your saved view, changes its query, shares it or stops sharing it. Least role: viewer. */
  changeSavedView: {
    path: {
      id: string;
    };
    body: SavedViewChange;
    answer: SavedView;
  };
  /** Deletes your saved view; an admin may delete any shared one. Least role: viewer. */
  deleteSavedView: {
    path: {
      id: string;
    };
    answer: SavedView;
  };
  /** Versions that were aborted in some members of a set with `onAbort`, while others still receive them. Least role: viewer. */
  getSetAborts: {
    answer: SetAborts;
  };
  /** How far a version has got in all rollouts that run or receive it, or run another version of the same image. Least role: viewer. */
  getVersionSet: {
    path: {
      /** A whole tag or digest of an image, such as v2.31.0. */
      version: string;
    };
    query?: {
      /** Only in this image, without its version. */
      image?: string | undefined;
    };
    answer: VersionSet;
  };
  /** The rollouts of this set, the most urgent first. Least role: viewer. */
  listVersionMembers: {
    path: {
      /** A whole tag or digest of an image, such as v2.31.0. */
      version: string;
    };
    query?: {
      /** Items per page, 1 to 200. */
      limit?: number | undefined;
      /** The nextCursor of the previous page. */
      cursor?: string | undefined;
      /** Only in this image, without its version. */
      image?: string | undefined;
      cluster?: string | undefined;
      namespace?: string | undefined;
      /** How far it has got with the version. inconclusive, waiting: for a person; leaving: it still runs the version, and another one replaces it; notBegun: it runs another version of the same image. */
      standing?: "inconclusive" | "waiting" | "degraded" | "aborted" | "underway" | "notBegun" | "leaving" | "unknown" | "promoted" | undefined;
      /** With this recorded label, such as `team=payments`; without `=`: with any value of it. */
      label?: string | undefined;
      /** Matches name or namespace, case-insensitively. */
      q?: string | undefined;
      /** need: the most urgent first. address: by cluster, namespace and name, so that pages miss and repeat no member whose state changes meanwhile. */
      order?: "need" | "address" | undefined;
    };
    answer: {
      items: SetMember[];
      nextCursor: string | null;
    };
  };
  /** The metrics of this version, rollout by rollout, the most urgent first. Least role: viewer. */
  getVersionMetrics: {
    path: {
      /** A whole tag or digest of an image, such as v2.31.0. */
      version: string;
    };
    query?: {
      /** Only in this image, without its version. */
      image?: string | undefined;
      cluster?: string | undefined;
      namespace?: string | undefined;
      /** How far it has got with the version. inconclusive, waiting: for a person; leaving: it still runs the version, and another one replaces it; notBegun: it runs another version of the same image. */
      standing?: "inconclusive" | "waiting" | "degraded" | "aborted" | "underway" | "notBegun" | "leaving" | "unknown" | "promoted" | undefined;
      /** With this recorded label, such as `team=payments`; without `=`: with any value of it. */
      label?: string | undefined;
      /** Matches name or namespace, case-insensitively. */
      q?: string | undefined;
    };
    answer: SetMetrics;
  };
  /** The images, steps, analysis templates and arguments that are not the same in all rollouts of this set. Least role: viewer. */
  getVersionDifferences: {
    path: {
      /** A whole tag or digest of an image, such as v2.31.0. */
      version: string;
    };
    query?: {
      /** Only in this image, without its version. */
      image?: string | undefined;
      cluster?: string | undefined;
      namespace?: string | undefined;
      /** How far it has got with the version. inconclusive, waiting: for a person; leaving: it still runs the version, and another one replaces it; notBegun: it runs another version of the same image. */
      standing?: "inconclusive" | "waiting" | "degraded" | "aborted" | "underway" | "notBegun" | "leaving" | "unknown" | "promoted" | undefined;
      /** With this recorded label, such as `team=payments`; without `=`: with any value of it. */
      label?: string | undefined;
      /** Matches name or namespace, case-insensitively. */
      q?: string | undefined;
    };
    answer: SetDifferences;
  };
  /** Requests one action on many rollouts, each bound to the view that the person saw; those that moved on are refused. Least role: operator. */
  actOnMany: {
    header?: {
      "Idempotency-Key"?: string | undefined;
    };
    body: ActionGroupRequest;
    answer: ActionGroup;
  };
  /** Follows such a request, by the number of its audit entry. Least role: viewer. */
  getActionGroup: {
    path: {
      seq: number;
    };
    answer: ActionGroup;
  };
  /** What an action on many rollouts would do, from their recorded state; changes nothing. Least role: viewer. */
  planOnMany: {
    body: GroupPlanRequest;
    answer: GroupPlan;
  };
  /** Actions that are to be done later, and those that were not done in the last day. Least role: viewer. */
  listScheduledActions: {
    query?: {
      cluster?: string | undefined;
      namespace?: string | undefined;
      name?: string | undefined;
    };
    answer: {
      /** By their time; at most 500. */
      items: ScheduledAction[];
    };
  };
  /** One scheduled action, and how it ended. Least role: viewer. */
  getScheduledAction: {
    path: {
      id: string;
    };
    answer: ScheduledAction;
  };
  /** Withdraws an action that is to be done later. Least role: operator. */
  withdrawScheduledAction: {
    path: {
      id: string;
    };
    answer: ScheduledAction;
  };
  /** Controllers of all clusters, and components of Prow: whether they are up, and how they do. Least role: viewer. */
  listControllers: {
    answer: {
      items: Controller[];
      nextCursor: string | null;
    };
  };
  /** One controller, with its series. Least role: viewer. */
  getController: {
    path: {
      cluster: string;
      component: string;
    };
    answer: ControllerDetail;
  };
  /** Samples of a controller over hours or days, for charts. Least role: viewer. */
  listControllerSamples: {
    path: {
      cluster: string;
      component: string;
    };
    query?: {
      range?: "1h" | "6h" | "24h" | "7d" | "30d" | undefined;
    };
    answer: ControllerSamples;
  };
  /** Findings of the oversight rules: with a state other than closed by severity, otherwise newest first. Least role: viewer. */
  listFindings: {
    query?: {
      /** Items per page, 1 to 200. */
      limit?: number | undefined;
      /** The nextCursor of the previous page. */
      cursor?: string | undefined;
      about?: "rollout" | "cluster" | "source" | "controller" | undefined;
      cluster?: string | undefined;
      namespace?: string | undefined;
      kind?: string | undefined;
      /** The rollout's name. */
      name?: string | undefined;
      rule?: string | undefined;
      severity?: FindingSeverity | undefined;
      /** active: open or acknowledged. */
      state?: "open" | "acknowledged" | "closed" | "active" | undefined;
      /** Uid of the analysis run. */
      run?: string | undefined;
      revisionKey?: string | undefined;
      q?: string | undefined;
    };
    answer: {
      items: Finding[];
      nextCursor: string | null;
    };
  };
  /** How many findings are open, by severity. Least role: viewer. */
  countFindings: {
    answer: FindingCounts;
  };
  /** One finding with its evidence and what its rule means. Least role: viewer. */
  getFinding: {
    path: {
      id: string;
    };
    answer: FindingDetail;
  };
  /** Marks a finding as seen, until it closes or becomes more severe. Least role: operator. */
  acknowledgeFinding: {
    path: {
      id: string;
    };
    body: AcknowledgeFindingRequest;
    answer: FindingDetail;
  };
  /** Takes the acknowledgement of a finding back. Least role: operator. */
  withdrawFinding: {
    path: {
      id: string;
    };
    answer: FindingDetail;
  };
  /** Prometheus series about the rollouts that the caller may read. Least role: viewer. */
  getRolloutSeries: {
    answer: Response;
  };
  /** Releases, steps and actions as annotations for charts, newest first: for Grafana. Least role: viewer. */
  listAnnotations: {
    query?: {
      /** Items per page, 1 to 1000. */
      limit?: number | undefined;
      /** The nextCursor of the previous page. */
      cursor?: string | undefined;
      /** At or after this time; default: 24 hours before `to`. */
      from?: PointInTime | undefined;
      /** Before this time; default: now. */
      to?: PointInTime | undefined;
      /** Only these. Without it: releases and actions; with `name`, all. */
      kind?: "release" | "step" | "action" | undefined;
      cluster?: string | undefined;
      namespace?: string | undefined;
      /** Name of the rollout. Steps are listed only with it. */
      name?: string | undefined;
    };
    answer: {
      items: Annotation[];
      nextCursor: string | null;
    };
  };
  /** Freezes made by people that are in force or will be, where you may read. Least role: viewer. */
  listFreezes: {
    answer: {
      /** The next to start first. */
      items: Freeze[];
    };
  };
  /** Stops what advances rollouts in a scope until a time; protective actions pass. Least role: operator. */
  createFreeze: {
    body: FreezeRequest;
    answer: Freeze;
  };
  /** Extends a freeze, or ends it early. Least role: operator. */
  changeFreeze: {
    path: {
      id: string;
    };
    body: FreezeChange;
    answer: Freeze;
  };
  /** The link templates in force. Least role: admin. */
  listLinkTemplates: {
    answer: LinkTemplates;
  };
  /** Replaces the link templates, unless the config file sets them. Least role: admin. */
  setLinkTemplates: {
    body: LinkTemplatesChange;
    answer: LinkTemplates;
  };
  /** The channels and routes of notifications. Least role: admin. */
  getNotificationSetting: {
    answer: NotificationSetting;
  };
  /** Replaces the channels and routes of notifications, unless the config file sets them. Least role: admin. */
  setNotificationSetting: {
    body: NotificationSettingChange;
    answer: NotificationSetting;
  };
  /** Demo only: the faults that the demo's cluster plays, and those that it can play. Least role: admin. */
  listSandboxFaults: {
    answer: SandboxFaults;
  };
  /** Demo only: starts a fault in the demo's cluster, or ends active faults. Least role: admin. */
  playSandboxFault: {
    body: PlayFaultRequest;
    answer: SandboxFaults;
  };
  /** Evaluates conditions on a result; changes nothing. Least role: viewer. */
  evaluateAnalysis: {
    body: EvaluateRequest;
    answer: PhaseVerdict;
  };
  /** Assesses a metric or a run from its measurements; changes nothing. Least role: viewer. */
  assessAnalysis: {
    body: AssessRequest;
    answer: AssessAnswer;
  };
  /** Composes a run's spec from templates and arguments; changes nothing. Least role: viewer. */
  composeAnalysis: {
    body: ComposeRequest;
    answer: ComposeAnswer;
  };
  /** Replays recorded runs of a metric under changed rules; changes nothing. Least role: viewer. */
  backtestAnalysis: {
    body: BacktestRequest;
    answer: BacktestAnswer;
  };
  /** Lints the YAML of a template, and previews the runs that a rollout would create with it; changes nothing. Least role: viewer. */
  lintAnalysis: {
    body: LintRequest;
    answer: LintAnswer;
  };
  /** Everything that waits for a person, ranked. Least role: viewer. */
  getInbox: {
    query?: {
      /** Items per page, 1 to 200. */
      limit?: number | undefined;
      /** The nextCursor of the previous page. */
      cursor?: string | undefined;
      cluster?: string | undefined;
      /** Only rollouts that wait for this. */
      attention?: "inconclusive" | "pause" | "blueGreenPromotion" | "gate" | "degraded" | "finding" | undefined;
      /** Owned by this team of the config. */
      team?: string | undefined;
      /** In this set of the config. */
      set?: string | undefined;
      /** With this recorded label, such as `team=payments`; without `=`: with any value of it. */
      label?: string | undefined;
      /** Only rollouts of teams whose groups you are in. */
      mine?: "true" | undefined;
      /** true: rollouts that were acknowledged or aborted on purpose, instead of those still waiting for an answer. */
      answered?: "true" | "false" | undefined;
      /** true: only snoozed rollouts; false: all others. If absent, snoozed ones come last. */
      snoozed?: "true" | "false" | undefined;
    };
    answer: {
      items: InboxItem[];
      nextCursor: string | null;
    };
  };
  /** Audit entries, newest first. Least role: viewer. */
  listAudit: {
    query?: {
      /** Items per page, 1 to 200. */
      limit?: number | undefined;
      /** The nextCursor of the previous page. */
      cursor?: string | undefined;
      actor?: string | undefined;
      action?: string | undefined;
      outcome?: AuditOutcome | undefined;
      source?: "gatehouse" | "cluster" | "system" | undefined;
      cluster?: string | undefined;
      namespace?: string | undefined;
      name?: string | undefined;
      /** Name of a freeze or a second-person rule: refusals by it, and actions that broke the freeze; of an observed rule: actions that it would not have let pass. */
      policy?: string | undefined;
      /** Entries within this time before now. */
      last?: "1h" | "24h" | "7d" | "30d" | undefined;
      /** Entries at or after this time. */
      from?: PointInTime | undefined;
      /** Entries before this time. */
      to?: PointInTime | undefined;
      /** Words of person, place, event code or reason, each by its beginning, in either case. */
      q?: string | undefined;
      /** answers: acts of people about a wait through Gatehouse: applied actions and acknowledgements. */
      about?: "answers" | undefined;
      /** Without sign-ins that succeeded, or only those. */
      signIns?: "hidden" | "only" | undefined;
      /** acts: one row for each act, instead of every entry. A request whose outcome is in the log is left out, and so is an entry that only names who made a change. */
      rows?: "entries" | "acts" | undefined;
      /** The order; a minus reverses it. Without it: -time. Rows without the value come last. */
      sort?: "time" | "-time" | undefined;
    };
    answer: {
      items: AuditItem[];
      nextCursor: string | null;
    };
  };
  /** Verifies the whole chain. Least role: viewer. */
  verifyAudit: {
    query?: {
      /** true: as the page does when it opens. Verifies only a log of at most 20 000 entries and 32 MiB of evidence, and leaves an entry only if it finds a new break. */
      quick?: "true" | undefined;
    };
    answer: AuditVerification;
  };
  /** One audit entry with its evidence and its chain link. Least role: viewer. */
  getAuditEntry: {
    path: {
      seq: number;
    };
    answer: AuditDetail;
  };
  /** The chain as JSON lines for verification elsewhere (stubs for entries you may not see), or a CSV table. Least role: viewer. */
  exportAudit: {
    query?: {
      actor?: string | undefined;
      action?: string | undefined;
      outcome?: AuditOutcome | undefined;
      source?: "gatehouse" | "cluster" | "system" | undefined;
      cluster?: string | undefined;
      namespace?: string | undefined;
      name?: string | undefined;
      /** Name of a freeze or a second-person rule: refusals by it, and actions that broke the freeze; of an observed rule: actions that it would not have let pass. */
      policy?: string | undefined;
      /** Entries within this time before now. */
      last?: "1h" | "24h" | "7d" | "30d" | undefined;
      /** Entries at or after this time. */
      from?: PointInTime | undefined;
      /** Entries before this time. */
      to?: PointInTime | undefined;
      /** Words of person, place, event code or reason, each by its beginning, in either case. */
      q?: string | undefined;
      /** answers: acts of people about a wait through Gatehouse: applied actions and acknowledgements. */
      about?: "answers" | undefined;
      /** Without sign-ins that succeeded, or only those. */
      signIns?: "hidden" | "only" | undefined;
      /** acts: one row for each act, instead of every entry. A request whose outcome is in the log is left out, and so is an entry that only names who made a change. */
      rows?: "entries" | "acts" | undefined;
      /** The order; a minus reverses it. Without it: -time. Rows without the value come last. */
      sort?: "time" | "-time" | undefined;
      /** jsonl: the chain, for verification elsewhere, which takes no filters; csv: a table of the entries you may see, filtered as the list is, the oldest first unless sorted otherwise. */
      format?: "jsonl" | "csv" | undefined;
    };
    answer: Response;
  };
  /** How the config file relates to the config in force. Least role: viewer. */
  getConfigStatus: {
    answer: ConfigStatus;
  };
  /** Confirms a held config file that removes most clusters or role bindings. Least role: admin. */
  confirmConfig: {
    body: ConfirmConfigRequest;
    answer: ConfigStatus;
  };
  /** Requests a second person's approval of an action. Least role: operator. */
  requestApproval: {
    path: RolloutPath;
    body: ApprovalRequest;
    answer: Approval;
  };
  /** Proposes an action to the people who may do it, bound to the view that an agent was given; for tokens only. Least role: viewer. */
  propose: {
    path: RolloutPath;
    body: ProposalRequest;
    answer: Approval;
  };
  /** Requests for a second person's approval, and agents' proposals, newest first. Least role: viewer. */
  listApprovals: {
    query?: {
      /** Items per page, 1 to 200. */
      limit?: number | undefined;
      /** The nextCursor of the previous page. */
      cursor?: string | undefined;
      /** open: pending, or approved and not used yet. */
      state?: "pending" | "open" | undefined;
      cluster?: string | undefined;
      namespace?: string | undefined;
      name?: string | undefined;
    };
    answer: {
      items: Approval[];
      nextCursor: string | null;
    };
  };
  /** Approves, rejects or withdraws a request. Least role: viewer. */
  decideApproval: {
    path: {
      id: string;
    };
    body: ApprovalDecision;
    answer: Approval;
  };
  /** Removes a rollout from the inbox until its state changes. Least role: operator. */
  acknowledge: {
    path: RolloutPath;
    body: AcknowledgeRequest;
    answer: InboxAnswer;
  };
  /** Returns an acknowledged rollout to the inbox. Least role: operator. */
  withdrawAcknowledgement: {
    path: RolloutPath;
    answer: InboxAnswer;
  };
  /** Claims a rollout's wait for you, or extends your claim; does not stop others from acting. Least role: operator. */
  claim: {
    path: RolloutPath;
    body: ClaimRequest;
    answer: Claim;
  };
  /** Gives up your claim. Least role: operator. */
  releaseClaim: {
    path: RolloutPath;
    answer: Claim;
  };
  /** Snoozes a rollout's wait for everyone, until a time or until its state changes. Least role: operator. */
  snooze: {
    path: RolloutPath;
    body: SnoozeRequest;
    answer: Snooze;
  };
  /** Ends a snooze. Least role: operator. */
  wake: {
    path: RolloutPath;
    answer: Snooze;
  };
  /** Open sessions: your own, or all for an admin. Least role: viewer. */
  listSessions: {
    query?: {
      /** Items per page, 1 to 200. */
      limit?: number | undefined;
      /** The nextCursor of the previous page. */
      cursor?: string | undefined;
    };
    answer: {
      items: Session[];
      nextCursor: string | null;
    };
  };
  /** Ends a session at once, with its event streams. Least role: viewer. */
  revokeSession: {
    path: {
      id: string;
    };
    answer: Session;
  };
  /** API tokens: your own, or all for an admin. Least role: viewer. */
  listTokens: {
    query?: {
      /** Items per page, 1 to 200. */
      limit?: number | undefined;
      /** The nextCursor of the previous page. */
      cursor?: string | undefined;
    };
    answer: {
      items: ApiToken[];
      nextCursor: string | null;
    };
  };
  /** Creates an API token, no stronger than its owner. Least role: viewer. */
  createToken: {
    body: CreateTokenRequest;
    answer: CreatedToken;
  };
  /** Revokes an API token. Least role: viewer. */
  revokeToken: {
    path: {
      id: string;
    };
    answer: ApiToken;
  };
  /** The terminal that asks to be signed in and shows this code; for people only. Least role: viewer. */
  getDeviceRequest: {
    path: {
      /** The code that the terminal shows; case and hyphens do not matter. */
      userCode: string;
    };
    answer: DeviceRequest;
  };
  /** Signs a terminal in with a token of yours, or refuses it; for people only. Least role: viewer. */
  decideDeviceRequest: {
    path: {
      /** The code that the terminal shows; case and hyphens do not matter. */
      userCode: string;
    };
    body: DeviceDecision;
    answer: DeviceRequest;
  };
  /** The gates of a rollout: when its controller last asked, and the decisions that it is answered by. Least role: viewer. */
  listRolloutGates: {
    path: RolloutPath;
    answer: RolloutGates;
  };
  /** Credentials of controllers at the hooks, newest first. Least role: admin. */
  listHookCredentials: {
    query?: {
      /** Items per page, 1 to 200. */
      limit?: number | undefined;
      /** The nextCursor of the previous page. */
      cursor?: string | undefined;
      /** Only this cluster's. Without it, those of all clusters that you administer. */
      cluster?: string | undefined;
    };
    answer: {
      items: HookCredential[];
      nextCursor: string | null;
    };
  };
  /** Creates a credential for the controller of one cluster. Least role: admin. */
  createHookCredential: {
    body: CreateHookCredentialRequest;
    answer: CreatedHookCredential;
  };
  /** Revokes a credential of a controller. Least role: admin. */
  revokeHookCredential: {
    path: {
      id: string;
    };
    answer: HookCredential;
  };
  /** Events for notifications that you may see, newest first. Least role: viewer. */
  listNotifiableEvents: {
    query?: {
      /** Items per page, 1 to 200. */
      limit?: number | undefined;
      /** The nextCursor of the previous page. */
      cursor?: string | undefined;
    };
    answer: {
      items: NotifiableEventItem[];
      nextCursor: string | null;
    };
  };
  /** The channels of the config, with how their messages fare. Least role: admin. */
  listNotificationChannels: {
    answer: NotificationChannels;
  };
  /** Sends a test message to a channel. Least role: admin. */
  sendTestNotification: {
    path: {
      channel: string;
    };
    answer: NotificationItem;
  };
  /** The messages to all channels, newest first. Least role: admin. */
  listNotifications: {
    query?: {
      /** Items per page, 1 to 200. */
      limit?: number | undefined;
      /** The nextCursor of the previous page. */
      cursor?: string | undefined;
      channel?: string | undefined;
      state?: NotificationState | undefined;
    };
    answer: {
      items: NotificationItem[];
      nextCursor: string | null;
    };
  };
  /** Sends a message again that was given up or suppressed. Least role: admin. */
  retryNotification: {
    path: {
      id: string;
    };
    answer: NotificationItem;
  };
  /** The role bindings in force, with what looks wrong in them, and the people who are known. Least role: admin. */
  getAdminAccess: {
    answer: AdminAccess;
  };
  /** Who may carry out an action at a place: known people, robots and tokens, and role bindings. Least role: admin. */
  whoMay: {
    query: {
      action: ActionName;
      cluster?: string | undefined;
      namespace?: string | undefined;
      name?: string | undefined;
    };
    answer: WhoMay;
  };
  /** What a person may do at a place, and why; decided as a real request is. Least role: admin. */
  explainPermissions: {
    query?: {
      who?: "person" | "robot" | "token" | undefined;
      /** A person's or a robot's name, as bindings have it. */
      username?: string | undefined;
      /** The provider's own name of a person (claim sub). */
      subject?: string | undefined;
      /** Groups, separated by commas; if absent, those last seen. */
      groups?: string | undefined;
      /** Id of a token. */
      token?: string | undefined;
      cluster?: string | undefined;
      namespace?: string | undefined;
      kind?: RolloutKind | undefined;
      name?: string | undefined;
    };
    answer: PermissionAnswer;
  };
  /** What the cluster's own RBAC lets a person do at a place; asks the cluster. Least role: admin. */
  askClusterPermissions: {
    query?: {
      who?: "person" | "robot" | "token" | undefined;
      /** A person's or a robot's name, as bindings have it. */
      username?: string | undefined;
      /** The provider's own name of a person (claim sub). */
      subject?: string | undefined;
      /** Groups, separated by commas; if absent, those last seen. */
      groups?: string | undefined;
      /** Id of a token. */
      token?: string | undefined;
      cluster?: string | undefined;
      namespace?: string | undefined;
      kind?: RolloutKind | undefined;
      name?: string | undefined;
    };
    answer: ClusterPermissions;
  };
  /** The freezes in force with their times between two moments, and the actions that broke one. Least role: admin. */
  listAdminFreezes: {
    query: {
      /** Start of the time that is shown. */
      from: string;
      /** Its end; at most 62 days later. */
      to: string;
    };
    answer: AdminFreezes;
  };
  /** The policies in force, with how often each refused or asked for a second person in the last 30 days. Least role: admin. */
  getAdminPolicies: {
    answer: AdminPolicies;
  };
  /** What rules, of the config or proposed, would have decided about the audited actions of the last days; changes nothing. Least role: admin. */
  replayPolicies: {
    body: PolicyReplayRequest;
    answer: PolicyReplay;
  };
  /** The config in force with the origin of each value, secrets masked, and the changes of a held file. Least role: admin. */
  getAdminConfig: {
    answer: AdminConfig;
  };
  /** The database by table, its growth, retention, leases and queues. Least role: admin. */
  getAdminStorage: {
    answer: AdminStorage;
  };
  /** Server-sent change events, resumed by Last-Event-ID. Least role: viewer. */
  stream: {
    answer: Response;
  };
};

export const operations: Readonly<Record<keyof Operations, string>> = {
  getMe: "GET /api/v1/me",
  listClusters: "GET /api/v1/clusters",
  listSources: "GET /api/v1/sources",
  listHeldObjects: "GET /api/v1/sources/held",
  releaseHeld: "POST /api/v1/sources/release",
  listRollouts: "GET /api/v1/rollouts",
  getRollout: "GET /api/v1/rollouts/{cluster}/{namespace}/{kind}/{name}",
  getRolloutObject: "GET /api/v1/rollouts/{cluster}/{namespace}/{kind}/{name}/object",
  listRolloutReleases: "GET /api/v1/rollouts/{cluster}/{namespace}/{kind}/{name}/releases",
  listRolloutRuns: "GET /api/v1/rollouts/{cluster}/{namespace}/{kind}/{name}/analysis-runs",
  listRolloutTimeline: "GET /api/v1/rollouts/{cluster}/{namespace}/{kind}/{name}/timeline",
  actOnRollout: "POST /api/v1/rollouts/{cluster}/{namespace}/{kind}/{name}/actions",
  planRolloutAction: "POST /api/v1/rollouts/{cluster}/{namespace}/{kind}/{name}/action-plan",
  actOnRun: "POST /api/v1/analysis-runs/{uid}/actions",
  planRunAction: "POST /api/v1/analysis-runs/{uid}/action-plan",
  actOnExperiment: "POST /api/v1/experiments/{uid}/actions",
  planExperimentAction: "POST /api/v1/experiments/{uid}/action-plan",
  getAction: "GET /api/v1/actions/{id}",
  listReleases: "GET /api/v1/releases",
  listAborts: "GET /api/v1/aborts",
  getRelease: "GET /api/v1/releases/{id}",
  getReleaseCourse: "GET /api/v1/releases/{id}/course",
  getReleaseMoment: "GET /api/v1/releases/{id}/moment",
  getReleaseInsights: "GET /api/v1/insights/releases",
  getAnalysisInsights: "GET /api/v1/insights/analysis",
  search: "GET /api/v1/search",
  listRuns: "GET /api/v1/analysis-runs",
  getRun: "GET /api/v1/analysis-runs/{uid}",
  listMeasurements: "GET /api/v1/analysis-runs/{uid}/measurements",
  listEarlierSeries: "GET /api/v1/analysis-runs/{uid}/earlier",
  exportRun: "GET /api/v1/analysis-runs/{uid}/export",
  listRolloutPods: "GET /api/v1/rollouts/{cluster}/{namespace}/{kind}/{name}/pods",
  listRolloutEvents: "GET /api/v1/rollouts/{cluster}/{namespace}/{kind}/{name}/events",
  getRolloutLogs: "GET /api/v1/rollouts/{cluster}/{namespace}/{kind}/{name}/logs",
  streamRolloutLogLines: "GET /api/v1/rollouts/{cluster}/{namespace}/{kind}/{name}/logs/lines",
  listExperiments: "GET /api/v1/experiments",
  getExperiment: "GET /api/v1/experiments/{uid}",
  listTemplates: "GET /api/v1/templates",
  getTemplate: "GET /api/v1/templates/{cluster}/{namespace}/{templateKind}/{name}",
  listTemplateVersions: "GET /api/v1/templates/{cluster}/{namespace}/{templateKind}/{name}/versions",
  countRollouts: "GET /api/v1/rollouts/counts",
  exportRollouts: "GET /api/v1/rollouts/export",
  exportReleases: "GET /api/v1/releases/export",
  exportRuns: "GET /api/v1/analysis-runs/export",
  exportExperiments: "GET /api/v1/experiments/export",
  exportTemplates: "GET /api/v1/templates/export",
  listSavedViews: "GET /api/v1/saved-views",
  createSavedView: "POST /api/v1/saved-views",
  changeSavedView: "POST /api/v1/saved-views/{id}",
  deleteSavedView: "DELETE /api/v1/saved-views/{id}",
  getSetAborts: "GET /api/v1/sets/aborts",
  getVersionSet: "GET /api/v1/sets/version/{version}",
  listVersionMembers: "GET /api/v1/sets/version/{version}/members",
  getVersionMetrics: "GET /api/v1/sets/version/{version}/metrics",
  getVersionDifferences: "GET /api/v1/sets/version/{version}/differences",
  actOnMany: "POST /api/v1/action-groups",
  getActionGroup: "GET /api/v1/action-groups/{seq}",
  planOnMany: "POST /api/v1/action-groups/plan",
  listScheduledActions: "GET /api/v1/scheduled-actions",
  getScheduledAction: "GET /api/v1/scheduled-actions/{id}",
  withdrawScheduledAction: "DELETE /api/v1/scheduled-actions/{id}",
  listControllers: "GET /api/v1/controllers",
  getController: "GET /api/v1/controllers/{cluster}/{component}",
  listControllerSamples: "GET /api/v1/controllers/{cluster}/{component}/samples",
  listFindings: "GET /api/v1/findings",
  countFindings: "GET /api/v1/findings/counts",
  getFinding: "GET /api/v1/findings/{id}",
  acknowledgeFinding: "POST /api/v1/findings/{id}/acknowledge",
  withdrawFinding: "DELETE /api/v1/findings/{id}/acknowledge",
  getRolloutSeries: "GET /api/v1/metrics",
  listAnnotations: "GET /api/v1/annotations",
  listFreezes: "GET /api/v1/freezes",
  createFreeze: "POST /api/v1/freezes",
  changeFreeze: "POST /api/v1/freezes/{id}",
  listLinkTemplates: "GET /api/v1/admin/links",
  setLinkTemplates: "POST /api/v1/admin/links",
  getNotificationSetting: "GET /api/v1/admin/notifications",
  setNotificationSetting: "POST /api/v1/admin/notifications",
  listSandboxFaults: "GET /api/v1/sandbox/faults",
  playSandboxFault: "POST /api/v1/sandbox/faults",
  evaluateAnalysis: "POST /api/v1/analysis/evaluate",
  assessAnalysis: "POST /api/v1/analysis/assess",
  composeAnalysis: "POST /api/v1/analysis/compose",
  backtestAnalysis: "POST /api/v1/analysis/backtest",
  lintAnalysis: "POST /api/v1/analysis/lint",
  getInbox: "GET /api/v1/inbox",
  listAudit: "GET /api/v1/audit",
  verifyAudit: "GET /api/v1/audit/verify",
  getAuditEntry: "GET /api/v1/audit/{seq}",
  exportAudit: "GET /api/v1/audit/export",
  getConfigStatus: "GET /api/v1/config",
  confirmConfig: "POST /api/v1/config/confirm",
  requestApproval: "POST /api/v1/rollouts/{cluster}/{namespace}/{kind}/{name}/approvals",
  propose: "POST /api/v1/rollouts/{cluster}/{namespace}/{kind}/{name}/proposals",
  listApprovals: "GET /api/v1/approvals",
  decideApproval: "POST /api/v1/approvals/{id}/decision",
  acknowledge: "POST /api/v1/rollouts/{cluster}/{namespace}/{kind}/{name}/acknowledgement",
  withdrawAcknowledgement: "DELETE /api/v1/rollouts/{cluster}/{namespace}/{kind}/{name}/acknowledgement",
  claim: "POST /api/v1/rollouts/{cluster}/{namespace}/{kind}/{name}/claim",
  releaseClaim: "DELETE /api/v1/rollouts/{cluster}/{namespace}/{kind}/{name}/claim",
  snooze: "POST /api/v1/rollouts/{cluster}/{namespace}/{kind}/{name}/snooze",
  wake: "DELETE /api/v1/rollouts/{cluster}/{namespace}/{kind}/{name}/snooze",
  listSessions: "GET /api/v1/sessions",
  revokeSession: "DELETE /api/v1/sessions/{id}",
  listTokens: "GET /api/v1/tokens",
  createToken: "POST /api/v1/tokens",
  revokeToken: "DELETE /api/v1/tokens/{id}",
  getDeviceRequest: "GET /api/v1/device-requests/{userCode}",
  decideDeviceRequest: "POST /api/v1/device-requests/{userCode}/decision",
  listRolloutGates: "GET /api/v1/rollouts/{cluster}/{namespace}/{kind}/{name}/gates",
  listHookCredentials: "GET /api/v1/hook-credentials",
  createHookCredential: "POST /api/v1/hook-credentials",
  revokeHookCredential: "DELETE /api/v1/hook-credentials/{id}",
  listNotifiableEvents: "GET /api/v1/notifiable-events",
  listNotificationChannels: "GET /api/v1/notification-channels",
  sendTestNotification: "POST /api/v1/notification-channels/{channel}/test",
  listNotifications: "GET /api/v1/notifications",
  retryNotification: "POST /api/v1/notifications/{id}/retry",
  getAdminAccess: "GET /api/v1/admin/access",
  whoMay: "GET /api/v1/admin/who-may",
  explainPermissions: "GET /api/v1/admin/permissions",
  askClusterPermissions: "GET /api/v1/admin/permissions/cluster",
  listAdminFreezes: "GET /api/v1/admin/freezes",
  getAdminPolicies: "GET /api/v1/admin/policies",
  replayPolicies: "POST /api/v1/admin/policies/replay",
  getAdminConfig: "GET /api/v1/admin/config",
  getAdminStorage: "GET /api/v1/admin/storage",
  stream: "GET /api/v1/stream",
};

/** The content types of the operations that answer with a `Response`. */
export const streamTypes: Readonly<Partial<Record<keyof Operations, string>>> = {
  exportRun: "text/csv, application/json",
  streamRolloutLogLines: "application/x-ndjson",
  exportRollouts: "text/csv",
  exportReleases: "text/csv",
  exportRuns: "text/csv",
  exportExperiments: "text/csv",
  exportTemplates: "text/csv",
  getRolloutSeries: "text/plain",
  exportAudit: "application/x-ndjson, text/csv",
  stream: "text/event-stream",
};

import { z } from "zod";
import { Action, ActionAccepted, ActionPlanAnswer, ActionPlanRequest, ActionRequest } from "#lib/contract/action.ts";
import { adminEndpoints } from "#lib/contract/admin-endpoints.ts";
import {
  AssessAnswer,
  AssessRequest,
  ComposeAnswer,
  ComposeRequest,
  EvaluateRequest,
  PhaseVerdict,
} from "#lib/contract/analysis-engine.ts";
import {
  AnalysisRunDetail,
  AnalysisRunListQuery,
  AnalysisRunSummary,
  EarlierSeriesList,
  MeasurementList,
  MeasurementQuery,
  RunExportQuery,
} from "#lib/contract/analysis-run.ts";
import { AuditDetail, AuditExportQuery, AuditItem, AuditListQuery, AuditVerification } from "#lib/contract/audit.ts";
import { BacktestAnswer, BacktestRequest } from "#lib/contract/backtest.ts";
import { ListQuery, listOf, type Role } from "#lib/contract/common.ts";
import { controllerEndpoints } from "#lib/contract/controller-endpoints.ts";
import { findingEndpoints } from "#lib/contract/finding-endpoints.ts";
import { freezeEndpoints } from "#lib/contract/freeze.ts";
import { hookEndpoints } from "#lib/contract/hook-endpoints.ts";
import { InboxItem, InboxQuery } from "#lib/contract/inbox.ts";
import { insightEndpoints } from "#lib/contract/insight.ts";
import { listEndpoints } from "#lib/contract/list-endpoints.ts";
import { notificationEndpoints } from "#lib/contract/notification-endpoints.ts";
import { personEndpoints } from "#lib/contract/person-endpoints.ts";
import { recordedEndpoints } from "#lib/contract/recorded-endpoints.ts";
import { releaseEndpoints } from "#lib/contract/release-endpoints.ts";
import { Release, RolloutDetail, RolloutPath, RolloutSummary } from "#lib/contract/rollout.ts";
import { RolloutListQuery } from "#lib/contract/rollout-lists.ts";
import { sandboxEndpoints } from "#lib/contract/sandbox-endpoints.ts";
import { searchEndpoints } from "#lib/contract/search.ts";
import {
  Cluster,
  ConfigStatus,
  ConfirmConfigRequest,
  HeldObject,
  HeldObjectsQuery,
  Me,
  ReleaseHeldRequest,
  Source,
} from "#lib/contract/system.ts";
import { LintAnswer, LintRequest } from "#lib/contract/template-lab.ts";
import { TimelineEvent } from "#lib/contract/timeline.ts";

export type Endpoint = {
  method: "GET" | "POST" | "DELETE";
  /** Path below the origin, parameters in braces. */
  path: string;
  summary: string;
  /** The lowest role that may call it; finer rules are up to the service. */
  role: Role;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** The schema of a successful response; absent for streams. */
  response?: z.ZodType;
  /** Status of a successful response. */
  status: number;
  /** The content types of a successful response that is not described by a schema; a parameter chooses among them. */
  contentTypes?: readonly [string, ...string[]];
};

const ById = z.strictObject({ id: z.string() });
const ByUid = z.strictObject({ uid: z.string() });
const BySeq = z.strictObject({ seq: z.coerce.number().int().min(1) });
const NoQuery = z.strictObject({});
const rollout = "/api/v1/rollouts/{cluster}/{namespace}/{kind}/{name}";

/** Every endpoint of `/api/v1`: handlers, OpenAPI document and route tests are derived from it. */
export const endpoints = {
  getMe: {
    method: "GET",
    path: "/api/v1/me",
    summary: "The signed-in person and their rights",
    role: "viewer",
    response: Me,
  },
  listClusters: {
    method: "GET",
    path: "/api/v1/clusters",
    summary: "Configured clusters and their freshness",
    role: "viewer",
    query: NoQuery,
    response: listOf(Cluster),
  },
  listSources: {
    method: "GET",
    path: "/api/v1/sources",
    summary: "Every source: state, last contact, last error, objects",
    role: "viewer",
    query: NoQuery,
    response: listOf(Source),
  },
  listHeldObjects: {
    method: "GET",
    path: "/api/v1/sources/held",
    summary: "Objects that a source holds: missing, but not marked gone",
    role: "viewer",
    query: HeldObjectsQuery,
    response: listOf(HeldObject),
  },
  releaseHeld: {
    method: "POST",
    path: "/api/v1/sources/release",
    summary: "Confirms that the held objects of a source are gone; the recorder then marks them gone at once",
    role: "admin",
    body: ReleaseHeldRequest,
    response: Source,
    status: 202,
  },
  listRollouts: {
    method: "GET",
    path: "/api/v1/rollouts",
    summary: "Rollouts in all clusters",
    role: "viewer",
    query: RolloutListQuery,
    response: listOf(RolloutSummary),
  },
  getRollout: {
    method: "GET",
    path: rollout,
    summary: "One rollout with its steps, pauses, runs and allowed actions",
    role: "viewer",
    params: RolloutPath,
    query: NoQuery,
    response: RolloutDetail,
  },
  getRolloutObject: {
    method: "GET",
    path: `${rollout}/object`,
    summary: "The live object, redacted, fetched as the user",
    role: "viewer",
    params: RolloutPath,
    query: NoQuery,
    response: z.record(z.string(), z.unknown()),
  },
  listRolloutReleases: {
    method: "GET",
    path: `${rollout}/releases`,
    summary: "Releases of one rollout, newest first",
    role: "viewer",
    params: RolloutPath,
    query: ListQuery,
    response: listOf(Release),
  },
  listRolloutRuns: {
    method: "GET",
    path: `${rollout}/analysis-runs`,
    summary: "Analysis runs of one rollout, live and past, newest first",
    role: "viewer",
    params: RolloutPath,
    query: ListQuery,
    response: listOf(AnalysisRunSummary),
  },
  listRolloutTimeline: {
    method: "GET",
    path: `${rollout}/timeline`,
    summary: "Timeline of one rollout, newest first",
    role: "viewer",
    params: RolloutPath,
    query: ListQuery,
    response: listOf(TimelineEvent),
  },
  actOnRollout: {
    method: "POST",
    path: `${rollout}/actions`,
    summary: "Requests an action on a rollout, bound to the view that the person saw",
    role: "operator",
    params: RolloutPath,
    body: ActionRequest,
    response: ActionAccepted,
    status: 202,
  },
  planRolloutAction: {
    method: "POST",
    path: `${rollout}/action-plan`,
    summary: "What an action on a rollout would do, from the live object; changes nothing",
    role: "viewer",
    params: RolloutPath,
    body: ActionPlanRequest,
    response: ActionPlanAnswer,
  },
  actOnRun: {
    method: "POST",
    path: "/api/v1/analysis-runs/{uid}/actions",
    summary: "Ends an analysis run early, which lets its release through",
    role: "operator",
    params: ByUid,
    body: ActionRequest,
    response: ActionAccepted,
    status: 202,
  },
  planRunAction: {
    method: "POST",
    path: "/api/v1/analysis-runs/{uid}/action-plan",
    summary: "What an action on it would do, from the live object; changes nothing",
    role: "viewer",
    params: ByUid,
    body: ActionPlanRequest,
    response: ActionPlanAnswer,
  },
  actOnExperiment: {
    method: "POST",
    path: "/api/v1/experiments/{uid}/actions",
    summary: "Ends an Experiment early, or starts one that failed again",
    role: "operator",
    params: ByUid,
    body: ActionRequest,
    response: ActionAccepted,
    status: 202,
  },
  planExperimentAction: {
    method: "POST",
    path: "/api/v1/experiments/{uid}/action-plan",
    summary: "What an action on it would do, from the live object; changes nothing",
    role: "viewer",
    params: ByUid,
    body: ActionPlanRequest,
    response: ActionPlanAnswer,
  },
  getAction: {
    method: "GET",
    path: "/api/v1/actions/{id}",
    summary: "Follows an action until it is effective",
    role: "viewer",
    params: ById,
    query: NoQuery,
    response: Action,
  },
  ...releaseEndpoints,
  ...insightEndpoints,
  ...searchEndpoints,
  listRuns: {
    method: "GET",
    path: "/api/v1/analysis-runs",
    summary: "Analysis runs, live and past, newest first",
    role: "viewer",
    query: AnalysisRunListQuery,
    response: listOf(AnalysisRunSummary),
  },
  getRun: {
    method: "GET",
    path: "/api/v1/analysis-runs/{uid}",
    summary: "One analysis run with its metrics",
    role: "viewer",
    params: ByUid,
    query: NoQuery,
    response: AnalysisRunDetail,
  },
  listMeasurements: {
    method: "GET",
    path: "/api/v1/analysis-runs/{uid}/measurements",
    summary: "Measurements of a run in the order of metric and seq",
    role: "viewer",
    params: ByUid,
    query: MeasurementQuery,
    response: MeasurementList,
  },
  listEarlierSeries: {
    method: "GET",
    path: "/api/v1/analysis-runs/{uid}/earlier",
    summary: "The values of the same metrics in earlier runs of the same rollout, to compare a run with",
    role: "viewer",
    params: ByUid,
    query: NoQuery,
    response: EarlierSeriesList,
  },
  exportRun: {
    method: "GET",
    path: "/api/v1/analysis-runs/{uid}/export",
    summary: "Every measurement of a run, retaken ones included, as a CSV table or as JSON with the run itself",
    role: "viewer",
    params: ByUid,
    query: RunExportQuery,
    contentTypes: ["text/csv", "application/json"],
  },
  ...recordedEndpoints,
  ...listEndpoints,
  ...controllerEndpoints,
  ...findingEndpoints,
  ...freezeEndpoints,
  ...sandboxEndpoints,
  evaluateAnalysis: {
    method: "POST",
    path: "/api/v1/analysis/evaluate",
    summary: "Evaluates conditions on a result; changes nothing",
    role: "viewer",
    body: EvaluateRequest,
    response: PhaseVerdict,
  },
  assessAnalysis: {
    method: "POST",
    path: "/api/v1/analysis/assess",
    summary: "Assesses a metric or a run from its measurements; changes nothing",
    role: "viewer",
    body: AssessRequest,
    response: AssessAnswer,
  },
  composeAnalysis: {
    method: "POST",
    path: "/api/v1/analysis/compose",
    summary: "Composes a run's spec from templates and arguments; changes nothing",
    role: "viewer",
    body: ComposeRequest,
    response: ComposeAnswer,
  },
  backtestAnalysis: {
    method: "POST",
    path: "/api/v1/analysis/backtest",
    summary: "Replays recorded runs of a metric under changed rules; changes nothing",
    role: "viewer",
    body: BacktestRequest,
    response: BacktestAnswer,
  },
  lintAnalysis: {
    method: "POST",
    path: "/api/v1/analysis/lint",
    summary: "Lints the YAML of a template, and previews the runs that a rollout would create with it; changes nothing",
    role: "viewer",
    body: LintRequest,
    response: LintAnswer,
  },
  getInbox: {
    method: "GET",
    path: "/api/v1/inbox",
    summary: "Everything that waits for a person, ranked",
    role: "viewer",
    query: InboxQuery,
    response: listOf(InboxItem),
  },
  listAudit: {
    method: "GET",
    path: "/api/v1/audit",
    summary: "Audit entries, newest first",
    role: "viewer",
    query: AuditListQuery,
    response: listOf(AuditItem),
  },
  verifyAudit: {
    method: "GET",
    path: "/api/v1/audit/verify",
    summary: "Verifies the whole chain",
    role: "viewer",
    query: NoQuery,
    response: AuditVerification,
  },
  getAuditEntry: {
    method: "GET",
    path: "/api/v1/audit/{seq}",
    summary: "One audit entry with its evidence and its chain link",
    role: "viewer",
    params: BySeq,
    query: NoQuery,
    response: AuditDetail,
  },
  exportAudit: {
    method: "GET",
    path: "/api/v1/audit/export",
    summary: "The chain as JSON lines for verification elsewhere (stubs for entries you may not see), or a CSV table",
    role: "viewer",
    query: AuditExportQuery,
    contentTypes: ["application/x-ndjson", "text/csv"],
  },
  getConfigStatus: {
    method: "GET",
    path: "/api/v1/config",
    summary: "How the config file relates to the config in force",
    role: "viewer",
    query: NoQuery,
    response: ConfigStatus,
  },
  confirmConfig: {
    method: "POST",
    path: "/api/v1/config/confirm",
    summary: "Confirms a held config file that removes most clusters or role bindings",
    role: "admin",
    body: ConfirmConfigRequest,
    response: ConfigStatus,
  },
  ...personEndpoints,
  ...hookEndpoints,
  ...notificationEndpoints,
  ...adminEndpoints,
  stream: {
    method: "GET",
    path: "/api/v1/stream",
    summary: "Server-sent change events, resumed by Last-Event-ID",
    role: "viewer",
    contentTypes: ["text/event-stream"],
  },
} as const satisfies Record<string, Omit<Endpoint, "status"> & { status?: number }>;

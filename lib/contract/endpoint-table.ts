import { z } from "zod";
import {
  Action,
  ActionAccepted,
  ActionPlanAnswer,
  ActionPlanRequest,
  ActionRequest,
  RolloutActionRequest,
} from "#lib/contract/action.ts";
import { actionGroupEndpoints } from "#lib/contract/action-group.ts";
import { adminEndpoints } from "#lib/contract/admin-endpoints.ts";
import {
  AssessAnswer,
  AssessRequest,
  ComposeAnswer,
  ComposeRequest,
  EvaluateRequest,
  LintAnswer,
  LintRequest,
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
import {
  AuditDetail,
  AuditExportQuery,
  AuditItem,
  AuditListQuery,
  AuditVerification,
  AuditVerifyQuery,
} from "#lib/contract/audit.ts";
import { BacktestAnswer, BacktestRequest } from "#lib/contract/backtest.ts";
import { ListQuery, listOf } from "#lib/contract/common.ts";
import { controllerEndpoints } from "#lib/contract/controller.ts";
import { type Endpoint, get, post } from "#lib/contract/endpoint.ts";
import { findingEndpoints } from "#lib/contract/finding.ts";
import { freezeEndpoints } from "#lib/contract/freeze.ts";
import { hookEndpoints } from "#lib/contract/hook.ts";
import { InboxItem, InboxQuery } from "#lib/contract/inbox.ts";
import { insightEndpoints } from "#lib/contract/insight.ts";
import { linkEndpoints } from "#lib/contract/link-template.ts";
import { listEndpoints } from "#lib/contract/list-endpoints.ts";
import { monitoringEndpoints } from "#lib/contract/monitoring.ts";
import { notificationEndpoints } from "#lib/contract/notification.ts";
import { notificationSettingEndpoints } from "#lib/contract/notification-setting.ts";
import { personEndpoints } from "#lib/contract/person-endpoints.ts";
import { recordedEndpoints } from "#lib/contract/recorded-endpoints.ts";
import { releaseEndpoints } from "#lib/contract/release-course.ts";
import { Release, RolloutDetail, RolloutPath, RolloutSummary } from "#lib/contract/rollout.ts";
import { RolloutListQuery } from "#lib/contract/rollout-lists.ts";
import { sandboxEndpoints } from "#lib/contract/sandbox-faults.ts";
import { ScheduledAction, scheduledActionEndpoints } from "#lib/contract/scheduled-action.ts";
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
import { TimelineEvent } from "#lib/contract/timeline.ts";
import { setEndpoints } from "#lib/contract/version-set.ts";

const ById = z.strictObject({ id: z.string() });
const ByUid = z.strictObject({ uid: z.string() });
const BySeq = z.strictObject({ seq: z.coerce.number().int().min(1) });
const NoQuery = z.strictObject({});
const rollout = "/api/v1/rollouts/{cluster}/{namespace}/{kind}/{name}";

/** Every endpoint of `/api/v1`: handlers, OpenAPI document and route tests are derived from it. */
export const endpoints = {
  getMe: get("/api/v1/me", "The signed-in person and their rights", { response: Me }),
  listClusters: get("/api/v1/clusters", "Configured clusters and their freshness", {
    query: NoQuery,
    response: listOf(Cluster),
  }),
  listSources: get("/api/v1/sources", "Every source: state, last contact, last error, objects", {
    query: NoQuery,
    response: listOf(Source),
  }),
  listHeldObjects: get("/api/v1/sources/held", "Objects that a source holds: missing, but not marked gone", {
    query: HeldObjectsQuery,
    response: listOf(HeldObject),
  }),
  releaseHeld: post(
    "/api/v1/sources/release",
    "Confirms that the held objects of a source are gone; the recorder then marks them gone at once",
    { role: "admin", body: ReleaseHeldRequest, response: Source, status: 202 },
  ),
  listRollouts: get("/api/v1/rollouts", "Rollouts in all clusters", {
    query: RolloutListQuery,
    response: listOf(RolloutSummary),
  }),
  getRollout: get(rollout, "One rollout with its steps, pauses, runs and allowed actions", {
    params: RolloutPath,
    query: NoQuery,
    response: RolloutDetail,
  }),
  getRolloutObject: get(`${rollout}/object`, "The live object, redacted, fetched as the user", {
    params: RolloutPath,
    query: NoQuery,
    response: z.record(z.string(), z.unknown()),
  }),
  listRolloutReleases: get(`${rollout}/releases`, "Releases of one rollout, newest first", {
    params: RolloutPath,
    query: ListQuery,
    response: listOf(Release),
  }),
  listRolloutRuns: get(`${rollout}/analysis-runs`, "Analysis runs of one rollout, live and past, newest first", {
    params: RolloutPath,
    query: ListQuery,
    response: listOf(AnalysisRunSummary),
  }),
  listRolloutTimeline: get(`${rollout}/timeline`, "Timeline of one rollout, newest first", {
    params: RolloutPath,
    query: ListQuery,
    response: listOf(TimelineEvent),
  }),
  actOnRollout: post(
    `${rollout}/actions`,
    "Requests an action on a rollout, bound to the view that the person saw; with `dueAt`, for a later time",
    {
      role: "operator",
      params: RolloutPath,
      body: RolloutActionRequest,
      response: z.union([ActionAccepted, ScheduledAction]).describe("With `dueAt`, the scheduled action."),
      status: 202,
    },
  ),
  planRolloutAction: post(
    `${rollout}/action-plan`,
    "What an action on a rollout would do, from the live object; changes nothing",
    { params: RolloutPath, body: ActionPlanRequest, response: ActionPlanAnswer },
  ),
  actOnRun: post("/api/v1/analysis-runs/{uid}/actions", "Ends an analysis run early, which lets its release through", {
    role: "operator",
    params: ByUid,
    body: ActionRequest,
    response: ActionAccepted,
    status: 202,
  }),
  planRunAction: post(
    "/api/v1/analysis-runs/{uid}/action-plan",
    "What an action on it would do, from the live object; changes nothing",
    { params: ByUid, body: ActionPlanRequest, response: ActionPlanAnswer },
  ),
  actOnExperiment: post(
    "/api/v1/experiments/{uid}/actions",
    "Ends an Experiment early, or starts one that failed again",
    { role: "operator", params: ByUid, body: ActionRequest, response: ActionAccepted, status: 202 },
  ),
  planExperimentAction: post(
    "/api/v1/experiments/{uid}/action-plan",
    "What an action on it would do, from the live object; changes nothing",
    { params: ByUid, body: ActionPlanRequest, response: ActionPlanAnswer },
  ),
  getAction: get("/api/v1/actions/{id}", "Follows an action until it is effective", {
    params: ById,
    query: NoQuery,
    response: Action,
  }),
  ...releaseEndpoints,
  ...insightEndpoints,
  ...searchEndpoints,
  listRuns: get("/api/v1/analysis-runs", "Analysis runs, live and past, newest first", {
    query: AnalysisRunListQuery,
    response: listOf(AnalysisRunSummary),
  }),
  getRun: get("/api/v1/analysis-runs/{uid}", "One analysis run with its metrics", {
    params: ByUid,
    query: NoQuery,
    response: AnalysisRunDetail,
  }),
  listMeasurements: get(
    "/api/v1/analysis-runs/{uid}/measurements",
    "Measurements of a run in the order of metric and seq",
    { params: ByUid, query: MeasurementQuery, response: MeasurementList },
  ),
  listEarlierSeries: get(
    "/api/v1/analysis-runs/{uid}/earlier",
    "The values of the same metrics in earlier runs of the same rollout, to compare a run with",
    { params: ByUid, query: NoQuery, response: EarlierSeriesList },
  ),
  exportRun: get(
    "/api/v1/analysis-runs/{uid}/export",
    "Every measurement of a run, retaken ones included, as a CSV table or as JSON with the run itself",
    { params: ByUid, query: RunExportQuery, contentTypes: ["text/csv", "application/json"] },
  ),
  ...recordedEndpoints,
  ...listEndpoints,
  ...setEndpoints,
  ...actionGroupEndpoints,
  ...scheduledActionEndpoints,
  ...controllerEndpoints,
  ...findingEndpoints,
  ...monitoringEndpoints,
  ...freezeEndpoints,
  ...linkEndpoints,
  ...notificationSettingEndpoints,
  ...sandboxEndpoints,
  evaluateAnalysis: post("/api/v1/analysis/evaluate", "Evaluates conditions on a result; changes nothing", {
    body: EvaluateRequest,
    response: PhaseVerdict,
  }),
  assessAnalysis: post("/api/v1/analysis/assess", "Assesses a metric or a run from its measurements; changes nothing", {
    body: AssessRequest,
    response: AssessAnswer,
  }),
  composeAnalysis: post(
    "/api/v1/analysis/compose",
    "Composes a run's spec from templates and arguments; changes nothing",
    { body: ComposeRequest, response: ComposeAnswer },
  ),
  backtestAnalysis: post(
    "/api/v1/analysis/backtest",
    "Replays recorded runs of a metric under changed rules; changes nothing",
    { body: BacktestRequest, response: BacktestAnswer },
  ),
  lintAnalysis: post(
    "/api/v1/analysis/lint",
    "Lints the YAML of a template, and previews the runs that a rollout would create with it; changes nothing",
    { body: LintRequest, response: LintAnswer },
  ),
  getInbox: get("/api/v1/inbox", "Everything that waits for a person, ranked", {
    query: InboxQuery,
    response: listOf(InboxItem),
  }),
  listAudit: get("/api/v1/audit", "Audit entries, newest first", {
    query: AuditListQuery,
    response: listOf(AuditItem),
  }),
  verifyAudit: get("/api/v1/audit/verify", "Verifies the whole chain", {
    query: AuditVerifyQuery,
    response: AuditVerification,
  }),
  getAuditEntry: get("/api/v1/audit/{seq}", "One audit entry with its evidence and its chain link", {
    params: BySeq,
    query: NoQuery,
    response: AuditDetail,
  }),
  exportAudit: get(
    "/api/v1/audit/export",
    "The chain as JSON lines for verification elsewhere (stubs for entries you may not see), or a CSV table",
    { query: AuditExportQuery, contentTypes: ["application/x-ndjson", "text/csv"] },
  ),
  getConfigStatus: get("/api/v1/config", "How the config file relates to the config in force", {
    query: NoQuery,
    response: ConfigStatus,
  }),
  confirmConfig: post(
    "/api/v1/config/confirm",
    "Confirms a held config file that removes most clusters or role bindings",
    { role: "admin", body: ConfirmConfigRequest, response: ConfigStatus },
  ),
  ...personEndpoints,
  ...hookEndpoints,
  ...notificationEndpoints,
  ...adminEndpoints,
  stream: get("/api/v1/stream", "Server-sent change events, resumed by Last-Event-ID", {
    contentTypes: ["text/event-stream"],
  }),
} as const satisfies Record<string, Omit<Endpoint, "status"> & { status?: number }>;

import { randomUUID } from "node:crypto";
import { isRecord } from "#lib/util/json.ts";
import { createApiServer } from "#sandbox/apiserver/api-server.ts";
import { gatehouseAccount } from "#sandbox/apiserver/auth.ts";
import { type ApiStore, createStore } from "#sandbox/apiserver/store.ts";
import { putLines } from "#sandbox/apiserver/store-lines.ts";
import type { KubeObjectInput, Store } from "#sandbox/apiserver/store-types.ts";
import { type AuditedWrite, makeAuditEvent } from "#sandbox/audit/audit-event.ts";
import { startAuditSender } from "#sandbox/audit/audit-sender.ts";
import { auditStore } from "#sandbox/audit/audited-store.ts";
import { currentStep, isFullyPromoted } from "#sandbox/controllers/canary-steps.ts";
import { imageTag } from "#sandbox/controllers/metric-provider.ts";
import { findPause } from "#sandbox/controllers/pause-state.ts";
import { type Rollout, viewRollout } from "#sandbox/controllers/rollout-types.ts";
import { startControllers } from "#sandbox/controllers/start-controllers.ts";
import { computePodTemplateHash } from "#sandbox/controllers/template-hash.ts";
import { DEPLOYER } from "#sandbox/scenarios/act-on-rollout.ts";
import { buildRollout, buildTemplate } from "#sandbox/scenarios/scenario-objects.ts";
import type { Scenario, Template } from "#sandbox/scenarios/scenario-types.ts";
import type { SimulatedClock } from "./simulated-clock.ts";

/** A watch's bookmark tells the recorder that its view is current: right after each jump of the clock. */
const bookmarksMs = 100;

export type PastCluster = {
  store: ApiStore;
  /** The store for whoever acts without a request: its writes are audited. */
  audited: Store;
  port: number;
  startScenarios(): void;
  /** Returns the lines of a snapshot that the sandbox starts from. */
  snapshot(): string[];
  stop(): Promise<void>;
};

/** The sandbox's API server and controllers, in this process and on the simulated clock. */
export async function startPastCluster(options: {
  clock: SimulatedClock;
  scenarios: readonly Scenario[];
  seed: number;
  token: string;
  gatehouseToken: string;
  auditUrl: () => string;
  log: (line: string) => void;
}): Promise<PastCluster> {
  const { clock, scenarios, seed, token, gatehouseToken, log } = options;
  const now = (): Date => new Date();
  const onError = (error: unknown): void => log(String(error));
  const store = createStore({ now, uid: randomUUID, onError });
  const sender = startAuditSender({ webhookUrl: options.auditUrl, log });
  const onWrite = (write: AuditedWrite): void => sender.add(makeAuditEvent(write));
  const audited = auditStore(store, { now, onWrite });
  const controllers = startControllers({ store: audited, clock, speed: 1, seed, scenarios, log });
  const server = createApiServer({
    ...{ store, token, now, onError, onWrite, bookmarksMs, hasFaults: false },
    users: new Map([[gatehouseToken, gatehouseAccount]]),
    onStart: () => controllers.startScenarios(),
    scenarios: () => controllers.scenarios(),
  });
  const port = await server.listen(0);
  return {
    store,
    audited,
    port,
    startScenarios: () => controllers.startScenarios(),
    snapshot: () => snapshotOf(store),
    async stop() {
      controllers.stop();
      await sender.close();
      await server.close();
      await store.close();
    },
  };
}

/** Events are left out: they are in the history, and a real cluster forgets them within an hour. */
const kept = [
  ...["namespaces", "rollouts", "analysisruns", "analysistemplates", "experiments", "replicasets", "pods"],
  ...["services", "deployments"],
];

function snapshotOf(store: ApiStore): string[] {
  const head = JSON.stringify({ version: 1, rv: store.resourceVersion(), log: 1 });
  return [head, ...putLines(kept.map((resource) => ({ resource, objects: store.list(resource) })))];
}

/** Returns what can be said of a rollout; undefined while the controller has not seen its newest spec. */
export function stateOf(store: Store, { namespace, name }: Pick<Scenario, "namespace" | "name">) {
  const object = store.get("rollouts", namespace, name);
  if (object === undefined) return undefined;
  const rollout = viewRollout(object);
  const { status, spec, metadata } = rollout;
  if (
    status.observedGeneration !== String(metadata.generation ?? 0) ||
    status.currentPodHash !== computePodTemplateHash(spec.template)
  )
    return undefined;
  const { step } = currentStep(rollout);
  const isManualStep = step?.pause !== undefined && step.pause.duration === undefined;
  const isAtStep = isManualStep && findPause(status, "CanaryPauseStep") !== undefined;
  const isUndecided = findPause(status, "InconclusiveAnalysisRun") !== undefined;
  return {
    version: imageTag(spec.template.spec.containers[0]?.image ?? ""),
    healthy: status.phase === "Healthy" && isFullyPromoted(rollout),
    aborted: status.abort === true && status.phase === "Degraded",
    waiting: isAtStep || isUndecided || isPreviewReady(rollout),
    "under-way": status.phase !== "Healthy" && (status.currentStepIndex ?? 0) > 0,
  };
}

function isPreviewReady({ status, spec }: Rollout): boolean {
  if (findPause(status, "BlueGreenPause") === undefined) return false;
  const analysis = status.blueGreen?.prePromotionAnalysisRunStatus;
  return spec.strategy?.blueGreen?.prePromotionAnalysis === undefined || analysis?.status === "Successful";
}

/** Sets the limit of a template's metric, as its team does in Git. */
export function changeTemplate(
  store: Store,
  change: { namespace: string; template: string; metric: string; successCondition: string },
): void {
  const object = store.get("analysistemplates", change.namespace, change.template);
  const metrics = object?.spec?.metrics as { name: string }[] | undefined;
  if (object === undefined || metrics === undefined) throw new Error(`no template ${change.template}`);
  const changed = metrics.map((metric) =>
    metric.name === change.metric ? { ...metric, successCondition: change.successCondition } : metric,
  );
  store.update("analysistemplates", { ...object, spec: { ...object.spec, metrics: changed } }, { manager: DEPLOYER });
}

/** Gives a rollout and its templates the pace of the demo. The pod template stays, so nothing is released. */
export function quicken(store: Store, live: Scenario): void {
  for (const template of live.templates) replaceTemplate(store, live.namespace, template);
  const object = store.get("rollouts", live.namespace, live.name);
  const { strategy } = specOf(buildRollout(live));
  if (object === undefined) throw new Error(`no rollout ${live.name}`);
  store.update("rollouts", { ...object, spec: { ...object.spec, strategy } }, { manager: DEPLOYER });
}

function replaceTemplate(store: Store, namespace: string, template: Template): void {
  const object = store.get("analysistemplates", namespace, template.name);
  const spec = specOf(buildTemplate(namespace, template));
  if (object !== undefined) store.update("analysistemplates", { ...object, spec }, { manager: DEPLOYER });
}

function specOf({ spec }: KubeObjectInput): Record<string, unknown> {
  return isRecord(spec) ? spec : {};
}

import type { KubeObject, Store, StoreEvent } from "#sandbox/apiserver/store-types.ts";
import { startFlagger } from "#sandbox/flagger/start-flagger.ts";
import { allScenarios, everyScenario } from "#sandbox/scenarios/all-scenarios.ts";
import { allFlaggerScenarios } from "#sandbox/scenarios/flagger/all-flagger-scenarios.ts";
import { createFlaggerMetrics } from "#sandbox/scenarios/flagger/flagger-metrics.ts";
import { createFlaggerPlayer } from "#sandbox/scenarios/flagger/flagger-player.ts";
import type { FlaggerScenario } from "#sandbox/scenarios/flagger/flagger-scenario-types.ts";
import { startGitOpsAgent } from "#sandbox/scenarios/gitops-agent.ts";
import { answerFor, forcedVerdictOf } from "#sandbox/scenarios/metric-behaviour.ts";
import { createScenarioPlayer } from "#sandbox/scenarios/scenario-player.ts";
import type { Scenario } from "#sandbox/scenarios/scenario-types.ts";
import type { Clock } from "./clock.ts";
import { systemClock } from "./clock.ts";
import type { EventRecorder } from "./event-recorder.ts";
import { createEventRecorder } from "./event-recorder.ts";
import type { MetricQuestion, MetricSource } from "./metric-provider.ts";
import type { ForcedVerdicts, MeasurementTimes } from "./reconcile-analysis-run.ts";
import { reconcileAnalysisRun } from "./reconcile-analysis-run.ts";
import type { ReconcileContext } from "./reconcile-context.ts";
import { reconcileDeployment } from "./reconcile-deployment.ts";
import { reconcileExperiment } from "./reconcile-experiment.ts";
import type { ReadyTimes } from "./reconcile-replica-set.ts";
import { reconcileReplicaSet } from "./reconcile-replica-set.ts";
import { reconcileRollout } from "./reconcile-rollout.ts";
import { releaseServices, serviceNames } from "./rollout-services.ts";
import { isManagedRollout, viewRollout } from "./rollout-types.ts";
import { createWorkQueue } from "./work-queue.ts";

/** A Flagger beside Argo Rollouts. */
export type FlaggerSetup = {
  /** Passes come this many times as often as their interval requires; deadlines stay. */
  pace?: number;
  /** The scenarios to play; all by default. */
  scenarios?: readonly FlaggerScenario[];
  /** Returns the URL under which Gatehouse answers hooks, with credentials; without it, gates stay closed. */
  gateBaseUrl?: () => string | undefined;
};

export type ControllerOptions = {
  store: Store;
  /** Durations are divided by it; 1 is already paced for a demo. */
  speed: number;
  /** The same seed gives the same measurements. */
  seed: number;
  /** Name under which scenarios() reports the cluster. */
  cluster?: string;
  clock?: Clock;
  log?: (line: string) => void;
  /** Replaces the scenarios' metrics. */
  source?: MetricSource;
  /** The scenarios to play; all by default. */
  scenarios?: readonly Scenario[];
  /** Plays only the scenarios of these rollouts, `namespace/name`. The others still decide how theirs are measured. */
  only?: readonly string[];
  /** Namespaces that the controllers leave exactly as they are. */
  isFrozenNamespace?: (namespace: string) => boolean;
  /** Without it, Canaries are only stored. */
  flagger?: FlaggerSetup;
  /** Hears how long each reconcile and each of Flagger's passes took. */
  meter?: { onReconcile(resource: string, seconds: number, isFailed: boolean): void; onPass(seconds: number): void };
};

export type Controllers = {
  stop(): void;
  /** Creates the missing objects and plays the releases; on persisted objects it resumes. */
  startScenarios(): void;
  /** Returns scenario name to "cluster/namespace/Kind/name". */
  scenarios(): Record<string, string>;
  /** Resolves when Flagger makes no pass: its hooks are real requests. */
  idle(): Promise<void>;
};

const WATCHED = ["rollouts", "replicasets", "analysisruns", "experiments", "deployments"] as const;
type Watched = (typeof WATCHED)[number];

/** Resources whose controllers also handle changes of the objects they own, by the owner's kind. */
const OWNERS: Record<string, Watched> = {
  Rollout: "rollouts",
  Deployment: "deployments",
  ReplicaSet: "replicasets",
  Experiment: "experiments",
};
/** Kinds that a Rollout refers to by name; a change of one requeues the namespace's Rollouts. */
const REFERENCED = ["analysistemplates", "services", "deployments"];

/**
 * Starts the sandbox's Argo controllers on `store`, with as much of Kubernetes' own as they need: ReplicaSets with
 * their Pods, counts of Deployments. All state is in the store's objects.
 */
export function startControllers(options: ControllerOptions): Controllers {
  const { store, speed, seed, clock = systemClock, log = () => {}, isFrozenNamespace = () => false } = options;
  const { only } = options;
  const { scenarios = only === undefined ? allScenarios : everyScenario } = options;
  const { source = (question: MetricQuestion) => answerFor(question, { seed, scenarios }) } = options;
  const forced: ForcedVerdicts = (run) => forcedVerdictOf(run, scenarios);
  const times: MeasurementTimes = new Map();
  const readyTimes: ReadyTimes = new Map();
  const events = createEventRecorder({ store, clock, isFrozenNamespace });
  const agent = startGitOpsAgent({ store, clock, speed, log, isFrozenNamespace });
  const player = createScenarioPlayer({ store, clock, speed, scenarios: choosePlayed(scenarios, only), log });
  const canaries = options.flagger === undefined ? undefined : startCanaries(options, options.flagger);

  const queue = createWorkQueue({
    clock,
    handle,
    onError: (key, error) =>
      log(`reconcile of ${key} failed: ${error instanceof Error ? error.message : String(error)}`),
  });

  function handle(key: string): void {
    const [resource, namespace = "", name = ""] = key.split("/");
    const object = store.get(resource ?? "", namespace, name);
    if (object === undefined || object.metadata.deletionTimestamp !== undefined) {
      return;
    }
    const context: ReconcileContext = { store, nowMs: clock.now(), speed, log, events };
    const startedMs = performance.now();
    let isFailed = true;
    try {
      const wakeMs = reconcile(resource as Watched, context, object);
      if (wakeMs !== undefined) {
        queue.enqueue(key, Math.ceil(wakeMs));
      }
      isFailed = false;
    } finally {
      options.meter?.onReconcile(resource ?? "", (performance.now() - startedMs) / 1000, isFailed);
    }
  }

  function reconcile(resource: Watched, context: ReconcileContext, object: KubeObject): number | undefined {
    switch (resource) {
      case "rollouts":
        return isManagedRollout(object) ? reconcileRollout(context, object) : undefined;
      case "replicasets":
        return reconcileReplicaSet({ ...context, readyTimes }, object);
      case "analysisruns":
        return reconcileAnalysisRun({ ...context, source, times, forced }, object);
      case "experiments":
        return reconcileExperiment(context, object);
      case "deployments":
        return reconcileDeployment(context, object);
    }
  }

  function enqueueFor({ resource, object }: Pick<StoreEvent, "resource" | "object">): void {
    const { namespace, name, ownerReferences } = object.metadata;
    if (namespace === undefined || isFrozenNamespace(namespace)) {
      return;
    }
    if (isWatched(resource)) {
      queue.enqueue(`${resource}/${namespace}/${name}`);
    }
    for (const { kind, name: owner } of ownerReferences ?? []) {
      const plural = OWNERS[kind];
      if (plural !== undefined) {
        queue.enqueue(`${plural}/${namespace}/${owner}`);
      }
    }
  }

  const unsubscribe = store.subscribe((event) => {
    enqueueFor(event);
    const { resource, object, type } = event;
    const { namespace = "" } = object.metadata;
    const isReferenced = REFERENCED.includes(resource);
    if ((!isReferenced && resource !== "rollouts") || isFrozenNamespace(namespace)) {
      return;
    }
    if (isReferenced) {
      for (const rollout of store.list("rollouts", namespace)) {
        if (mayReferTo(rollout, event)) {
          enqueueFor({ resource: "rollouts", object: rollout });
        }
      }
    } else if (type !== "MODIFIED") {
      announceRollout(events, type, object);
      if (type === "DELETED") {
        releaseServices(store, object);
      }
    }
  });
  for (const resource of WATCHED) {
    for (const object of store.list(resource)) {
      enqueueFor({ resource, object });
    }
  }

  return {
    stop() {
      unsubscribe();
      agent.stop();
      player.stop();
      canaries?.player.stop();
      canaries?.flagger.stop();
      queue.stop();
    },
    startScenarios() {
      player.start();
      canaries?.player.start();
    },
    scenarios() {
      const { cluster = "demo" } = options;
      return { ...player.locations(cluster), ...canaries?.player.locations(cluster) };
    },
    idle: async () => canaries?.flagger.idle(),
  };
}

function startCanaries(options: ControllerOptions, setup: FlaggerSetup) {
  const { store, speed, seed, clock = systemClock, log = () => {}, isFrozenNamespace } = options;
  const { pace, scenarios = allFlaggerScenarios, gateBaseUrl } = setup;
  const ask = createFlaggerMetrics({ seed, scenarios });
  return {
    flagger: startFlagger({
      ...{ store, clock, speed, ask, log },
      ...(pace === undefined ? {} : { pace }),
      ...(isFrozenNamespace === undefined ? {} : { isFrozenNamespace }),
      ...(options.meter === undefined ? {} : { onPass: options.meter.onPass }),
    }),
    player: createFlaggerPlayer({
      ...{ store, clock, scenarios: choosePlayed(scenarios, options.only), log },
      ...(gateBaseUrl === undefined ? {} : { gateBaseUrl }),
    }),
  };
}

function choosePlayed<S extends Pick<Scenario, "namespace" | "name">>(
  scenarios: readonly S[],
  only?: readonly string[],
) {
  return scenarios.filter(({ namespace, name }) => only === undefined || only.includes(`${namespace}/${name}`));
}

/**
 * Emits the Events of the controller when it first sees a Rollout, and when the Rollout is gone (rollout/controller.go
 * NewController).
 */
function announceRollout(events: EventRecorder, type: StoreEvent["type"], object: KubeObject): void {
  const { namespace, name } = object.metadata;
  const added = {
    reason: "RolloutAddedToInformer",
    message: `Rollout resource added to informer: ${namespace}/${name}`,
  };
  const deleted = { reason: "RolloutDeleted", message: `Rollout ${name}/${namespace} is deleted.` };
  events.emit(object, type === "ADDED" ? added : deleted);
}

/** Returns whether a change of the object can matter to the Rollout: its named Service or workload, or any template. */
function mayReferTo(rollout: KubeObject, { resource, object }: StoreEvent): boolean {
  const { strategy, workloadRef } = viewRollout(rollout).spec;
  const { name } = object.metadata;
  switch (resource) {
    case "services":
      return serviceNames(strategy ?? {}).includes(name);
    case "deployments":
      return workloadRef?.name === name;
    default:
      return true;
  }
}

function isWatched(resource: string): resource is Watched {
  return (WATCHED as readonly string[]).includes(resource);
}

import type { KubeObject, Store, StoreEvent } from "#sandbox/apiserver/store-types.ts";
import { allScenarios } from "#sandbox/scenarios/all-scenarios.ts";
import { answerFor, forcedVerdictOf } from "#sandbox/scenarios/metric-behaviour.ts";
import { createScenarioPlayer } from "#sandbox/scenarios/scenario-player.ts";
import type { Clock } from "./clock.ts";
import { systemClock } from "./clock.ts";
import type { MetricSource } from "./metric-provider.ts";
import type { ForcedVerdicts, MeasurementTimes } from "./reconcile-analysis-run.ts";
import { reconcileAnalysisRun } from "./reconcile-analysis-run.ts";
import type { ReconcileContext } from "./reconcile-context.ts";
import type { ReadyTimes } from "./reconcile-replica-set.ts";
import { reconcileReplicaSet } from "./reconcile-replica-set.ts";
import { reconcileRollout } from "./reconcile-rollout.ts";
import { isCanaryRollout } from "./rollout-types.ts";
import { createWorkQueue } from "./work-queue.ts";

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
  /** Namespaces that the controllers leave exactly as they are. */
  isFrozenNamespace?: (namespace: string) => boolean;
};

export type Controllers = {
  stop(): void;
  /** Creates what is not there yet and plays the releases; on persisted objects it goes on where it stood. */
  startScenarios(): void;
  /** Scenario name to "cluster/namespace/Rollout/name". */
  scenarios(): Record<string, string>;
};

const WATCHED = ["rollouts", "replicasets", "analysisruns"] as const;
type Watched = (typeof WATCHED)[number];

/** Starts the Argo controller of the sandbox on `store`. All state is in the store's objects. */
export function startControllers(options: ControllerOptions): Controllers {
  const { store, speed, seed, clock = systemClock, log = () => {}, isFrozenNamespace = () => false } = options;
  const source: MetricSource = (question) => answerFor(question, { seed, scenarios: allScenarios });
  const forced: ForcedVerdicts = (run) => forcedVerdictOf(run, allScenarios);
  const times: MeasurementTimes = new Map();
  const readyTimes: ReadyTimes = new Map();
  const player = createScenarioPlayer({ store, clock, speed, scenarios: allScenarios, log });

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
    const context: ReconcileContext = { store, nowMs: clock.now(), speed, log };
    const wakeMs = reconcile(resource as Watched, context, object);
    if (wakeMs !== undefined) {
      queue.enqueue(key, Math.ceil(wakeMs));
    }
  }

  function reconcile(resource: Watched, context: ReconcileContext, object: KubeObject): number | undefined {
    switch (resource) {
      case "rollouts":
        return isCanaryRollout(object) ? reconcileRollout(context, object) : undefined;
      case "replicasets":
        return reconcileReplicaSet({ ...context, readyTimes }, object);
      case "analysisruns":
        return reconcileAnalysisRun({ ...context, source, times, forced }, object);
    }
  }

  function enqueueFor({ resource, object }: Pick<StoreEvent, "resource" | "object">): void {
    const { namespace, name, ownerReferences } = object.metadata;
    if (namespace === undefined || isFrozenNamespace(namespace) || !isWatched(resource)) {
      return;
    }
    queue.enqueue(`${resource}/${namespace}/${name}`);
    const owner = (ownerReferences ?? []).find((reference) => reference.kind === "Rollout");
    if (owner !== undefined) {
      queue.enqueue(`rollouts/${namespace}/${owner.name}`);
    }
  }

  const unsubscribe = store.subscribe((event) => {
    enqueueFor(event);
    if (event.resource === "analysistemplates") {
      store.list("rollouts", event.object.metadata.namespace).forEach((object) => {
        enqueueFor({ resource: "rollouts", object });
      });
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
      player.stop();
      queue.stop();
    },
    startScenarios: () => player.start(),
    scenarios: () => player.locations(options.cluster ?? "demo"),
  };
}

function isWatched(resource: string): resource is Watched {
  return (WATCHED as readonly string[]).includes(resource);
}

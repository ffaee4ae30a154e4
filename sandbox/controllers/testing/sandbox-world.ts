import { createStore } from "#sandbox/apiserver/store.ts";
import type { KubeObject, Store } from "#sandbox/apiserver/store-types.ts";
import type { MetricSource } from "#sandbox/controllers/metric-provider.ts";
import type { Rollout } from "#sandbox/controllers/rollout-types.ts";
import { HASH_LABEL, isOwnedBy, viewRollout } from "#sandbox/controllers/rollout-types.ts";
import type { Controllers, FlaggerSetup } from "#sandbox/controllers/start-controllers.ts";
import { startControllers } from "#sandbox/controllers/start-controllers.ts";
import { everyScenario } from "#sandbox/scenarios/all-scenarios.ts";
import type { Scenario } from "#sandbox/scenarios/scenario-types.ts";
import type { FakeClock } from "./fake-clock.ts";
import { createFakeClock } from "./fake-clock.ts";

/** A store with controllers on a clock that only the test moves. */
export type World = {
  store: Store;
  clock: FakeClock;
  controllers: Controllers;
  lines: string[];
  rollout(key: string): Rollout;
  /** Returns the runs and experiments that the Rollout owns, in order of creation. */
  runs(key: string): KubeObject[];
  experiments(key: string): KubeObject[];
  /** Applies the result of a merge patch of the status subresource; null removes a field. */
  patchStatus(key: string, patch: Record<string, unknown>): void;
  patchSpec(key: string, patch: Record<string, unknown>): void;
  setImage(key: string, image: string): void;
};

/**
 * Creates a world. `scenarios` are those that exist, or `only` names the Rollouts (`namespace/name`) of the demo's; by
 * default all of those do.
 */
export function createWorld(
  options: {
    store?: Store;
    clock?: FakeClock;
    speed?: number;
    seed?: number;
    only?: readonly string[];
    scenarios?: readonly Scenario[];
    flagger?: FlaggerSetup;
    source?: MetricSource;
  } = {},
): World {
  const { only, flagger } = options;
  const scenarios =
    options.scenarios ??
    (only === undefined
      ? undefined
      : everyScenario.filter(({ namespace, name }) => only.includes(`${namespace}/${name}`)));
  const clock = options.clock ?? createFakeClock();
  let nextUid = 1;
  const store =
    options.store ??
    createStore({
      now: () => new Date(clock.now()),
      uid: () => `00000000-0000-4000-8000-${(nextUid++).toString(16).padStart(12, "0")}`,
    });
  const lines: string[] = [];
  const controllers = startControllers({
    store,
    clock,
    speed: options.speed ?? 1,
    seed: options.seed ?? 1,
    log: (line) => lines.push(line),
    ...(options.source === undefined ? {} : { source: options.source }),
    ...(scenarios === undefined ? {} : { scenarios }),
    ...(flagger === undefined ? {} : { flagger }),
  });

  function owned(plural: string, key: string): KubeObject[] {
    const { uid, namespace } = find(key).metadata;
    return store
      .list(plural, namespace)
      .filter((object) => isOwnedBy(object, uid))
      .sort((left, right) => creationOrder(left) - creationOrder(right));
  }

  function find(key: string): KubeObject {
    const [namespace, name = ""] = key.split("/");
    const object = store.get("rollouts", namespace, name);
    if (object === undefined) {
      throw new Error(`no Rollout ${key}`);
    }
    return object;
  }

  return {
    store,
    clock,
    controllers,
    lines,
    rollout: (key) => viewRollout(find(key)),
    runs: (key) => owned("analysisruns", key),
    experiments: (key) => owned("experiments", key),
    patchStatus(key, patch) {
      const object = find(key);
      const status = withoutNulls({ ...object.status, ...patch });
      store.update("rollouts", { ...object, status }, { manager: "test", subresource: "status" });
    },
    patchSpec(key, patch) {
      const object = find(key);
      store.update("rollouts", { ...object, spec: { ...object.spec, ...patch } }, { manager: "test" });
    },
    setImage(key, image) {
      const object = find(key);
      const { template } = viewRollout(object).spec;
      const containers = template.spec.containers.map((container) => ({ ...container, image }));
      const spec = { ...object.spec, template: { ...template, spec: { ...template.spec, containers } } };
      store.update("rollouts", { ...object, spec }, { manager: "test" });
    },
  };
}

/** Returns the creation order: uids are assigned in sequence. */
function creationOrder(object: KubeObject): number {
  return Number.parseInt(object.metadata.uid.slice(-12), 16);
}

function withoutNulls(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

export function replicaSetOf(world: World, key: string, hash: string | undefined): KubeObject | undefined {
  const { namespace } = world.rollout(key).metadata;
  return world.store.list("replicasets", namespace).find((set) => set.metadata.labels?.[HASH_LABEL] === hash);
}

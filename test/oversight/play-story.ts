import { createStore } from "#sandbox/apiserver/store.ts";
import { createFakeClock } from "#sandbox/controllers/testing/fake-clock.ts";
import { createWorld, type World } from "#sandbox/controllers/testing/sandbox-world.ts";
import type { FlaggerScenario } from "#sandbox/scenarios/flagger/flagger-scenario-types.ts";
import type { Scenario } from "#sandbox/scenarios/scenario-types.ts";
import type { WatchEvent } from "#test/record-entries.ts";

/** A cluster under test, with a recorder that may be away. */
export type StoryCluster = {
  world: World;
  /** `namespace/name` of the story's rollout. */
  key: string;
  /** Lets seconds pass. */
  pass(seconds: number): Promise<void>;
  /** Writes the status as `kubectl argo rollouts` does. */
  patchAsPerson(patch: Record<string, unknown>): void;
  release(version: string): void;
  /** Nothing is recorded meanwhile; afterwards the recorder lists the existing objects. */
  whileNobodyWatches(act: () => Promise<void>): Promise<void>;
};

export type Story = {
  /** The rule that it is about. */
  rule: string;
  name: string;
  scenario: Scenario | FlaggerScenario;
  play(cluster: StoryCluster): Promise<void>;
  /** All that the rules find, as "rule severity: title"; "closed" instead of the severity if it is over. */
  found: string[];
};

/** Starts on a full minute, so that times in whole seconds are exact. */
const startMs = Date.UTC(2026, 8, 7, 9, 0, 0);

/**
 * Plays a story on a clock of its own. Resolves with the events that a recorder receives, and with the time of its end.
 * The uids of its objects are unique to `number`.
 */
export async function playStory(
  { scenario, play }: Story,
  number: number,
): Promise<{ events: WatchEvent[]; end: Date }> {
  const isFlagger = "gates" in scenario;
  const clock = createFakeClock(startMs);
  let objects = 0;
  const uid = (): string => {
    objects += 1;
    return `${hex(number, 8)}-0000-4000-8000-${hex(objects, 12)}`;
  };
  const world = createWorld({
    clock,
    store: createStore({ now: () => new Date(clock.now()), uid }),
    scenarios: isFlagger ? [] : [scenario],
    ...(isFlagger ? { flagger: { pace: 5, scenarios: [scenario] } } : {}),
  });
  const events: WatchEvent[] = [];
  const resources = new Set<string>();
  let isWatched = true;
  const receive = (type: WatchEvent["type"], object: ReturnType<World["store"]["list"]>[number]): void => {
    const { kind, metadata } = object;
    const { uid, resourceVersion } = metadata;
    events.push({ type, kind, uid, resourceVersion, object, at: new Date(clock.now()) });
  };
  world.store.subscribe(({ type, resource, object }) => {
    resources.add(resource);
    if (isWatched) receive(type, object);
  });
  const key = `${scenario.namespace}/${scenario.name}`;
  world.controllers.startScenarios();
  await play({
    world,
    key,
    async pass(seconds) {
      for (let passed = 0; passed < seconds; passed += 0.5) {
        clock.advance(Math.min(500, (seconds - passed) * 1000));
        if (isFlagger) await world.controllers.idle();
      }
    },
    patchAsPerson(patch) {
      const object = world.store.get("rollouts", scenario.namespace, scenario.name);
      if (object === undefined) throw new Error(`no Rollout ${key}`);
      const status = { ...object.status, ...patch };
      const by = { manager: "kubectl-argo-rollouts", subresource: "status" } as const;
      world.store.update("rollouts", { ...object, status }, by);
    },
    release: (version) => world.setImage(key, `${scenario.image}:${version}`),
    async whileNobodyWatches(act) {
      isWatched = false;
      await act();
      isWatched = true;
      for (const resource of resources) for (const object of world.store.list(resource)) receive("LISTED", object);
    },
  });
  world.controllers.stop();
  return { events, end: new Date(clock.now()) };
}

function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, "0");
}

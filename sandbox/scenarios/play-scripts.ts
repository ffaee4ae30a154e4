import type { Store } from "#sandbox/apiserver/store-types.ts";
import type { Clock } from "#sandbox/controllers/clock.ts";
import { createWorkQueue } from "#sandbox/controllers/work-queue.ts";

export type ScenarioPlayer = {
  start(): void;
  stop(): void;
  /** Lists `cluster/namespace/kind/name` by the scenarios' keys in demo.json. */
  locations(cluster: string): Record<string, string>;
};

type Named = { key?: string; namespace: string; name: string };

/** Plays scripts: whenever an object with a scenario's name changes, `play` looks whether the next step is due. */
export function playScripts<S extends Named>(options: {
  store: Store;
  clock: Clock;
  scenarios: readonly S[];
  /** Whose changes can make a step due. */
  resources: readonly string[];
  kind: string;
  install: (scenario: S) => void;
  /** Returns milliseconds after which it looks again; undefined if it waits for a change. */
  play: (scenario: S) => number | undefined;
  log: (line: string) => void;
}): ScenarioPlayer {
  const { store, clock, scenarios, resources, kind, install, play, log } = options;
  const byKey = new Map(scenarios.map((scenario) => [`${scenario.namespace}/${scenario.name}`, scenario]));
  let unsubscribe: (() => void) | undefined;

  const queue = createWorkQueue({
    clock,
    handle(key) {
      const scenario = byKey.get(key);
      const waitMs = scenario && play(scenario);
      if (waitMs !== undefined) {
        queue.enqueue(key, waitMs);
      }
    },
    onError: (key, error) => log(`scenario ${key} failed: ${error instanceof Error ? error.message : String(error)}`),
  });

  return {
    start() {
      if (unsubscribe !== undefined) {
        return;
      }
      unsubscribe = store.subscribe(({ resource, object }) => {
        const key = `${object.metadata.namespace}/${object.metadata.name}`;
        if (resources.includes(resource) && byKey.has(key)) {
          queue.enqueue(key);
        }
      });
      for (const [key, scenario] of byKey) {
        install(scenario);
        queue.enqueue(key);
      }
    },
    stop() {
      unsubscribe?.();
      queue.stop();
    },
    locations: (cluster) =>
      Object.fromEntries(
        scenarios.flatMap(({ key, namespace, name }) =>
          key === undefined ? [] : [[key, `${cluster}/${namespace}/${kind}/${name}`]],
        ),
      ),
  };
}

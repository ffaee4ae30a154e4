import type { Store } from "#sandbox/apiserver/store-types.ts";
import type { Clock } from "#sandbox/controllers/clock.ts";
import { parseTime } from "#sandbox/controllers/clock.ts";
import { imageTag } from "#sandbox/controllers/metric-provider.ts";
import { resolveRollout } from "#sandbox/controllers/resolve-workload.ts";
import { findCondition } from "#sandbox/controllers/rollout-conditions.ts";
import type { Rollout } from "#sandbox/controllers/rollout-types.ts";
import { createWorkQueue } from "#sandbox/controllers/work-queue.ts";
import { actOnRollout, release, SCRIPT_STEP_ANNOTATION } from "./act-on-rollout.ts";
import { installScenario } from "./install-scenario.ts";
import { isMoment } from "./is-moment.ts";
import type { Scenario } from "./scenario-types.ts";

export type ScenarioPlayer = {
  start(): void;
  stop(): void;
  locations(cluster: string): Record<string, string>;
};

/** Plays the scripts: each step as soon as its Rollout has reached the moment that the step waits for. */
export function createScenarioPlayer(options: {
  store: Store;
  clock: Clock;
  speed: number;
  scenarios: readonly Scenario[];
  log: (line: string) => void;
}): ScenarioPlayer {
  const { store, clock, speed, scenarios, log } = options;
  const byKey = new Map(scenarios.map((scenario) => [`${scenario.namespace}/${scenario.name}`, scenario]));
  let unsubscribe: (() => void) | undefined;

  const queue = createWorkQueue({
    clock,
    handle: play,
    onError: (key, error) => log(`scenario ${key} failed: ${error instanceof Error ? error.message : String(error)}`),
  });

  function play(key: string): void {
    const scenario = byKey.get(key);
    const object = scenario && store.get("rollouts", scenario.namespace, scenario.name);
    if (scenario === undefined || object === undefined) {
      return;
    }
    const resolved = resolveRollout(store, object);
    if ("problem" in resolved) {
      return;
    }
    const { rollout } = resolved;
    const played = Number(object.metadata.annotations?.[SCRIPT_STEP_ANNOTATION] ?? "0");
    const step = scenario.script[played];
    if (step !== undefined) {
      if (isMoment(rollout, step.when)) {
        actOnRollout(store, object, step, played + 1);
      }
      return;
    }
    const waitMs = releaseWaitMs(scenario, rollout, { nowMs: clock.now(), speed });
    if (waitMs === 0) {
      release(store, object, { version: nextVersion(tagOf(rollout)), played });
    } else if (waitMs !== undefined) {
      queue.enqueue(key, waitMs);
    }
  }

  return {
    start() {
      if (unsubscribe !== undefined) {
        return;
      }
      unsubscribe = store.subscribe(({ resource, object }) => {
        const key = `${object.metadata.namespace}/${object.metadata.name}`;
        if (resource === "rollouts" && byKey.has(key)) {
          queue.enqueue(key);
        }
      });
      for (const [key, scenario] of byKey) {
        installScenario(store, scenario);
        queue.enqueue(key);
      }
    },
    stop() {
      unsubscribe?.();
      queue.stop();
    },
    locations(cluster) {
      const named = scenarios.filter((scenario) => scenario.key !== undefined);
      return Object.fromEntries(
        named.map(({ key, namespace, name }) => [key ?? "", `${cluster}/${namespace}/Rollout/${name}`]),
      );
    },
  };
}

/** Returns how long until the next release of a live Rollout; undefined while the last one is still in progress. */
function releaseWaitMs(
  scenario: Scenario,
  rollout: Rollout,
  time: { nowMs: number; speed: number },
): number | undefined {
  if (scenario.releaseEverySeconds === undefined || !isMoment(rollout, "healthy")) {
    return undefined;
  }
  const healthyMs = parseTime(findCondition(rollout.status, "Healthy")?.lastTransitionTime) ?? time.nowMs;
  return Math.max(0, Math.ceil(healthyMs + (scenario.releaseEverySeconds * 1000) / time.speed - time.nowMs));
}

/** Increments "v1.4.9" to "v1.4.10"; appends a number to a tag without one. */
export function nextVersion(tag: string): string {
  const match = /^(.*?)(\d+)$/.exec(tag);
  return match === null ? `${tag}-1` : `${match[1]}${Number(match[2]) + 1}`;
}

function tagOf(rollout: Rollout): string {
  return imageTag(rollout.spec.template.spec.containers[0]?.image ?? "");
}

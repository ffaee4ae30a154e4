import { createStore } from "#sandbox/apiserver/store.ts";
import type { KubeObject, Store } from "#sandbox/apiserver/store-types.ts";
import type { MetricAnswer } from "#sandbox/controllers/metric-provider.ts";
import { startControllers } from "#sandbox/controllers/start-controllers.ts";
import { createFakeClock } from "#sandbox/controllers/testing/fake-clock.ts";
import { type Canary, viewCanary } from "#sandbox/flagger/canary-types.ts";
import { type Flagger, startFlagger } from "#sandbox/flagger/start-flagger.ts";
import { createStateNotes } from "./canary-state.ts";

export const NAMESPACE = "shop";

/** A store with the sandbox's controllers and its Flagger, on a clock that only the test moves. */
export type FlaggerWorld = {
  store: Store;
  flagger: Flagger;
  lines: string[];
  /** Returns the metrics server's answer; tests replace it. */
  answer: (metric: string) => MetricAnswer;
  advance(ms: number): Promise<void>;
  canary(): Canary;
  /** Patches the Canary's spec. */
  patchCanary(patch: Record<string, unknown>): void;
  deployment(name: string): KubeObject;
  /** Changes the target's pods. */
  release(image: string, annotations?: Record<string, string>): void;
};

const STEP_MS = 500;

export function createFlaggerWorld(options: { namespace?: string; name?: string } = {}): FlaggerWorld {
  const { namespace = NAMESPACE, name = "app" } = options;
  const clock = createFakeClock();
  let nextUid = 1;
  const store = createStore({
    now: () => new Date(clock.now()),
    uid: () => `00000000-0000-4000-8000-${String(nextUid++).padStart(12, "0")}`,
  });
  const lines: string[] = [];
  const log = (line: string): void => void lines.push(line);
  startControllers({ store, clock, speed: 1, seed: 1, log, scenarios: [] });
  const manifest = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };
  store.create("namespaces", manifest, { manager: "test" });

  function find(resource: string, wanted: string): KubeObject {
    const object = store.get(resource, namespace, wanted);
    if (object === undefined) throw new Error(`no ${resource} ${wanted}`);
    return object;
  }

  const world: FlaggerWorld = {
    store,
    flagger: startFlagger({ store, clock, speed: 1, log, ask: ({ metric }) => world.answer(metric) }),
    lines,
    answer: () => ({ value: 1 }),
    async advance(ms) {
      for (let passedMs = 0; passedMs < ms; passedMs += STEP_MS) {
        clock.advance(Math.min(STEP_MS, ms - passedMs));
        await world.flagger.idle();
      }
    },
    canary() {
      const view = viewCanary(find("canaries", name));
      if (view === undefined) throw new Error("not a Canary");
      return view;
    },
    patchCanary(patch) {
      const object = find("canaries", name);
      store.update("canaries", { ...object, spec: { ...object.spec, ...patch } }, { manager: "test" });
    },
    deployment: (wanted) => find("deployments", wanted),
    release(image, annotations) {
      const object = find("deployments", name);
      const labels = { app: name };
      const template = {
        metadata: { labels, ...(annotations === undefined ? {} : { annotations }) },
        spec: { containers: [{ name: "app", image }] },
      };
      store.update("deployments", { ...object, spec: { ...object.spec, template } }, { manager: "test" });
    },
  };
  return world;
}

/** Creates target, Ingress and Canary. */
export function putCanary(
  { store }: FlaggerWorld,
  options: {
    namespace?: string;
    name?: string;
    spec?: Record<string, unknown>;
    deployment?: Record<string, unknown>;
    annotations?: Record<string, string>;
  } = {},
): void {
  const { namespace = NAMESPACE, name = "app", annotations = {} } = options;
  const metadata = { name, namespace };
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: "app", image: "web:1.0.0" }] } };
  const spec = { replicas: 2, selector: { matchLabels: labels }, template, ...options.deployment };
  store.create("deployments", { apiVersion: "apps/v1", kind: "Deployment", metadata, spec }, { manager: "test" });
  const backend = { service: { name, port: { number: 80 } } };
  const rules = [{ http: { paths: [{ path: "/", pathType: "Prefix", backend }] } }];
  const ingress = { apiVersion: "networking.k8s.io/v1", kind: "Ingress", metadata, spec: { rules } };
  store.create("ingresses", ingress, { manager: "test" });
  const canary = { apiVersion: "flagger.app/v1beta1", kind: "Canary", metadata: { ...metadata, annotations } };
  const targetRef = { apiVersion: "apps/v1", kind: "Deployment", name };
  const full = { provider: "nginx", ingressRef: { name }, service: { port: 80 }, targetRef, ...options.spec };
  store.create("canaries", { ...canary, spec: full }, { manager: "test" });
}

/** Follows the Canary's states, equal neighbours only once. */
export function followStates({ store }: FlaggerWorld, name = "app"): string[] {
  const states: string[] = [];
  const note = createStateNotes();
  store.subscribe(({ resource, object }) => {
    const state = resource === "canaries" && object.metadata.name === name ? note(object) : undefined;
    if (state !== undefined && state !== states.at(-1)) states.push(state);
  });
  return states;
}

/** Follows the texts of the Canary's Events, each time that one is sent and not throttled. */
export function followMessages({ store }: FlaggerWorld, name = "app"): string[] {
  const messages: string[] = [];
  store.subscribe(({ type, resource, object }) => {
    const { involvedObject, source, message } = object as {
      involvedObject?: unknown;
      source?: unknown;
      message?: unknown;
    };
    const isAbout = (involvedObject as { name?: string } | undefined)?.name === name;
    const isOurs = (source as { component?: string } | undefined)?.component === "flagger";
    if (resource === "events" && type !== "DELETED" && isAbout && isOurs)
      messages.push(withoutFolding(String(message)));
  });
  return messages;
}

/** Removes the prefix that the controller adds to combined Events. */
export function withoutFolding(message: string): string {
  return message.replace(/^\(combined from similar events\): /, "");
}

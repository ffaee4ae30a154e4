import type { KubeObject, KubeObjectInput, Store } from "#sandbox/apiserver/store-types.ts";
import type { Clock } from "#sandbox/controllers/clock.ts";
import { createWorkQueue } from "#sandbox/controllers/work-queue.ts";

/** The field manager of Argo CD's application controller. */
export const DELIVERY_TOOL = "argocd-controller";
export const TRACKING_ANNOTATION = "argocd.argoproj.io/tracking-id";
/** The last applied state, as client-side apply stores it: the desired state, since there is no repository here. */
export const APPLIED_ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";

/** How long Argo CD waits before it self-heals (--self-heal-timeout-seconds). */
const SELF_HEAL_MS = 5_000;

type Fields = Record<string, unknown>;

/**
 * Plays Argo CD with self-heal: if the spec of a tracked Rollout differs from the applied one, it is restored after
 * five seconds, under the tool's own field manager. Fields that were never applied, such as restartAt, are left alone,
 * and so is status.
 */
export function startGitOpsAgent(options: {
  store: Store;
  clock: Clock;
  speed: number;
  log: (line: string) => void;
  isFrozenNamespace: (namespace: string) => boolean;
}): { stop(): void } {
  const { store, clock, speed, log, isFrozenNamespace } = options;
  const queue = createWorkQueue({
    clock,
    handle: heal,
    onError: (key, error) =>
      log(`self-heal of ${key} failed: ${error instanceof Error ? error.message : String(error)}`),
  });

  function heal(key: string): void {
    const [namespace = "", name = ""] = key.split("/");
    const object = store.get("rollouts", namespace, name);
    const desired = object === undefined ? undefined : readDesired(object);
    if (object === undefined || desired === undefined || covers(object.spec, desired)) {
      return;
    }
    const spec = overlay(object.spec, desired) as Fields;
    store.update("rollouts", { ...object, spec }, { manager: DELIVERY_TOOL });
    log(`put back the spec of Rollout ${key}`);
  }

  function look(object: KubeObject): void {
    const { namespace = "", name, deletionTimestamp } = object.metadata;
    const desired = readDesired(object);
    const isLost = desired !== undefined && deletionTimestamp === undefined && !covers(object.spec, desired);
    if (isLost && !isFrozenNamespace(namespace)) {
      queue.enqueue(`${namespace}/${name}`, SELF_HEAL_MS / speed);
    }
  }

  const unsubscribe = store.subscribe(({ type, resource, object }) => {
    if (resource === "rollouts" && type !== "DELETED") {
      look(object);
    }
  });
  store.list("rollouts").forEach(look);
  return {
    stop() {
      unsubscribe();
      queue.stop();
    },
  };
}

export function isTracked({ metadata }: Pick<KubeObjectInput, "metadata">): boolean {
  return metadata.annotations?.[TRACKING_ANNOTATION] !== undefined;
}

/** Returns the object as Argo CD first applies it: tracked, with the applied state recorded on it. */
export function trackByArgoCd(object: KubeObjectInput): KubeObjectInput {
  const { name, namespace = "" } = object.metadata;
  const trackingId = `${namespace}-${name}:argoproj.io/Rollout:${namespace}/${name}`;
  const metadata = { ...object.metadata, annotations: { [TRACKING_ANNOTATION]: trackingId } };
  return withDesired({ ...object, metadata }, { ...object, metadata });
}

/** Records another desired state on the object; fields that `change` omits keep their desired value. */
export function withDesired<T extends KubeObjectInput>(object: T, change: Fields): T {
  const before = object.metadata.annotations?.[APPLIED_ANNOTATION];
  const applied = JSON.stringify({ ...(before === undefined ? {} : (JSON.parse(before) as Fields)), ...change });
  const annotations = { ...object.metadata.annotations, [APPLIED_ANNOTATION]: applied };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

function readDesired(object: KubeObject): Fields | undefined {
  const applied = object.metadata.annotations?.[APPLIED_ANNOTATION];
  if (!isTracked(object) || applied === undefined) {
    return undefined;
  }
  try {
    const { spec } = JSON.parse(applied) as { spec?: unknown };
    return isFields(spec) ? spec : undefined;
  } catch {
    return undefined;
  }
}

/** Returns whether the live value contains everything in the desired one. */
function covers(live: unknown, wanted: unknown): boolean {
  if (isFields(wanted)) {
    return isFields(live) && Object.entries(wanted).every(([key, value]) => covers(live[key], value));
  }
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(live) && live.length === wanted.length && wanted.every((value, index) => covers(live[index], value))
    );
  }
  return live === wanted;
}

function overlay(live: unknown, wanted: unknown): unknown {
  if (!isFields(wanted) || !isFields(live)) {
    return wanted;
  }
  const entries = Object.entries(wanted).map(([key, value]) => [key, overlay(live[key], value)]);
  return { ...live, ...(Object.fromEntries(entries) as Fields) };
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

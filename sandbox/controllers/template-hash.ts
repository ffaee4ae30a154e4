import { isSame } from "#lib/util/diff-merge.ts";
import { fnv1a } from "#lib/util/fnv1a.ts";
import { type CanaryStep, HASH_LABEL, type PodTemplate } from "./rollout-types.ts";

const SAFE_LETTERS = "bcdfghjklmnpqrstvwxz2456789";

/** Stored objects are frozen and shared between versions, so a cached result stays correct. */
const known = new WeakMap<object, string>();

/**
 * Names a pod template as the controller does: short, stable text that spells no word. A template with explicit
 * defaults, as an undo writes it from the ReplicaSet, gets the same name as one without them.
 */
export function computePodTemplateHash(template: PodTemplate): string {
  return remember(template, () => {
    const labels = { ...template.metadata?.labels };
    delete labels[HASH_LABEL];
    return hashText(sortedJson(withoutDefaults({ ...template, metadata: { ...template.metadata, labels } })));
  });
}

/** Fields that the API server defaults, with their values. */
const DEFAULTS: Record<string, unknown> = {
  creationTimestamp: null,
  restartPolicy: "Always",
  terminationGracePeriodSeconds: 30,
  dnsPolicy: "ClusterFirst",
  schedulerName: "default-scheduler",
  securityContext: {},
  resources: {},
  terminationMessagePath: "/dev/termination-log",
  terminationMessagePolicy: "File",
  imagePullPolicy: "IfNotPresent",
  protocol: "TCP",
};

function withoutDefaults(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutDefaults);
  }
  if (value === null || typeof value !== "object") {
    return value;
  }
  const kept = Object.entries(value).filter(([key, field]) => !(key in DEFAULTS && isSame(field, DEFAULTS[key])));
  return Object.fromEntries(kept.map(([key, field]) => [key, withoutDefaults(field)]));
}

export function computeStepHash(steps: CanaryStep[]): string {
  return remember(steps, () => hashText(sortedJson(steps)));
}

function remember(value: object, compute: () => string): string {
  const hash = known.get(value) ?? compute();
  if (Object.isFrozen(value)) {
    known.set(value, hash);
  }
  return hash;
}

/** Computes FNV-1a in 32 bits, as decimal text, each character mapped to a safe letter. */
export function hashText(text: string): string {
  const digits = String(fnv1a(text));
  return [...digits].map((digit) => SAFE_LETTERS[digit.charCodeAt(0) % SAFE_LETTERS.length] ?? "").join("");
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, field: unknown) =>
    field !== null && typeof field === "object" && !Array.isArray(field)
      ? Object.fromEntries(Object.entries(field).sort(([left], [right]) => (left < right ? -1 : 1)))
      : field,
  );
}

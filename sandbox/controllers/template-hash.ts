import type { CanaryStep, PodTemplate } from "./rollout-types.ts";
import { HASH_LABEL } from "./rollout-types.ts";

const SAFE_LETTERS = "bcdfghjklmnpqrstvwxz2456789";

/** Stored objects are frozen and shared between versions, so that what was computed of one stays true. */
const known = new WeakMap<object, string>();

/** Names a pod template as the controller does: short, stable text that spells no word. */
export function computePodTemplateHash(template: PodTemplate): string {
  return remember(template, () => {
    const labels = { ...template.metadata?.labels };
    delete labels[HASH_LABEL];
    return hashText(sortedJson({ ...template, metadata: { ...template.metadata, labels } }));
  });
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

/** FNV-1a in 32 bits, as decimal text, each character mapped to a safe letter. */
export function hashText(text: string): string {
  const digits = String(computeFnv32(text));
  return [...digits].map((digit) => SAFE_LETTERS[digit.charCodeAt(0) % SAFE_LETTERS.length] ?? "").join("");
}

export function computeFnv32(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return hash;
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, field: unknown) =>
    field !== null && typeof field === "object" && !Array.isArray(field)
      ? Object.fromEntries(Object.entries(field).sort(([left], [right]) => (left < right ? -1 : 1)))
      : field,
  );
}

import { hideSecrets } from "#lib/domain/storable/redact-text.ts";

/** Replaces a value of a pod template: environment and arguments may contain secrets that no rule would find. */
export const hiddenValue = "[hidden]";

/** Members that give a name or an image, or are one of a few words or an amount: no secrets. */
const shown: readonly string[] = [
  "name",
  "image",
  "protocol",
  "cpu",
  "memory",
  "ephemeral-storage",
  "imagePullPolicy",
  "restartPolicy",
  "dnsPolicy",
  "terminationMessagePolicy",
];

/**
 * Returns the patch of a pod template with only names, images, numbers and similar values, and removals; all other
 * values are hidden. The result may be stored and shown, and still tells which parts change. Arguments and environment
 * are texts in Kubernetes' API.
 */
export function outlinePatch(value: unknown, key = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => outlinePatch(item));
  if (value === null) return null;
  if (typeof value === "string") return shown.includes(key) ? value : hiddenValue;
  if (typeof value !== "object") return value;
  // Keys of maps that people fill (labels, annotations, selectors) are names too, but their values are not.
  const isMap = key === "labels" || key === "annotations" || key === "matchLabels" || key === "nodeSelector";
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, outlinePatch(member, isMap ? "" : name)]),
  );
}

/** A shorter value would match everywhere. */
const shortest = 4;

/** Hides every value of such a patch that the cluster's message repeats. */
export function hideTemplateValues({ text, patch }: { text: string; patch: unknown }): string {
  const values: string[] = [];
  collectValues(patch, "", values);
  const secrets = values
    .filter((value) => value.length >= shortest)
    .toSorted((one, other) => other.length - one.length);
  return hideSecrets(text, secrets);
}

function collectValues(value: unknown, key: string, found: string[]): void {
  if (typeof value === "string") {
    if (!shown.includes(key)) found.push(value, JSON.stringify(value).slice(1, -1));
  } else if (Array.isArray(value)) for (const item of value) collectValues(item, "", found);
  else if (typeof value === "object" && value !== null)
    for (const [name, member] of Object.entries(value)) collectValues(member, name, found);
}

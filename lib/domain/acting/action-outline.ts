import { hideSecrets } from "#lib/domain/storable/redact-text.ts";

/** Stands where a value of a pod template was: environment and arguments may hold secrets that no rule would find. */
export const hiddenValue = "[hidden]";

/** Members that say what a thing is called, which image it runs, or are one of a few words or an amount: no secrets. */
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
 * The patch of a pod template with every value hidden but names, images, numbers, the like, and what is removed: what
 * may be stored and shown, and still says which parts change. Arguments and environment are texts in Kubernetes' API.
 */
export function outlinePatch(value: unknown, key = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => outlinePatch(item));
  if (value === null) return null;
  if (typeof value === "string") return shown.includes(key) ? value : hiddenValue;
  if (typeof value !== "object") return value;
  // Keys of maps that people fill (labels, annotations, selectors) are names too, but what is in them is not.
  const isMap = key === "labels" || key === "annotations" || key === "matchLabels" || key === "nodeSelector";
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, outlinePatch(member, isMap ? "" : name)]),
  );
}

/** A short word would be found everywhere. */
const shortest = 4;

/** A text of the cluster about such a patch, with every value of it that it repeats hidden. */
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

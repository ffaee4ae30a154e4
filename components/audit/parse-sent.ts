export type SentPatch = {
  object: string;
  /** Empty for the object itself. */
  subresource: string;
  resourceVersion: string;
  body: unknown;
  answer: string;
};

/** Parses the patches of an outcome; undefined if it does not have them, as in entries of earlier versions. */
export function parseSent(sent: unknown): SentPatch[] | undefined {
  if (!Array.isArray(sent)) return undefined;
  const patches = sent.map(parsePatch);
  return patches.includes(undefined) ? undefined : patches.filter((patch) => patch !== undefined);
}

function parsePatch(value: unknown): SentPatch | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { object, subresource, resourceVersion, body, answer } = value as Record<string, unknown>;
  if (typeof object !== "string" || typeof subresource !== "string") return undefined;
  if (typeof resourceVersion !== "string" || typeof answer !== "string") return undefined;
  return { object, subresource, resourceVersion, body, answer };
}

import type { z } from "zod";

type Page = { items: unknown[] };

/**
 * Drops list items that do not match the list's schema: a corrupt stored row must not take the others down. Other
 * outputs stay unchanged. `onCorrupt` is called for each dropped item, with the reason.
 */
export function dropCorruptItems<Output>({
  schema,
  output,
  onCorrupt,
}: {
  schema: z.ZodType | undefined;
  output: Output;
  onCorrupt: (reason: string) => void;
}): Output {
  if (schema === undefined || !isPage(output)) return output;
  const checked = schema.safeParse(output);
  if (checked.success) return output;
  const reasons = new Map<PropertyKey | undefined, string>();
  for (const { path, message } of checked.error.issues) {
    const [member, index, ...rest] = path;
    if (member !== "items" || index === undefined) return output;
    if (!reasons.has(index)) reasons.set(index, `${rest.join(".")}: ${message}`);
  }
  for (const reason of reasons.values()) onCorrupt(reason);
  return { ...output, items: output.items.filter((_, index) => !reasons.has(index)) };
}

function isPage(output: unknown): output is Page {
  return output !== null && typeof output === "object" && "items" in output && Array.isArray(output.items);
}

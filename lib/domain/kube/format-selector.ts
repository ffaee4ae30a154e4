import { z } from "zod";

const Selector = z.looseObject({
  matchLabels: z.record(z.string(), z.string()).nullish(),
  matchExpressions: z
    .array(z.looseObject({ key: z.string(), operator: z.string(), values: z.array(z.string()).nullish() }))
    .nullish(),
});

/**
 * Formats a label selector as a query; returns "" for an absent selector, which matches everything, as upstream's does.
 */
export function formatSelector(selector: unknown): string {
  const parsed = Selector.safeParse(selector);
  if (!parsed.success) return "";
  const labels = Object.entries(parsed.data.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
  const expressions = (parsed.data.matchExpressions ?? []).map(({ key, operator, values }) => {
    if (operator === "Exists") return key;
    if (operator === "DoesNotExist") return `!${key}`;
    return `${key} ${operator === "NotIn" ? "notin" : "in"} (${(values ?? []).join(",")})`;
  });
  return [...labels, ...expressions].join(",");
}

import { z } from "zod";
import type { ListQuery } from "#lib/contract/common.ts";

/**
 * Makes the `sort` parameter of a list. A minus in front of a name reverses its order; rows without the value come last
 * either way.
 */
export function sortedBy<const Name extends string>(names: readonly Name[], usual: Name | `-${Name}`) {
  type Sort = Name | `-${Name}`;
  const values = names.flatMap((name): Sort[] => [name, `-${name}`]);
  return z
    .enum(values)
    .optional()
    .describe(`The order; a minus reverses it. Without it: ${usual}. Rows without the value come last.`);
}

export const periods = ["1h", "24h", "7d", "30d"] as const;
export type Period = (typeof periods)[number];

export const PointInTime = z.iso
  .datetime({ offset: true })
  .refine((text) => !text.startsWith("0000"), "year 0 does not exist");

/** Makes the parameters of a span of time: relative to now, between two times, or both. */
export function timeSpanOf(what: string) {
  return {
    last: z.enum(periods).optional().describe(`${what} within this time before now.`),
    from: PointInTime.optional().describe(`${what} at or after this time.`),
    to: PointInTime.optional().describe(`${what} before this time.`),
  };
}

export type TimeSpan = { last?: Period | undefined; from?: string | undefined; to?: string | undefined };

/** For the query of a list's export: the same filters and order, without pages. `Query.omit(pages)`. */
export const pages = { limit: true, cursor: true } as const satisfies Record<keyof typeof ListQuery.shape, true>;

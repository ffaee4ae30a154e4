import { z } from "zod";
import { type LimitName, limitNames, oversightLimits } from "#lib/domain/oversight/limits.ts";
import { ruleCatalogue } from "#lib/domain/oversight/rule-catalogue.ts";
import type { OversightScope } from "#lib/domain/oversight/scope.ts";
import { scopeFields } from "./policy-schema.ts";

const ruleId = z.enum(ruleCatalogue.map(({ id }) => id));

const limits = Object.fromEntries(
  limitNames.map((name) => {
    const { min, max } = oversightLimits[name];
    return [name, z.number().int().min(min).max(max).optional()];
  }),
) as Record<LimitName, z.ZodOptional<z.ZodNumber>>;

/**
 * The rules of oversight that apply, and their limits; for each field, the first entry that sets it for a rollout
 * counts. For a source or a controller, entries that name namespaces or rollouts do not count.
 */
export const OversightConfig = z
  .array(
    z.strictObject({
      ...scopeFields,
      /** Rules that are not evaluated here. */
      off: z.array(ruleId).optional(),
      /** Pause a rollout here, as Gatehouse, if the controller is about to ignore an Inconclusive result. */
      hold: z.boolean().optional(),
      ...limits,
    }),
  )
  .default([]);
export type OversightConfig = z.infer<typeof OversightConfig>;

export function toOversightScopes(entries: OversightConfig): OversightScope[] {
  return entries.map(({ clusters, namespaces, rollouts, off, hold, ...limits }) => {
    return { scope: { clusters, namespaces, rollouts }, off, hold, limits };
  });
}

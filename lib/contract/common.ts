import { z } from "zod";
import { deliveryKinds } from "#lib/domain/delivery/delivery-kind.ts";
import { cleanName, isBlank } from "#lib/util/text.ts";

/** ISO 8601 time in UTC, as in `2026-03-01T09:30:00.000Z`. The year 0 does not exist. */
export const Timestamp = z.iso.datetime().refine((text) => !text.startsWith("0000"), "year 0 does not exist");

export const RolloutKind = z.enum(deliveryKinds);
export type RolloutKind = z.infer<typeof RolloutKind>;

export const Strategy = z.enum(["Canary", "BlueGreen", "ABTesting"]);
export type Strategy = z.infer<typeof Strategy>;

/** The phase of a rollout as `kubectl argo rollouts` computes it. */
export const RolloutPhase = z.enum(["Healthy", "Progressing", "Paused", "Degraded", "Unknown"]);
export type RolloutPhase = z.infer<typeof RolloutPhase>;

/** The phase of an analysis run, metric or measurement, as upstream writes it; `Unknown` for one we do not know. */
export const AnalysisPhase = z.enum(["Pending", "Running", "Successful", "Failed", "Error", "Inconclusive", "Unknown"]);
export type AnalysisPhase = z.infer<typeof AnalysisPhase>;

export const Role = z.enum(["viewer", "operator", "admin"]);
export type Role = z.infer<typeof Role>;

/** The reason for an act. It must contain visible text, because the audit log keeps it forever. */
export const RequiredReason = z
  .string()
  .trim()
  .max(2000)
  .refine((text) => !isBlank(text), "give a reason in visible characters");

/** A name that a person gives and others are shown: as it looks, and nothing beside it. */
export function displayName(maxLength: number) {
  return z
    .string()
    .trim()
    .min(1)
    .max(maxLength)
    .refine(
      (text) => cleanName(text) === text,
      "give a name of one line, with single spaces and without invisible characters or marks of direction",
    );
}

/** Query parameters that every list accepts. */
export const ListQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50).describe("Items per page, 1 to 200."),
  cursor: z.string().max(500).optional().describe("The nextCursor of the previous page."),
});
export type ListQuery = z.infer<typeof ListQuery>;

/** A page of a list: `nextCursor` is null on the last page. */
export type ListPage<Item> = { items: Item[]; nextCursor: string | null };

/** Makes the schema of a `ListPage`. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor: z.string().nullable() });
}

/** Names the rollout that an object belongs to; `id` is `cluster/namespace/Kind/name`. */
export const RolloutRef = z.object({
  id: z.string(),
  cluster: z.string(),
  namespace: z.string(),
  kind: z.string(),
  name: z.string(),
});
export type RolloutRef = z.infer<typeof RolloutRef>;

/** A link to something outside Gatehouse. */
export const Link = z.object({
  name: z.string(),
  href: z.string().describe("An http or https address."),
  source: z
    .enum(["config", "annotation"])
    .describe("annotation: from the object in the cluster, so anyone who may change it chose the address."),
});
export type Link = z.infer<typeof Link>;

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

/** The filters of a list of rollouts by owner, set and label. */
export const ownedBy = {
  team: z.string().max(200).optional().describe("Owned by this team of the config."),
  set: z.string().max(200).optional().describe("In this set of the config."),
  label: z
    .string()
    .max(600)
    .optional()
    .describe("With this recorded label, such as `team=payments`; without `=`: with any value of it."),
};

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

/** Which identity's rights count at a cluster. */
export const ClusterIdentity = z.object({
  mode: z
    .enum(["groups", "user", "serviceAccount"])
    .describe(
      "groups: the rights of your groups there; user: those of your own user there, with your groups; serviceAccount: those of Gatehouse's own account.",
    ),
  username: z
    .string()
    .nullable()
    .describe(
      "Your name in the cluster's log, or the account's; null without one, or if the account's name is still unknown.",
    ),
  groups: z.array(z.string()),
  problem: z.string().nullable().describe("Why you cannot act there, in a sentence."),
});
export type ClusterIdentity = z.infer<typeof ClusterIdentity>;

import { z } from "zod";
import { RequiredReason, Timestamp } from "#lib/contract/common.ts";
import { get, post } from "#lib/contract/endpoint.ts";
import { RightScope } from "#lib/contract/system.ts";
import { longestFreezeDays } from "#lib/domain/policy/freeze.ts";

/** A freeze that a person made. The recurring ones of the config are in `/api/v1/admin/freezes`. */
export const Freeze = z.object({
  id: z.uuid(),
  reason: z.string(),
  scope: RightScope,
  startsAt: Timestamp,
  endsAt: Timestamp,
  inForce: z.boolean().describe("Advancing actions are refused now; false before it starts."),
  madeBy: z.string(),
  mayEnd: z.boolean().describe("You may extend it, and end it early."),
});
export type Freeze = z.infer<typeof Freeze>;

const pattern = (shape: RegExp, example: string) =>
  z
    .string()
    .min(1)
    .max(253)
    .regex(shape, `a name or a pattern such as ${example}`)
    .refine((text) => (text.match(/[*?]/g) ?? []).length <= 4, "at most four of * and ?");
const patterns = (shape: RegExp, example: string) => z.array(pattern(shape, example)).min(1).max(20).default(["*"]);
const name = /^[a-z0-9.*?-]+$/;

export const FreezeRequest = z.strictObject({
  reason: RequiredReason,
  clusters: patterns(name, "prod-*").describe("By default all."),
  namespaces: patterns(name, "pay*").describe("By default all."),
  rollouts: patterns(/^(?:[A-Za-z*?]+\/)?[a-z0-9.*?-]+$/, "shop-* or Canary/shop-*").describe("By default all."),
  startsAt: z.iso.datetime({ offset: true }).optional().describe("By default now."),
  endsAt: z.iso.datetime({ offset: true }).describe(`At most ${longestFreezeDays} days from now.`),
});
export type FreezeRequest = z.infer<typeof FreezeRequest>;

export const FreezeChange = z.strictObject({
  reason: RequiredReason,
  endsAt: z.iso
    .datetime({ offset: true })
    .optional()
    .describe(
      `The new end, later than the present one and at most ${longestFreezeDays} days from now; without it, the freeze ends now.`,
    ),
});
export type FreezeChange = z.infer<typeof FreezeChange>;

/** The part of the endpoint table about freezes that people make. */
export const freezeEndpoints = {
  listFreezes: get("/api/v1/freezes", "Freezes made by people that are in force or will be, where you may read", {
    query: z.strictObject({}),
    response: z.object({ items: z.array(Freeze).describe("The next to start first.") }),
  }),
  createFreeze: post(
    "/api/v1/freezes",
    "Stops what advances rollouts in a scope until a time; protective actions pass",
    { role: "operator", body: FreezeRequest, response: Freeze, status: 201 },
  ),
  changeFreeze: post("/api/v1/freezes/{id}", "Extends a freeze, or ends it early", {
    role: "operator",
    params: z.strictObject({ id: z.uuid() }),
    body: FreezeChange,
    response: Freeze,
  }),
} as const;

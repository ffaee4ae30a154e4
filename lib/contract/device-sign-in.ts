import { z } from "zod";
import { Role, Timestamp } from "#lib/contract/common.ts";

/** A terminal that asks to be signed in, as the person who holds its code sees it. */
export const DeviceRequest = z.object({
  id: z.string().describe("Names the request in the audit log."),
  deviceName: z.string().describe("The name that the terminal chose for itself."),
  address: z
    .string()
    .nullable()
    .describe("The network address that it asked from, as a trusted proxy says; without one that of the connection."),
  peer: z
    .string()
    .nullable()
    .describe("The network address of the connection: another one than address if a trusted proxy is in between."),
  userAgent: z.string().nullable(),
  createdAt: Timestamp,
  expiresAt: Timestamp.describe("After this it can no longer be approved."),
  state: z
    .enum(["pending", "approved", "refused"])
    .describe("A decided request is shown only to the person who decided it."),
});
export type DeviceRequest = z.infer<typeof DeviceRequest>;

export const DeviceRequestPath = z.strictObject({
  userCode: z.string().min(1).max(40).describe("The code that the terminal shows; case and hyphens do not matter."),
});

export const DeviceDecision = z
  .strictObject({
    decision: z.enum(["approve", "refuse"]),
    role: Role.optional().describe("approve: the token's role, at most your own. Default: viewer."),
    expiresInDays: z
      .number()
      .int()
      .min(1)
      .max(366)
      .optional()
      .describe("approve: how long the token is valid. Default: 7."),
  })
  .describe("approve: the terminal gets an API token that acts as you.");
export type DeviceDecision = z.infer<typeof DeviceDecision>;

import { z } from "zod";
import { Timestamp } from "#lib/contract/common.ts";
import { get, post } from "#lib/contract/endpoint.ts";

const word = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[a-z0-9-]+$/i, "letters, digits and dashes");
const Scope = z.object({
  resource: word.optional().describe("Plural name of a resource, such as `rollouts`; default: all."),
  namespace: z.string().min(1).max(253).optional().describe("Default: requests everywhere."),
  verb: word.optional().describe("Default: every verb."),
});
const Settings = z.object({
  how: word.optional().describe("One of the fault's variants; default: the first."),
  offsetSeconds: z
    .number()
    .int()
    .min(-86_400)
    .max(86_400)
    .optional()
    .describe("Only for `skew`: how far ahead the clock is."),
});

export const ActiveFault = Scope.extend(Settings.shape).extend({
  fault: z.string(),
  since: Timestamp,
  until: Timestamp.optional().describe("Absent: until it is ended."),
});
export type ActiveFault = z.infer<typeof ActiveFault>;

/** The detail of `not_found`. */
export const faultsNeedFlag = "Faults are only available in the demo, started with --faults.";

/** The faults that the demo's cluster plays, and those that it can play. */
export const SandboxFaults = z.object({
  active: z.array(ActiveFault),
  faults: z.array(z.string()).describe("`none` ends active faults, in its scope or everywhere."),
  ways: z.record(z.string(), z.array(z.string())),
  verbs: z.array(z.string()),
});
export type SandboxFaults = z.infer<typeof SandboxFaults>;

export const PlayFaultRequest = z.strictObject({
  fault: word,
  ...Scope.shape,
  ...Settings.shape,
  seconds: z.number().int().min(1).max(86_400).optional().describe("Default: until it is ended."),
});
export type PlayFaultRequest = z.infer<typeof PlayFaultRequest>;

/** The part of the endpoint table that exists only in `gatehouse demo --faults`; otherwise it answers `not_found`. */
export const sandboxEndpoints = {
  listSandboxFaults: get(
    "/api/v1/sandbox/faults",
    "Demo only: the faults that the demo's cluster plays, and those that it can play",
    { role: "admin", query: z.strictObject({}), response: SandboxFaults },
  ),
  playSandboxFault: post(
    "/api/v1/sandbox/faults",
    "Demo only: starts a fault in the demo's cluster, or ends active faults",
    { role: "admin", body: PlayFaultRequest, response: SandboxFaults },
  ),
} as const;

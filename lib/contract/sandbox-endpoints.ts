import { z } from "zod";
import { get, post } from "#lib/contract/endpoint.ts";
import { PlayFaultRequest, SandboxFaults } from "#lib/contract/sandbox-faults.ts";

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

import { z } from "zod";
import { PlayFaultRequest, SandboxFaults } from "#lib/contract/sandbox-faults.ts";

/** The part of the endpoint table that exists only in `gatehouse demo --faults`; otherwise it answers `not_found`. */
export const sandboxEndpoints = {
  listSandboxFaults: {
    method: "GET",
    path: "/api/v1/sandbox/faults",
    summary: "Demo only: the faults that the demo's cluster plays, and those that it can play",
    role: "admin",
    query: z.strictObject({}),
    response: SandboxFaults,
  },
  playSandboxFault: {
    method: "POST",
    path: "/api/v1/sandbox/faults",
    summary: "Demo only: lets the demo's cluster play a fault, or ends what it plays",
    role: "admin",
    body: PlayFaultRequest,
    response: SandboxFaults,
  },
} as const;

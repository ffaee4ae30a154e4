import { z } from "zod";
import { listOf } from "#lib/contract/common.ts";
import { get, post, remove } from "#lib/contract/endpoint.ts";
import {
  CreatedHookCredential,
  CreateHookCredentialRequest,
  HookCredential,
  HookCredentialListQuery,
  RolloutGates,
} from "#lib/contract/hook.ts";
import { RolloutPath } from "#lib/contract/rollout.ts";

/** The part of the endpoint table for the gates that controllers ask, and for their credentials. */
export const hookEndpoints = {
  listRolloutGates: get(
    "/api/v1/rollouts/{cluster}/{namespace}/{kind}/{name}/gates",
    "The gates of a rollout: when its controller last asked, and the decisions that it is answered by",
    { params: RolloutPath, query: z.strictObject({}), response: RolloutGates },
  ),
  listHookCredentials: get("/api/v1/hook-credentials", "Credentials of controllers at the hooks, newest first", {
    role: "admin",
    query: HookCredentialListQuery,
    response: listOf(HookCredential),
  }),
  createHookCredential: post("/api/v1/hook-credentials", "Creates a credential for the controller of one cluster", {
    role: "admin",
    body: CreateHookCredentialRequest,
    response: CreatedHookCredential,
    status: 201,
  }),
  revokeHookCredential: remove("/api/v1/hook-credentials/{id}", "Revokes a credential of a controller", {
    role: "admin",
    params: z.strictObject({ id: z.string() }),
    response: HookCredential,
  }),
} as const;

import { z } from "zod";
import { listOf } from "#lib/contract/common.ts";
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
  listRolloutGates: {
    method: "GET",
    path: "/api/v1/rollouts/{cluster}/{namespace}/{kind}/{name}/gates",
    summary: "The gates of a rollout: when its controller last asked, and the decisions that it is answered by",
    role: "viewer",
    params: RolloutPath,
    query: z.strictObject({}),
    response: RolloutGates,
  },
  listHookCredentials: {
    method: "GET",
    path: "/api/v1/hook-credentials",
    summary: "Credentials of controllers at the hooks, newest first",
    role: "admin",
    query: HookCredentialListQuery,
    response: listOf(HookCredential),
  },
  createHookCredential: {
    method: "POST",
    path: "/api/v1/hook-credentials",
    summary: "Creates a credential for the controller of one cluster",
    role: "admin",
    body: CreateHookCredentialRequest,
    response: CreatedHookCredential,
    status: 201,
  },
  revokeHookCredential: {
    method: "DELETE",
    path: "/api/v1/hook-credentials/{id}",
    summary: "Revokes a credential of a controller",
    role: "admin",
    params: z.strictObject({ id: z.string() }),
    response: HookCredential,
  },
} as const;

import { z } from "zod";
import { displayName, ListQuery, listOf, Timestamp } from "#lib/contract/common.ts";
import { get, post, remove } from "#lib/contract/endpoint.ts";
import { RolloutPath } from "#lib/contract/rollout.ts";
import { gateNames } from "#lib/domain/delivery/gate-decision.ts";

const ClusterName = z.string().min(1).max(63);
/** As Kubernetes names namespaces, with `*` and `?`. */
const NamespacePattern = z
  .string()
  .max(63)
  .regex(/^[a-z0-9*?-]+$/, "a namespace; * matches any run of characters, ? one");

/** The purpose of a credential: Flagger's gates and events, or the API server's audit events. */
export const hookPurposes = ["flagger", "kubernetes-audit"] as const;
export const HookPurpose = z.enum(hookPurposes);
export type HookPurpose = z.infer<typeof HookPurpose>;

export const HookCredential = z.object({
  id: z.string().describe("The user of Basic authentication."),
  name: z.string(),
  cluster: z.string(),
  purpose: HookPurpose.describe(
    "flagger: gates and events of canaries; kubernetes-audit: the API server's audit events.",
  ),
  namespaces: z.array(z.string()).describe("Patterns of the namespaces whose canaries it may ask for."),
  createdBy: z.string(),
  createdAt: Timestamp,
  expiresAt: Timestamp.nullable(),
  revokedAt: Timestamp.nullable(),
  lastUsedAt: Timestamp.nullable(),
});
export type HookCredential = z.infer<typeof HookCredential>;

export const HookCredentialListQuery = ListQuery.extend({
  cluster: z
    .string()
    .optional()
    .describe("Only this cluster's. Without it, those of all clusters that you administer."),
});
export type HookCredentialListQuery = z.infer<typeof HookCredentialListQuery>;

export const CreateHookCredentialRequest = z.strictObject({
  name: displayName(100),
  cluster: ClusterName,
  purpose: HookPurpose.default("flagger"),
  namespaces: z.array(NamespacePattern).min(1).max(100),
  expiresInDays: z.number().int().min(1).max(366).optional(),
});
export type CreateHookCredentialRequest = z.infer<typeof CreateHookCredentialRequest>;

export const CreatedHookCredential = HookCredential.extend({
  secret: z.string().describe("The password of Basic authentication. Shown once; only its hash is kept."),
});
export type CreatedHookCredential = z.infer<typeof CreatedHookCredential>;

const GateWord = z.object({
  id: z.string().describe("The action that made it."),
  verdict: z.enum(["approve", "hold", "rollback"]),
  state: z.enum(["requested", "served"]).describe("served: the controller has asked, and was answered by it."),
  timesServed: z.number().int(),
  upToWeight: z.number().nullable().describe("Percent that an approved step may reach; null at other gates."),
  actorName: z.string(),
  reason: z.string(),
  decidedAt: Timestamp,
  expiresAt: Timestamp.nullable().describe("Null for a hold that stays until the next word."),
});

export const RolloutGate = z.object({
  gate: z.enum(gateNames),
  wired: z.boolean().nullable().describe("Whether a hook of the spec calls this gate here; null if that is not known."),
  lastAskedAt: Timestamp.nullable(),
  lastAnswer: z
    .object({ status: z.number().int(), reason: z.string() })
    .nullable()
    .describe("The answer to the controller. It continues (or, at `rollback`, rolls back) if the status is 200."),
  decision: GateWord.nullable().describe("The newest word on it that is still in force."),
});
export type RolloutGate = z.infer<typeof RolloutGate>;

export const RolloutGates = z.object({ gates: z.array(RolloutGate) });
export type RolloutGates = z.infer<typeof RolloutGates>;

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

import { z } from "zod";
import { ClusterIdentity, Role, RolloutKind, Timestamp } from "#lib/contract/common.ts";
import { ActionName } from "#lib/contract/rollout.ts";
import { RightScope } from "#lib/contract/system.ts";

export const BindingMark = z.object({
  kind: z.enum(["nobody", "cluster", "token"]),
  text: z.string().describe("What looks wrong, as a sentence."),
});
export type BindingMark = z.infer<typeof BindingMark>;

export const BoundToken = z.object({
  id: z.string(),
  name: z.string().nullable().describe("Null if no token has this id."),
  state: z.enum(["valid", "expired", "revoked", "unknown"]),
  expiresAt: Timestamp.nullable(),
});
export type BoundToken = z.infer<typeof BoundToken>;

/** One role binding of the config in force. */
export const AdminBinding = z.object({
  path: z.string().describe("Its place in the config, such as auth.roles[3]."),
  role: Role,
  groups: z.array(z.string()),
  users: z.array(z.string()),
  subjects: z.array(z.string()),
  robots: z.array(z.string()),
  tokens: z.array(BoundToken),
  scope: RightScope,
  actions: z.array(z.string()).describe("Patterns of actions; not used for a viewer."),
  breakGlass: z.boolean(),
  agentsMayAct: z.boolean().describe("Agents carry out the protective actions by themselves."),
  marks: z.array(BindingMark),
});
export type AdminBinding = z.infer<typeof AdminBinding>;

/** A subject that Gatehouse has seen: a person by their newest session, a robot or a token by its newest token. */
export const KnownSubject = z.object({
  kind: z.enum(["person", "robot", "token"]),
  /** Display name. */
  name: z.string(),
  username: z.string(),
  subject: z.string(),
  groups: z.array(z.string()),
  token: z.string().nullable().describe("Id of the token; null for people and robots."),
  lastSeenAt: Timestamp.nullable(),
});
export type KnownSubject = z.infer<typeof KnownSubject>;

export const AdminAccess = z.object({
  issuer: z.string().nullable().describe("The identity provider; null if none is configured."),
  demo: z.boolean().describe("People are demo accounts: their role is the account's, and bindings do not apply."),
  bindings: z.array(AdminBinding),
  clusters: z.array(z.string()).describe("The configured clusters."),
  known: z.array(KnownSubject).describe("Newest first."),
  allKnown: z.boolean().describe("False if more are known than are listed."),
});
export type AdminAccess = z.infer<typeof AdminAccess>;

const placeName = (length: number) =>
  z
    .string()
    .max(length)
    .regex(/^[a-z0-9.-]+$/, "a name, not a pattern")
    .optional();

/** An action and where; an omitted part of the place stands for everything at that level. */
export const WhoMayQuery = z.strictObject({
  action: ActionName,
  cluster: placeName(63),
  namespace: placeName(63),
  name: placeName(253),
});
export type WhoMayQuery = z.infer<typeof WhoMayQuery>;

const Extent = z.enum(["all", "some"]).describe("all: in the whole place; some: in a part of it.");

export const WhoMay = z.object({
  subjects: z
    .array(
      z.object({
        kind: z.enum(["person", "robot", "token"]),
        name: z.string().describe("Display name."),
        username: z.string(),
        token: z.string().nullable().describe("Id of the token; null for people and robots."),
        extent: Extent,
        lastSeenAt: Timestamp.nullable(),
      }),
    )
    .describe("Known subjects whose rights include the action, as of their last sign-in. Newest first."),
  allKnown: z.boolean().describe("False if more subjects are known than were looked at."),
  bindings: z
    .array(z.object({ path: z.string(), extent: Extent }))
    .describe("Role bindings that grant it, also to people who never signed in. None apply to a demo account."),
  secondPerson: z
    .array(z.object({ path: z.string(), name: z.string() }))
    .describe("Rules that require another person's approval there."),
});
export type WhoMay = z.infer<typeof WhoMay>;

/** The subject and the place of the question. Without a cluster only the bindings are answered. */
export const PermissionQuery = z
  .strictObject({
    who: z.enum(["person", "robot", "token"]).default("person"),
    username: z.string().min(1).max(300).optional().describe("A person's or a robot's name, as bindings have it."),
    subject: z.string().min(1).max(300).optional().describe("The provider's own name of a person (claim sub)."),
    groups: z.string().max(4000).optional().describe("Groups, separated by commas; if absent, those last seen."),
    token: z.uuid().optional().describe("Id of a token."),
    cluster: z.string().min(1).max(63).optional(),
    namespace: z.string().min(1).max(63).optional(),
    kind: RolloutKind.optional(),
    name: z.string().min(1).max(253).optional(),
  })
  .refine(({ who, username, token }) => (who === "token" ? token !== undefined : username !== undefined), {
    path: ["username"],
    message: "name a person or a robot by username, a token by token",
  })
  .refine(({ cluster, namespace }) => (cluster === undefined) === (namespace === undefined), {
    path: ["namespace"],
    message: "cluster and namespace belong together",
  })
  .refine(({ kind, name }) => (kind === undefined) === (name === undefined), {
    path: ["name"],
    message: "kind and name belong together",
  })
  .refine(({ cluster, name }) => name === undefined || cluster !== undefined, {
    path: ["cluster"],
    message: "a rollout is in a cluster and a namespace",
  });
export type PermissionQuery = z.infer<typeof PermissionQuery>;

/** One reason for an answer. `path` is its place in the config, if it has one. */
export const PermissionReason = z.object({
  kind: z.enum(["gives", "lacks", "reason", "second-person", "freeze", "state"]),
  text: z.string(),
  path: z.string().nullable(),
});
export type PermissionReason = z.infer<typeof PermissionReason>;

export const PermissionVerdict = z.enum(["yes", "approval", "break-glass", "break-glass-and-approval", "no"]);
export type PermissionVerdict = z.infer<typeof PermissionVerdict>;

export const ActionPermission = z.object({
  action: ActionName,
  label: z.string(),
  protective: z.boolean(),
  verdict: PermissionVerdict.describe(
    "approval: only with another person's; break-glass: only by breaking a freeze, with a fresh sign-in.",
  ),
  needsReason: z.boolean(),
  reasonCode: z.string().nullable().describe("Why not; null unless the verdict is no."),
  because: z.array(PermissionReason),
  notNow: z
    .string()
    .nullable()
    .describe("Why it is not possible in the rollout's present state; null if it is, or without a rollout."),
});
export type ActionPermission = z.infer<typeof ActionPermission>;

export const PermissionAnswer = z.object({
  at: Timestamp,
  subject: z.object({
    kind: z.enum(["person", "robot", "token"]),
    name: z.string(),
    username: z.string(),
    subject: z.string(),
    groups: z.array(z.string()),
    groupsFrom: z.enum(["question", "session", "token", "none"]).describe("Where the groups are from."),
    seen: z.boolean().describe("Gatehouse has a session or a token of the person."),
  }),
  role: Role.nullable().describe("Their strongest role; null if no binding grants anything: they may not sign in."),
  grants: z.array(
    z.object({
      path: z.string().nullable().describe("Null for a demo account."),
      through: z.enum(["own", "token", "account"]),
      role: Role,
      scope: RightScope,
      actions: z.array(z.string()),
      breakGlass: z.boolean(),
    }),
  ),
  place: z
    .object({
      cluster: z.string(),
      namespace: z.string(),
      kind: z.string().nullable(),
      name: z.string().nullable(),
      access: z.enum(["read", "act", "unnamed"]),
    })
    .nullable(),
  reads: z.object({ verdict: z.enum(["yes", "no"]), because: z.array(PermissionReason) }).nullable(),
  actions: z.array(ActionPermission).describe("Empty without a place."),
  identity: ClusterIdentity.nullable().describe("As whom the cluster would see them; null without a place."),
});
export type PermissionAnswer = z.infer<typeof PermissionAnswer>;

/** The answer of the cluster itself. */
export const ClusterPermissions = z.object({
  state: z
    .enum(["answered", "not-allowed", "unreachable", "no-identity", "read-only"])
    .describe("not-allowed: Gatehouse's own account may not ask about others."),
  text: z.string(),
  rule: z.string().nullable().describe("The RBAC rule that would allow the question."),
  identity: ClusterIdentity.nullable(),
  rights: z.array(
    z.object({
      right: z.string().describe("Such as patch rollouts/status."),
      resource: z.string().nullable().describe("The object's name, if the right is about one."),
      actions: z.array(z.string()).describe("The actions that need it; empty for a whole namespace."),
      answer: z.enum(["allowed", "denied", "unknown"]),
    }),
  ),
});
export type ClusterPermissions = z.infer<typeof ClusterPermissions>;

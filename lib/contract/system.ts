import { z } from "zod";
import { ClusterIdentity, displayName, ListQuery, RequiredReason, Role, Timestamp } from "#lib/contract/common.ts";
import { ActionName } from "#lib/contract/rollout.ts";

export const SourceState = z.enum(["syncing", "live", "stale", "denied", "absent", "suspect", "error"]);
export type SourceState = z.infer<typeof SourceState>;

/** Objects that seem to be gone, but count as present until further reads or an admin confirm it. */
export const SourceHold = z.object({
  reason: z
    .enum(["empty", "shrink"])
    .describe("empty: a list without any object; shrink: too many vanished at once. Only these do not advance."),
  count: z.number().int().describe("Number of held objects that the caller may read."),
  since: Timestamp,
  releasing: z.boolean().describe("An admin released it; the recorder has not processed that yet."),
});
export type SourceHold = z.infer<typeof SourceHold>;

export const Source = z.object({
  id: z.string(),
  cluster: z.string(),
  kind: z.string(),
  namespace: z.string().nullable().describe("Null: all namespaces."),
  state: SourceState,
  lastContact: Timestamp.nullable().describe("The older of the two below; staleness is measured from it."),
  watchContact: Timestamp.nullable().describe("The watch's last sign of life; it may be quiet for half a minute."),
  readContact: Timestamp.nullable().describe("The last read that the server could not answer from a cache."),
  staleAfterSeconds: z.number(),
  clockSkewSeconds: z
    .number()
    .nullable()
    .describe("How far the API server's clock is ahead of the recorder's; null if unknown."),
  hold: SourceHold.nullable(),
  lastError: z.string().nullable(),
  objects: z.number().int().nullable().describe("Null unless the caller may read everything that it watches."),
  historyBeginsAt: Timestamp.nullable(),
  configured: z.boolean().describe("False if its cluster or namespace is no longer in the config."),
});
export type Source = z.infer<typeof Source>;

export const ReleaseHeldRequest = z.strictObject({
  source: z.string().min(1).max(500).describe("The source's id."),
  reason: RequiredReason,
});
export type ReleaseHeldRequest = z.infer<typeof ReleaseHeldRequest>;

export const HeldObjectsQuery = ListQuery.extend({
  source: z.string().max(500).optional().describe("The source's id; else all sources."),
});
export type HeldObjectsQuery = z.infer<typeof HeldObjectsQuery>;

/** A held object, for the admin who decides whether it is gone. */
export const HeldObject = z.object({
  source: z.string().describe("The source's id."),
  uid: z.string(),
  namespace: z.string().nullable(),
  name: z.string().nullable().describe("Null if nothing is stored about it."),
});
export type HeldObject = z.infer<typeof HeldObject>;

export const Cluster = z.object({
  name: z.string(),
  access: z.enum(["read", "act"]),
  server: z.string().describe("Empty unless the caller may read the whole cluster."),
  state: SourceState,
  lastContact: Timestamp.nullable(),
  rollouts: z.number().int(),
  configured: z.boolean().describe("False if only recorded history is left."),
});
export type Cluster = z.infer<typeof Cluster>;

/** The identity with which the caller reaches one cluster. */
export const NamedClusterIdentity = ClusterIdentity.extend({ cluster: z.string(), access: z.enum(["read", "act"]) });
export type NamedClusterIdentity = z.infer<typeof NamedClusterIdentity>;

/** Patterns for the scope of a right: `*` matches any run of characters, `?` one. */
export const RightScope = z.object({
  clusters: z.array(z.string()),
  namespaces: z.array(z.string()),
  rollouts: z.array(z.string()),
});
export type RightScope = z.infer<typeof RightScope>;

/** A set of rights of the caller, with its scope. */
export const MyGrant = z.object({
  role: Role,
  scope: RightScope,
  actions: z.array(z.string()).describe("Patterns of actions; none for a viewer."),
  breakGlass: z.boolean().describe("May override a freeze, with a reason and a fresh sign-in; never for a token."),
  through: z
    .enum(["binding", "account", "token"])
    .describe(
      "binding: a role binding names the person or robot; account: a demo account; token: bindings name the token, and the grant is the overlap with its owner's rights.",
    ),
  secondPerson: z
    .array(
      z.object({
        rule: z.string(),
        actions: z.array(ActionName),
        scope: RightScope.describe("The part of the grant's scope in which the rule holds."),
        expireMinutes: z.number().int(),
        approvers: z.string().describe('Who must approve, such as "a second person" or "2 other people from sre".'),
      }),
    )
    .describe("Which of these actions require another person's approval first."),
});
export type MyGrant = z.infer<typeof MyGrant>;

export const Me = z.object({
  name: z.string(),
  subject: z.string(),
  issuer: z.string(),
  role: Role,
  username: z.string().describe("The name that role bindings know; a token's is its owner's when it was created."),
  groups: z.array(z.string()).describe("A token's are its owner's when it was created."),
  teams: z
    .array(
      z.object({
        name: z.string(),
        isMine: z.boolean().describe("You are in one of its groups. It gives no rights."),
      }),
    )
    .describe("The teams of the config that may own something you may read."),
  sets: z.array(z.string()).describe("The sets of the config in whose scope you may read something, by name."),
  clusterIdentities: z.array(NamedClusterIdentity).describe("For each cluster that you see."),
  grants: z.array(MyGrant).describe("What you may do, and where; a token never exceeds its own role."),
  token: z.object({ id: z.string(), name: z.string() }).nullable(),
  session: z.object({ id: z.string(), idleExpiresAt: Timestamp, absoluteExpiresAt: Timestamp }).nullable(),
  demo: z.boolean(),
  faults: z.boolean().describe("A demo in which an admin can play faults."),
});
export type Me = z.infer<typeof Me>;

/** A browser session: the caller's own or, for an admin, any user's. */
export const Session = z.object({
  id: z.string(),
  user: z.object({ issuer: z.string(), subject: z.string(), name: z.string() }),
  current: z.boolean().describe("The session that asks."),
  createdAt: Timestamp,
  lastSeenAt: Timestamp,
  idleExpiresAt: Timestamp,
  absoluteExpiresAt: Timestamp,
  authenticatedAt: Timestamp.nullable().describe("When the person last authenticated, if known."),
  userAgent: z.string().nullable(),
  address: z.string().nullable(),
});
export type Session = z.infer<typeof Session>;

export const ApiToken = z.object({
  id: z.string(),
  name: z.string(),
  role: Role,
  owner: z.string(),
  actsAs: z
    .object({ username: z.string(), groups: z.array(z.string()) })
    .describe("Its owner's name and groups when it was created; the cluster mappings use these."),
  restricted: z
    .boolean()
    .describe("Created restricted, or named by a role binding since: it only has the rights of bindings that name it."),
  createdAt: Timestamp,
  expiresAt: Timestamp.nullable(),
  lastUsedAt: Timestamp.nullable(),
  revokedAt: Timestamp.nullable(),
});
export type ApiToken = z.infer<typeof ApiToken>;

export const CreateTokenRequest = z.strictObject({
  name: displayName(100),
  role: Role,
  expiresInDays: z.number().int().min(1).max(366).optional(),
  restricted: z.boolean().optional().describe("No rights until a role binding references its ID."),
});
export type CreateTokenRequest = z.infer<typeof CreateTokenRequest>;

export const CreatedToken = ApiToken.extend({ token: z.string().describe("Shown once; only its hash is kept.") });
export type CreatedToken = z.infer<typeof CreatedToken>;

/** `data` of an SSE `change` event: what to refetch. */
export const ChangeEvent = z.object({
  kind: z
    .enum([
      "rollout",
      "analysis-run",
      "release",
      "action",
      "approval",
      "audit",
      "source",
      "experiment",
      "template",
      "rollout-pods",
      "rollout-events",
      "finding",
      "freeze",
      "scheduled-action",
      "setting",
      "notification",
    ])
    .describe(
      "`rollout-pods` and `rollout-events` carry the id of their rollout, `notification` that of a new event (`/notifiable-events`).",
    ),
  id: z.string(),
  op: z.enum(["upsert", "delete"]),
  rollout: z
    .string()
    .optional()
    .describe(
      "Of an `analysis-run`, `experiment`, `release` or `audit`: the id of the rollout that it belongs to. Absent: it has none, or none is known.",
    ),
});
export type ChangeEvent = z.infer<typeof ChangeEvent>;

/** How the config file relates to the config in force. */
export const ConfigStatus = z.object({
  state: z
    .enum(["ok", "error", "held"])
    .describe(
      "error: the file is invalid; held: it removes too much. In both cases the previous config stays in force.",
    ),
  loadedAt: Timestamp,
  digest: z.string().describe("SHA-256 of the file in force."),
  since: Timestamp.optional().describe("Since when the file has differed from the config in force."),
  error: z.string().optional(),
  fault: z.enum(["missing", "unreadable", "invalid"]).optional(),
  held: z
    .object({ digest: z.string(), clusters: z.array(z.string()), bindings: z.array(z.string()) })
    .optional()
    .describe("The removals of the held file, and its digest."),
  needsRestart: z.array(z.string()).optional().describe("Keys whose changes take effect at the next start."),
});
export type ConfigStatus = z.infer<typeof ConfigStatus>;

export const ConfirmConfigRequest = z.strictObject({
  reason: RequiredReason,
  digest: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional()
    .describe("Digest of the held file that you saw; any other file is refused."),
});
export type ConfirmConfigRequest = z.infer<typeof ConfirmConfigRequest>;

export const ReplicaStatus = z.object({
  state: z
    .enum(["in-use", "behind", "starting", "other-timeline", "not-a-standby", "down"])
    .describe("in-use: it is asked. In all other states the primary answers every read."),
  since: Timestamp,
  lagSeconds: z.number().nullable().describe("How old its data may be; null if that is not known."),
});
export type ReplicaStatus = z.infer<typeof ReplicaStatus>;

/** A stream of the config that the audit log is sent to. */
export const AuditStreamStatus = z.object({
  name: z.string(),
  type: z.enum(["syslog", "otlp", "webhook", "splunk", "elasticsearch"]),
  seq: z.number().int().nullable().describe("The newest entry that the receiver took; null before the first try."),
  newestSeq: z.number().int().describe("The newest entry of the log."),
  lagSeconds: z
    .number()
    .nullable()
    .describe("For how long the oldest entry that the receiver lacks has waited; 0 if it lacks none."),
  failingSince: Timestamp.nullable(),
  error: z.string().nullable().describe("Why the last try failed; null if it did not."),
});
export type AuditStreamStatus = z.infer<typeof AuditStreamStatus>;

export const Status = z.object({
  ready: z.boolean(),
  config: ConfigStatus,
  database: z.object({
    ok: z.boolean(),
    grantsEnforced: z.boolean(),
    replica: ReplicaStatus.optional().describe("The read replica as this process sees it; absent without one."),
  }),
  sources: z.array(Source),
  auditStreams: z
    .array(AuditStreamStatus)
    .optional()
    .describe("Absent if the database does not answer, or if the caller may not read everything."),
});
export type Status = z.infer<typeof Status>;

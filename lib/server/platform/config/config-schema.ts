import { z } from "zod";
import { RolloutKind } from "#lib/contract/common.ts";
import { findValueless, parseLinkTemplate } from "#lib/domain/links/link-template.ts";
import { linkPlaces } from "#lib/domain/links/link-values.ts";
import { findUrlFault } from "#lib/util/base-path.ts";
import { AuditStreamConfig } from "./audit-stream-schema.ts";
import { ClaimPlace } from "./claim-place.ts";
import { ClusterConfig } from "./cluster-schema.ts";
import { NotificationConfig } from "./notification-schema.ts";
import { OversightConfig } from "./oversight-schema.ts";
import { PolicyConfig, RoleBinding, scopeFields } from "./policy-schema.ts";
import { SecretPlace } from "./secret-place.ts";
import { SetConfig } from "./set-schema.ts";
import { listTeamFaults, RecordingConfig, TeamConfig } from "./team-schema.ts";

/** The units of metrics, by a pattern of their names. Of the patterns that match a metric, the first counts. */
const UnitsConfig = z
  .record(
    z.string().min(1),
    z.string().trim().min(1, "name the unit, such as ms").max(12, "a unit has at most 12 characters"),
  )
  .default({});

/** A link to something outside Gatehouse, with placeholders. */
export const LinkConfig = z
  .strictObject({
    name: z.string().trim().min(1, "a link has a name").max(60, "a link's name has at most 60 characters"),
    url: z.string(),
    clusters: scopeFields.clusters,
    namespaces: scopeFields.namespaces,
    kinds: z
      .array(z.string().regex(/^[A-Z][A-Za-z0-9]{0,62}$/, "is not a kind, such as Rollout, Canary or Stage"))
      .min(1, "name at least one kind, or leave it out for all")
      .optional(),
    on: z.array(z.enum(linkPlaces)).min(1, "name at least one of rollout, release, run, metric"),
  })
  .superRefine(({ url, on, kinds }, context) => {
    const hasRollouts = kinds === undefined || kinds.some((kind) => RolloutKind.safeParse(kind).success);
    for (const [index, place] of on.entries()) {
      if (hasRollouts || place === "run" || place === "metric") continue;
      const message = `kinds names neither Rollout nor Canary, so the link would never be shown on a ${place}`;
      context.addIssue({ code: "custom", path: ["on", index], message });
    }
    const parsed = parseLinkTemplate(url);
    if (!parsed.ok) {
      context.addIssue({ code: "custom", path: ["url"], message: parsed.reason });
      return;
    }
    for (const [index, place] of on.entries()) {
      const missing = findValueless(parsed.template, place);
      if (missing === undefined) continue;
      const message = `{${missing}} has no value on a ${place}, so the link would never be shown there`;
      context.addIssue({ code: "custom", path: ["on", index], message });
    }
  });
export type LinkConfig = z.infer<typeof LinkConfig>;

/** An OpenID Connect provider. */
export const OidcConfig = z.strictObject({
  issuer: z.url({ protocol: /^https?$/ }),
  clientId: z.string().min(1),
  clientSecret: SecretPlace,
  label: z.string().default("Single sign-on"),
  scopes: z.array(z.string()).default(["openid", "profile", "email"]),
  usernameClaim: z.string().default("preferred_username"),
  groupsClaim: ClaimPlace.default("groups"),
});
export type OidcConfig = z.infer<typeof OidcConfig>;

export const SessionConfig = z.strictObject({
  idleMinutes: z
    .number()
    .int()
    .min(5)
    .max(7 * 24 * 60)
    .default(8 * 60),
  absoluteHours: z
    .number()
    .int()
    .min(1)
    .max(30 * 24)
    .default(24),
});

const days = z
  .string()
  .regex(/^[1-9][0-9]{0,4}d$/, 'say a number of days such as "400d", or "never"')
  .or(z.literal("never"));

/**
 * How long rows are kept, by their own age. Never deleted: runs, releases with the observations that they are derived
 * from, and the audit log.
 */
export const RetentionConfig = z.strictObject({
  measurements: days.default("400d"),
  /** The cluster's own events, messages from controllers' event hooks, and pods that are gone. */
  events: days.default("90d"),
  /** Hook calls of controllers, with their answers. */
  hookCalls: days.default("30d"),
  /** Audit events of the clusters' API servers: who sent which write, with groups and source addresses. */
  kubernetesAudit: days.default("90d"),
  /** Weights, values and health from controllers' own metrics; the values of measurements stay with these. */
  samples: days.default("30d"),
  /** Messages that were sent, failed or suppressed, and the events that they are about. */
  notifications: days.default("30d"),
});
export type RetentionConfig = z.infer<typeof RetentionConfig>;

/** Limits against loops and floods, per minute and per web process. */
export const LimitConfig = z.strictObject({
  /** Per person, across all sessions and tokens. */
  requestsPerMinute: z.number().int().min(60).default(6000),
  /**
   * Per address, counted separately: below /api/auth (a sign-in takes about four), without a session (documentation,
   * sign-in page, OpenAPI document), and hook calls with a wrong credential.
   */
  addressRequestsPerMinute: z.number().int().min(10).default(300),
  /** Event streams that one person may have open, across all sessions and tokens; not per minute. */
  streamsPerPerson: z.number().int().min(1).max(100_000).default(20),
  /** Rollouts that have series of their own in /api/v1/metrics; not per minute. */
  rolloutsInMetrics: z.number().int().min(0).max(20_000).default(1000),
  /** Of one agent, which is a token. 0 stops all agents: their proposals and their own actions. */
  proposalsPerHour: z.number().int().min(0).max(1000).default(20),
  /** That one agent carries out by itself, where bindings have `agentsMayAct`. */
  agentActionsPerHour: z.number().int().min(0).max(1000).default(3),
});
export type LimitConfig = z.infer<typeof LimitConfig>;

const networkText = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
  error: "say an address or a network, such as 10.0.0.0/8",
});

/** Where the newest hash of the audit chain is published besides the log, so that a rewritten or truncated end can be proved. */
export const CheckpointConfig = z.strictObject({
  file: z.string().optional(),
  webhook: z.strictObject({ url: z.url({ protocol: /^https?$/ }), token: SecretPlace.optional() }).optional(),
});
export type CheckpointConfig = z.infer<typeof CheckpointConfig>;

export const Config = z
  .strictObject({
    /** Its path, if any, is the path below which Gatehouse is served (docs/adr/0017). */
    publicUrl: z.url({ protocol: /^https?$/ }).check((context) => {
      const fault = URL.canParse(context.value) ? findUrlFault(context.value) : undefined;
      if (fault !== undefined) context.issues.push({ code: "custom", message: fault, input: context.value });
    }),
    demo: z
      .strictObject({
        accountsFile: z.string(),
        /** Has the token with which an admin's page selects the faults that the sandbox, the only cluster, plays. */
        faultTokenFile: z.string().optional(),
        /** Pages say which of the demo's decisions comes next. */
        story: z.boolean().default(false),
      })
      .optional(),
    auth: z
      .strictObject({
        oidc: OidcConfig.optional(),
        roles: z.array(RoleBinding).default([]),
        session: SessionConfig.default(SessionConfig.parse({})),
      })
      .default({ roles: [], session: SessionConfig.parse({}) }),
    policies: PolicyConfig.default({ reasons: [], freezes: [], secondPerson: [] }),
    /** Of several teams that match a rollout, the first owns it. */
    teams: z.array(TeamConfig).default([]),
    clusters: z.array(ClusterConfig).min(1),
    sets: z.array(SetConfig).default([]),
    links: z.array(LinkConfig).default([]),
    units: UnitsConfig,
    recording: RecordingConfig.default(RecordingConfig.parse({})),
    recorder: z
      .strictObject({
        host: z.string().default("127.0.0.1"),
        port: z.number().int().min(0).max(65_535).default(7470),
      })
      .default({ host: "127.0.0.1", port: 7470 }),
    probes: z.strictObject({ public: z.boolean().default(false) }).default({ public: false }),
    checkpoints: CheckpointConfig.default({}),
    /** Where every entry of the audit log is sent. */
    auditStreams: z.array(AuditStreamConfig).max(8, "at most 8 streams").default([]),
    oversight: OversightConfig,
    notifications: NotificationConfig.default(NotificationConfig.parse({})),
    retention: RetentionConfig.default(RetentionConfig.parse({})),
    /** The database's space: the admin's page forecasts when it will be used up. It has no other effect. */
    storageGigabytes: z.number().positive().max(1_000_000).optional(),
    limits: LimitConfig.default(LimitConfig.parse({})),
    /** The proxies whose X-Forwarded-For is trusted. */
    trustedProxies: z.array(networkText).default([]),
    /** Accepts a reload that would otherwise be held (docs/configuration.md). */
    acceptRemovals: z.boolean().default(false),
  })
  .superRefine((config, context) => {
    const names = config.clusters.map((cluster) => cluster.name);
    names.forEach((name, index) => {
      if (names.indexOf(name) !== index)
        context.addIssue({ code: "custom", path: ["clusters", index, "name"], message: `"${name}" is named twice` });
    });
    for (const [key, one, given] of [
      ["sets", "set", config.sets.map(({ name }) => name)],
      ["auditStreams", "stream", config.auditStreams.map(({ name }) => name)],
    ] as const)
      given.forEach((name, index) => {
        if (given.indexOf(name) === index) return;
        const message = `"${name}" is named twice: give each ${one} a name of its own`;
        context.addIssue({ code: "custom", path: [key, index, "name"], message });
      });
    const users = new Set(config.auth.roles.flatMap((binding) => binding.users));
    config.auth.roles.forEach(({ robots }, index) => {
      for (const [at, robot] of robots.entries()) {
        if (!users.has(robot)) continue;
        const message = `"${robot}" is bound as a user too: give the robot a name that no person has`;
        context.addIssue({ code: "custom", path: ["auth", "roles", index, "robots", at], message });
      }
    });
    for (const fault of listTeamFaults(config)) context.addIssue({ code: "custom", ...fault });
    if (config.demo !== undefined) return;
    if (config.auth.oidc === undefined)
      context.addIssue({ code: "custom", path: ["auth"], message: "no identity provider: set auth.oidc" });
  });
export type Config = z.infer<typeof Config>;

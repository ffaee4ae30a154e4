import { z } from "zod";
import { Role } from "#lib/contract/common.ts";
import { ownManager } from "#lib/domain/acting/own-identity.ts";
import { components } from "#lib/domain/component-list.ts";
import { sourceAddressRules } from "#lib/domain/kube-audit/mask-address.ts";
import { knownManagers } from "#lib/domain/providers.ts";
import { findUrlFault } from "#lib/util/base-path.ts";
import { LinkConfig, UnitsConfig } from "./link-schema.ts";
import { NotificationConfig } from "./notification-schema.ts";
import { OversightConfig } from "./oversight-schema.ts";
import { actionPatterns, PolicyConfig, scopeFields } from "./policy-schema.ts";
import { SecretPlace } from "./secret-place.ts";

const clusterName = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, "use lower-case letters, digits and dashes, at most 63");

/**
 * The runtime refuses every name that begins with `system:`; here the mistake is reported when the config is loaded.
 */
const namePrefix = z
  .string()
  .refine((text) => !/^\s*system:/i.test(text), 'names that begin with "system:" are Kubernetes\' own')
  .refine((text) => text === text.trimStart(), "a name cannot begin with a space")
  .default("");

const Impersonation = z
  .strictObject({
    /**
     * Sends each of these people, named as in the claim, as a separate user. Absent, and without `allowAnyUser`, all
     * people are sent as one user, with their groups, and the person's name is an extra (docs/adr/0007).
     */
    users: z
      .array(
        z
          .string()
          .min(1)
          .refine((name) => name !== "*", 'for everyone, write "allowAnyUser: true"'),
      )
      .min(1)
      .optional(),
    /** Sends each person as a separate user: a rule that allows this makes Gatehouse's account a cluster admin. */
    allowAnyUser: z.boolean().default(false),
    usernameClaim: z.string().min(1).default("preferred_username"),
    usernamePrefix: namePrefix,
    groupsClaim: z.string().min(1).default("groups"),
    groupsPrefix: namePrefix,
    /** Only a person's matching groups are sent, as in the claim: a cluster may use few of many. */
    groups: z.array(z.string().min(1)).default(["*"]),
  })
  .refine(({ users, allowAnyUser }) => users === undefined || !allowAnyUser, {
    message: "say one of users, allowAnyUser: true",
  });

const fieldManager = z
  .string()
  .min(1, "a field manager has a name")
  .max(128, "a field manager's name has at most 128 characters")
  .refine((name) => name !== ownManager, `"${ownManager}" is the field manager of Gatehouse itself`);

/** A Prometheus that scrapes the cluster's controllers. Its own account suffices: it only receives queries. */
const Prometheus = z.strictObject({
  url: z.url({ protocol: /^https?$/ }),
  /** Selects this cluster's series, in PromQL, if the Prometheus has those of several clusters. */
  matchers: z
    .array(
      z.string().regex(/^[a-zA-Z_]\w*(?:=|=~|!=|!~)"(?:[^"\\]|\\.)*"$/, 'write a matcher such as cluster="prod-eu"'),
    )
    .default([]),
  /** Sent as a bearer token; read again for each query. */
  tokenFile: z.string().optional(),
  /** For a certificate that the system does not trust. */
  caFile: z.string().optional(),
});
export type PrometheusConfig = z.infer<typeof Prometheus>;

const httpUrl = z
  .url({ protocol: /^https?$/ })
  .refine((url) => !/^[^/]*\/\/[^/]*@/.test(url), "leave user and password out of the URL: use tokenFile");

/** The metrics endpoint of one controller, or of one component of Prow. */
const Endpoint = z.strictObject({
  component: z.enum(components.map(({ name }) => name)),
  url: httpUrl,
  /** Sent as a bearer token, to the probe too; read again for each scrape. */
  tokenFile: z.string().optional(),
  /** For a certificate that the system does not trust. */
  caFile: z.string().optional(),
  /** Answers below 400 while the component is well, such as `http://host:8081/healthz`. */
  probe: httpUrl.optional(),
});
export type EndpointConfig = z.infer<typeof Endpoint>;

/** The cluster's controllers, and the sources of their health. */
const Controllers = z.strictObject({
  /**
   * Field managers of the Argo Rollouts controller, as opposed to a person's client: the name of its binary. A manager
   * that writes fields that only a controller writes is recognised even if it is not listed.
   */
  managers: z.array(fieldManager).default([...knownManagers]),
  prometheus: Prometheus.optional(),
  /** The health of the controllers is read from these, and from the Prometheus for those that are not named. */
  endpoints: z
    .array(Endpoint)
    .refine(
      (endpoints) => new Set(endpoints.map(({ component }) => component)).size === endpoints.length,
      "name each component once",
    )
    .default([]),
  /** Flagger before 1.34 sends no checksum: hook calls without one are matched by the target's live pod template. */
  acceptMissingChecksum: z.boolean().default(false),
});

/** How the cluster's audit events are read, and which parts are kept (docs/kubernetes-audit.md). */
const KubernetesAudit = z.strictObject({
  /** An audit log of the API server (JSON lines) that the recorder follows, beside or instead of the webhook. */
  file: z.string().min(1).optional(),
  /** The part of source addresses that is kept: all, the network (/24, /48), or nothing. */
  sourceAddresses: z.enum(sourceAddressRules).default("keep"),
  /** Patterns of the groups that are kept. */
  groups: z.array(z.string().min(1)).default(["*"]),
  /**
   * How long after a change its events may still arrive. Above the API servers' --audit-webhook-batch-max-wait: until
   * then another person's event may be missing.
   */
  settleSeconds: z.number().int().min(0).max(3600).default(40),
});

/** One Kubernetes API server, reached by exactly one of `server`, `kubeconfig`, `inCluster`. */
export const ClusterConfig = z
  .strictObject({
    name: clusterName,
    server: z.url({ protocol: /^https?$/ }).optional(),
    tokenFile: z.string().optional(),
    caFile: z.string().optional(),
    kubeconfig: z.string().optional(),
    context: z.string().optional(),
    inCluster: z.boolean().optional(),
    access: z.enum(["read", "act"]).default("read"),
    /** Whose rights apply: the person's own, or those of Gatehouse's own account there. */
    actAs: z.enum(["impersonation", "serviceAccount"]).default("impersonation"),
    namespaces: z.array(z.string()).min(1).optional(),
    staleAfterSeconds: z.number().int().min(10).max(3600).default(60),
    impersonation: Impersonation.default(Impersonation.parse({})),
    controllers: Controllers.default(Controllers.parse({})),
    kubernetesAudit: KubernetesAudit.default(KubernetesAudit.parse({})),
    /** Whether people may read the logs of pods here, each with their own rights (docs/logs.md). */
    logs: z.boolean().default(true),
  })
  .refine((cluster) => [cluster.server, cluster.kubeconfig, cluster.inCluster].filter(Boolean).length === 1, {
    message: "say exactly one of server, kubeconfig, inCluster: true",
  });
export type ClusterConfig = z.infer<typeof ClusterConfig>;

/** An OpenID Connect provider. */
export const OidcConfig = z.strictObject({
  issuer: z.url({ protocol: /^https?$/ }),
  clientId: z.string().min(1),
  clientSecret: SecretPlace,
  label: z.string().default("Single sign-on"),
  scopes: z.array(z.string()).default(["openid", "profile", "email"]),
  usernameClaim: z.string().default("preferred_username"),
  groupsClaim: z.string().default("groups"),
});
export type OidcConfig = z.infer<typeof OidcConfig>;

/** A name is never empty: an empty one would match no one or, if a claim is empty too, the wrong people. */
const name = z.string().min(1, "a name cannot be empty");
const names = z.array(name).default([]);

/**
 * Gives a role everywhere or within a scope: to people by group, user name or subject (of `auth.oidc`), to robots by
 * name, and to API tokens by id. People without a matching binding may not sign in. `breakGlass` is the right to act
 * during a freeze.
 */
export const RoleBinding = z
  .strictObject({
    role: Role,
    groups: names,
    users: names,
    subjects: names,
    robots: names,
    tokens: z.array(name.toLowerCase()).default([]),
    ...scopeFields,
    actions: actionPatterns,
    breakGlass: z.boolean().default(false),
  })
  .refine(
    ({ groups, users, subjects, robots, tokens }) =>
      [groups, users, subjects, robots, tokens].some((list) => list.length > 0),
    { message: "name at least one group, user, subject, robot or token" },
  );
export type RoleBinding = z.infer<typeof RoleBinding>;

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
  /** The cluster's own events. */
  events: days.default("90d"),
  /** Pods that are gone. */
  pods: days.default("90d"),
  /** Hook calls of controllers, with their answers. */
  hookCalls: days.default("30d"),
  /** Audit events of the clusters' API servers: who sent which write, with groups and source addresses. */
  kubernetesAudit: days.default("90d"),
  /** Messages from controllers' event hooks. */
  controllerMessages: days.default("90d"),
  /** Weights and values from controllers' own metrics; the values of measurements stay with these. */
  samples: days.default("30d"),
  /** Samples of controllers' own health. */
  controllerSamples: days.default("30d"),
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
  /** API tokens of one person that are neither expired nor revoked; not per minute. */
  tokensPerPerson: z.number().int().min(1).max(10_000).default(50),
  /** Event streams that one person may have open, across all sessions and tokens; not per minute. */
  streamsPerPerson: z.number().int().min(1).max(100_000).default(20),
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
    clusters: z.array(ClusterConfig).min(1),
    links: z.array(LinkConfig).default([]),
    units: UnitsConfig,
    recorder: z
      .strictObject({
        host: z.string().default("127.0.0.1"),
        port: z.number().int().min(0).max(65_535).default(7470),
      })
      .default({ host: "127.0.0.1", port: 7470 }),
    probes: z.strictObject({ public: z.boolean().default(false) }).default({ public: false }),
    onConfigError: z.strictObject({ failLiveness: z.boolean().default(false) }).default({ failLiveness: false }),
    checkpoints: CheckpointConfig.default({}),
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
    const users = new Set(config.auth.roles.flatMap((binding) => binding.users));
    config.auth.roles.forEach(({ robots }, index) => {
      for (const [at, robot] of robots.entries()) {
        if (!users.has(robot)) continue;
        const message = `"${robot}" is bound as a user too: give the robot a name that no person has`;
        context.addIssue({ code: "custom", path: ["auth", "roles", index, "robots", at], message });
      }
    });
    if (config.demo !== undefined) return;
    if (config.auth.oidc === undefined)
      context.addIssue({ code: "custom", path: ["auth"], message: "no identity provider: set auth.oidc" });
  });
export type Config = z.infer<typeof Config>;

import { z } from "zod";
import { Role } from "#lib/contract/common.ts";

const clusterName = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, "use lower-case letters, digits and dashes, at most 63");

const Impersonation = z.strictObject({
  usernameClaim: z.string().default("preferred_username"),
  usernamePrefix: z.string().default(""),
  groupsClaim: z.string().default("groups"),
  groupsPrefix: z.string().default(""),
});

/** How many objects may vanish at once and be believed to be gone: more than the share, and at least so many, are held. */
const Disappearance = z.strictObject({
  abovePercent: z.number().int().min(1).max(99).default(50),
  atLeast: z.number().int().min(1).default(5),
});

/** One Kubernetes API server. Exactly one of `server`, `kubeconfig`, `inCluster` says how it is reached. */
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
    namespaces: z.array(z.string()).min(1).optional(),
    staleAfterSeconds: z.number().int().min(10).max(3600).default(60),
    disappearance: Disappearance.default(Disappearance.parse({})),
    impersonation: Impersonation.default(Impersonation.parse({})),
  })
  .refine((cluster) => [cluster.server, cluster.kubeconfig, cluster.inCluster].filter(Boolean).length === 1, {
    message: "say exactly one of server, kubeconfig, inCluster: true",
  });
export type ClusterConfig = z.infer<typeof ClusterConfig>;

/** An OpenID Connect provider. The client secret comes from a file or from the environment variable named here. */
export const OidcConfig = z
  .strictObject({
    issuer: z.url({ protocol: /^https?$/ }),
    clientId: z.string().min(1),
    clientSecretFile: z.string().optional(),
    clientSecretEnv: z.string().optional(),
    label: z.string().default("Single sign-on"),
    scopes: z.array(z.string()).default(["openid", "profile", "email"]),
    usernameClaim: z.string().default("preferred_username"),
    groupsClaim: z.string().default("groups"),
  })
  .refine((oidc) => [oidc.clientSecretFile, oidc.clientSecretEnv].filter(Boolean).length === 1, {
    message: "say exactly one of clientSecretFile, clientSecretEnv",
  });
export type OidcConfig = z.infer<typeof OidcConfig>;

/** Gives a role to people by group or by user name. Who matches none may not sign in. */
export const RoleBinding = z
  .strictObject({ role: Role, groups: z.array(z.string()).default([]), users: z.array(z.string()).default([]) })
  .refine((binding) => binding.groups.length + binding.users.length > 0, {
    message: "name at least one group or user",
  });
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
 * How long rows are kept, by their own age. Runs, releases with the observations that they are derived from, and the
 * audit log are never deleted.
 */
export const RetentionConfig = z.strictObject({
  measurements: days.default("400d"),
  /** The cluster's own events. */
  events: days.default("90d"),
  /** Pods that are gone. */
  pods: days.default("90d"),
  /** A run that would delete a larger share of the measurements is refused. */
  maxSharePercent: z.number().int().min(1).max(100).default(50),
});
export type RetentionConfig = z.infer<typeof RetentionConfig>;

export const Config = z
  .strictObject({
    publicUrl: z.url({ protocol: /^https?$/ }),
    demo: z
      .strictObject({
        accountsFile: z.string(),
        /** Where an admin's page may tell the sandbox which faults to play. */
        faults: z.strictObject({ server: z.url({ protocol: /^http$/ }), tokenFile: z.string() }).optional(),
      })
      .optional(),
    auth: z
      .strictObject({
        oidc: OidcConfig.optional(),
        roles: z.array(RoleBinding).default([]),
        session: SessionConfig.default(SessionConfig.parse({})),
      })
      .default({ roles: [], session: SessionConfig.parse({}) }),
    clusters: z.array(ClusterConfig).min(1),
    recorder: z
      .strictObject({
        host: z.string().default("127.0.0.1"),
        port: z.number().int().min(0).max(65_535).default(7470),
      })
      .default({ host: "127.0.0.1", port: 7470 }),
    /** Event streams that one person may have open at a web process, over all sessions and tokens. */
    stream: z
      .strictObject({ maxPerPerson: z.number().int().min(1).max(100_000).default(20) })
      .default({ maxPerPerson: 20 }),
    probes: z.strictObject({ public: z.boolean().default(false) }).default({ public: false }),
    onConfigError: z.strictObject({ failLiveness: z.boolean().default(false) }).default({ failLiveness: false }),
    retention: RetentionConfig.default(RetentionConfig.parse({})),
    /** Signs a reload off that would otherwise be held (docs/configuration.md). */
    acceptRemovals: z.boolean().default(false),
  })
  .superRefine((config, context) => {
    const names = config.clusters.map((cluster) => cluster.name);
    names.forEach((name, index) => {
      if (names.indexOf(name) !== index)
        context.addIssue({ code: "custom", path: ["clusters", index, "name"], message: `"${name}" is named twice` });
    });
    if (config.demo !== undefined) return;
    if (config.auth.oidc === undefined)
      context.addIssue({ code: "custom", path: ["auth"], message: "no identity provider: set auth.oidc" });
    config.clusters.forEach((cluster, index) => {
      // Real clusters stay read-only until guarded actions on them are finished.
      if (cluster.access === "act")
        context.addIssue({
          code: "custom",
          path: ["clusters", index, "access"],
          message: "only read is supported for real clusters in this version",
        });
    });
  });
export type Config = z.infer<typeof Config>;

import { z } from "zod";
import { ownManager } from "#lib/domain/acting/own-identity.ts";
import { components } from "#lib/domain/component-list.ts";
import { sourceAddressRules } from "#lib/domain/kube-audit/mask-address.ts";
import { knownManagers } from "#lib/domain/providers.ts";
import { ClaimPlace } from "./claim-place.ts";

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
    groupsClaim: ClaimPlace.default("groups"),
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
    /** Whether each decision leaves an Event on its rollout: deploy/rbac-events.yaml has the right. */
    events: z.boolean().default(false),
  })
  .refine(({ access, events }) => access === "act" || !events, {
    path: ["events"],
    message: "no one acts in a cluster that is only read: set access: act, or leave this out",
  })
  .refine((cluster) => [cluster.server, cluster.kubeconfig, cluster.inCluster].filter(Boolean).length === 1, {
    message: "say exactly one of server, kubeconfig, inCluster: true",
  });
export type ClusterConfig = z.infer<typeof ClusterConfig>;

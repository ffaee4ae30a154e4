import { createHash } from "node:crypto";
import type { Deployment } from "#sandbox/controllers/deployment-types.ts";
import type { PodTemplate } from "#sandbox/controllers/rollout-types.ts";
import type { Canary } from "./canary-types.ts";
import type { FlaggerContext } from "./flagger-context.ts";
import { FLAGGER_MANAGER } from "./flagger-context.ts";
import { ownedByCanary } from "./owned-objects.ts";

type ConfigType = "configmap" | "secret";
export type TrackedConfig = { type: ConfigType; name: string; checksum: string };

type Reference = { name?: string; secretName?: string; optional?: boolean };
type Source = { configMap?: Reference; secret?: Reference };
type EnvSource = {
  valueFrom?: { configMapKeyRef?: Reference; secretKeyRef?: Reference };
  configMapRef?: Reference;
  secretRef?: Reference;
};
type Container = { env?: EnvSource[]; envFrom?: EnvSource[] };
type PodSpec = {
  volumes?: (Source & { projected?: { sources?: Source[] } })[];
  containers?: Container[];
  initContainers?: Container[];
};

const PLURALS: Record<ConfigType, string> = { configmap: "configmaps", secret: "secrets" };
const TRACKING_ANNOTATION = "flagger.app/config-tracking";
const SECRET_TYPES = ["Opaque", "kubernetes.io/basic-auth", "kubernetes.io/ssh-auth", "kubernetes.io/tls"];

/**
 * Finds the ConfigMaps and Secrets that the pods use (pkg/canary/config_tracker.go GetTargetConfigs of flagger 1.44.0).
 * Throws if one that is not optional is missing.
 */
export function findConfigs({ store }: FlaggerContext, { metadata, spec }: Deployment): TrackedConfig[] {
  const found = new Map<string, TrackedConfig>();
  visitReferences(structuredClone(spec.template.spec), (type, { reference, key }) => {
    const name = reference[key] ?? "";
    const object = store.get(PLURALS[type], metadata.namespace, name);
    if (object === undefined) {
      if (reference.optional !== true) {
        const place = `${type} ${name}.${metadata.namespace}`;
        const reason = `${PLURALS[type]} ${JSON.stringify(name)} not found`;
        throw new Error(`GetTargetConfigs failed: ${place} get query error: ${reason}`);
      }
      return;
    }
    const isIgnored = type === "secret" && !SECRET_TYPES.includes(String(object.type ?? "Opaque"));
    const isDisabled = object.metadata.annotations?.[TRACKING_ANNOTATION]?.startsWith("disable") === true;
    if (!isIgnored && !isDisabled) {
      found.set(`${type}/${name}`, { type, name, checksum: computeConfigChecksum(object.data) });
    }
  });
  return [...found.values()].sort((left, right) => left.type.localeCompare(right.type) || compare(left, right));
}

/** Writes `<name>-primary` of each config, and returns the pod template with those names. */
export function copyConfigs(context: FlaggerContext, canary: Canary, target: Deployment): PodTemplate["spec"] {
  const configs = findConfigs(context, target);
  for (const config of configs) {
    copyConfig(context, canary, config);
  }
  const podSpec = structuredClone(target.spec.template.spec);
  visitReferences(podSpec, (type, { reference, key }) => {
    if (configs.some((config) => config.type === type && config.name === reference[key])) {
      reference[key] = `${reference[key]}-primary`;
    }
  });
  return podSpec;
}

function copyConfig({ store }: FlaggerContext, canary: Canary, { type, name }: TrackedConfig): void {
  const { namespace } = canary.metadata;
  const plural = PLURALS[type];
  const source = store.get(plural, namespace, name);
  if (source === undefined) {
    return;
  }
  const { apiVersion, kind, metadata: _metadata, ...content } = source;
  const metadata = { name: `${name}-primary`, namespace, ownerReferences: [ownedByCanary(canary)] };
  const existing = store.get(plural, namespace, metadata.name);
  if (existing === undefined) {
    store.create(plural, { apiVersion, kind, metadata, ...content }, { manager: FLAGGER_MANAGER });
  } else {
    store.update(plural, { ...existing, ...content }, { manager: FLAGGER_MANAGER });
  }
}

type Visit = (type: ConfigType, place: { reference: Reference; key: "name" | "secretName" }) => void;

/** Visits each reference to a ConfigMap or Secret; the visitor may change its name. */
function visitReferences(anyPodSpec: PodTemplate["spec"], visit: Visit): void {
  const podSpec = anyPodSpec as unknown as PodSpec;
  const visitAll = (type: ConfigType, key: "name" | "secretName", ...references: (Reference | undefined)[]): void => {
    for (const reference of references) {
      if (reference !== undefined) {
        visit(type, { reference, key });
      }
    }
  };
  for (const { configMap, secret, projected } of podSpec.volumes ?? []) {
    visitAll("configmap", "name", configMap);
    visitAll("secret", "secretName", secret);
    for (const source of projected?.sources ?? []) {
      visitAll("configmap", "name", source.configMap);
      visitAll("secret", "name", source.secret);
    }
  }
  for (const { env = [], envFrom = [] } of [...(podSpec.containers ?? []), ...(podSpec.initContainers ?? [])]) {
    for (const { valueFrom, configMapRef, secretRef } of [...env, ...envFrom]) {
      visitAll("configmap", "name", valueFrom?.configMapKeyRef, configMapRef);
      visitAll("secret", "name", valueFrom?.secretKeyRef, secretRef);
    }
  }
}

/** Returns 16 hex digits of the SHA-256 of the data as Go writes it in JSON. */
function computeConfigChecksum(data: unknown): string {
  const entries = Object.entries((data ?? {}) as Record<string, string>).sort(([left], [right]) =>
    left < right ? -1 : 1,
  );
  const json = data == null ? "null" : JSON.stringify(Object.fromEntries(entries));
  const escaped = json.replace(
    /[<>&\u2028\u2029]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return createHash("sha256").update(escaped).digest("hex").slice(0, 16);
}

function compare(left: { name: string }, right: { name: string }): number {
  return left.name < right.name ? -1 : 1;
}

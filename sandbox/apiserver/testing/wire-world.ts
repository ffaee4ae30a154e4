import type { AccessDecision, AccessRequest, UserInfo } from "#sandbox/apiserver/auth.ts";
import { findResourceByKind } from "#sandbox/apiserver/resources.ts";
import { isPlainObject } from "#sandbox/apiserver/shared-copy.ts";
import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import { type SandboxServer, startSandboxServer } from "#test/sandbox-server.ts";
import { type Answer, type Call, send } from "./http-client.ts";
import { addNamespace } from "./objects.ts";
import { type Recording, readRecording } from "./wire-corpus.ts";

const USERS: Record<string, string> = {
  nobody: "nobody@example.test",
  viewer: "viewer@example.test",
  operator: "operator@example.test",
  gateway: "system:serviceaccount:rollout-console:gateway",
};
const GATEWAY_MAY_BE = ["viewer@example.test", "operator@example.test", "team-ops", "team-view"];

/** The rights that the recorded users had. */
export function authorizeAsRecorded(request: AccessRequest): AccessDecision {
  const { user, groups, verb, resource, subresource, namespace, name } = request;
  if (groups.includes("system:masters")) return { allowed: true };
  if (verb === "impersonate") {
    const isAllowed = name === undefined || (GATEWAY_MAY_BE.includes(name) && /^(users|groups)$/.test(resource));
    return { allowed: user === USERS.gateway && isAllowed };
  }
  if (request.path !== undefined) {
    const isOpen = ["/version", "/readyz", "/livez", "/healthz"].includes(request.path);
    return { allowed: isOpen || (groups.includes("system:authenticated") && /^\/(api|apis|openapi)/.test(request.path)) };
  }
  if (/^selfsubject(access)?reviews$/.test(resource)) return { allowed: groups.includes("system:authenticated") };
  const path = subresource === undefined ? resource : `${resource}/${subresource}`;
  const isReading = ["get", "list", "watch"].includes(verb);
  const isHome = namespace === "wire" || namespace === "jesse-test" || namespace === "shop";
  if (request.group !== "argoproj.io" || !isHome) return { allowed: false };
  const main = ["rollouts", "analysisruns"].includes(path);
  if (user === USERS.operator) {
    return { allowed: (isReading && main) || (verb === "patch" && (main || path === "rollouts/status")), reason: "RBAC" };
  }
  if (user === USERS.viewer) return { allowed: (isReading && main) || (verb === "patch" && main), reason: "RBAC" };
  return { allowed: false };
}

export type WireWorld = {
  sandbox: SandboxServer;
  /** Takes every object of the kinds that the recordings are about away. */
  clear(): void;
  /** Stores objects as they stand, in namespaces that are made where missing. */
  put(objects: readonly KubeObject[]): void;
  call(recording: Recording, path?: string): Call;
  replay(recording: Recording, path?: string): Promise<Answer>;
};

/** A sandbox with the rights of the recorded users. */
export async function startWireWorld(options: Parameters<typeof startSandboxServer>[0] = {}): Promise<WireWorld> {
  const users = new Map<string, UserInfo>();
  for (const [token, name] of Object.entries(USERS)) {
    users.set(token, { name, groups: ["system:authenticated"], extra: {} });
  }
  const sandbox = await startSandboxServer({ authorize: authorizeAsRecorded, users, ...options });
  for (const name of ["wire", "shop", "jesse-test"]) addNamespace(sandbox.store, name);

  function put(objects: readonly KubeObject[]): void {
    for (const object of objects) {
      const resource = findResourceByKind(object.apiVersion, object.kind);
      if (resource === undefined) throw new Error(`no resource for ${object.apiVersion} ${object.kind}`);
      const { namespace } = object.metadata;
      if (namespace !== undefined && sandbox.store.get("namespaces", undefined, namespace) === undefined) {
        addNamespace(sandbox.store, namespace);
      }
      sandbox.store.importObject(resource.plural, object);
    }
  }

  function call({ request }: Recording, path = request.path): Call {
    const { Authorization: authorization, ...headers } = request.headers;
    const owner = /^Bearer <token of (\w+)>$/.exec(String(authorization))?.[1];
    const token = owner === undefined || owner === "None" ? null : owner === "admin" ? sandbox.token : owner;
    return {
      method: request.method,
      path,
      token,
      headers: authorization === undefined || owner !== undefined ? headers : { ...headers, Authorization: authorization },
      ...(request.body === undefined || request.body === null ? {} : { body: request.body }),
    };
  }

  return {
    sandbox,
    put,
    call,
    replay: (recording, path) => send(sandbox, call(recording, path)),
    clear() {
      for (const plural of ["rollouts", "analysisruns", "pods", "events", "canaries"]) {
        for (const { metadata } of sandbox.store.list(plural)) {
          sandbox.store.delete(plural, metadata.namespace, metadata.name);
        }
      }
    },
  };
}

/** What differs from run to run. */
const VOLATILE = new Set(["uid", "resourceVersion", "creationTimestamp", "managedFields", "deletionTimestamp"]);

export function normalise(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normalise);
  if (!isPlainObject(value)) return value;
  const members = Object.entries(value).filter(([key]) => !VOLATILE.has(key));
  return Object.fromEntries(members.map(([key, member]) => [key, normalise(key === "continue" ? startOf(member) : member)]));
}

/** Where a continue token goes on; its version is another in each run. */
function startOf(token: unknown): unknown {
  if (typeof token !== "string" || token === "") return token;
  const { rv, start } = JSON.parse(Buffer.from(token, "base64url").toString("utf8")) as { rv: number; start: string };
  return { isConsistent: rv >= 0, start };
}

/** The three objects that most recordings stand on: a Rollout with its status, and its AnalysisRun. */
export async function seed(world: WireWorld): Promise<void> {
  for (const name of ["create-rollout", "patch-status-seed", "create-analysisrun"]) {
    const { status } = await world.replay(readRecording(name));
    if (status >= 300) throw new Error(`seeding with ${name} was answered with ${status}`);
  }
}

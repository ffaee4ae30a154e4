import { parse as parseYaml } from "yaml";
import type { AccessDecision, AccessRequest, UserInfo } from "#sandbox/apiserver/auth.ts";
import { findResourceByKind } from "#sandbox/apiserver/resources.ts";
import { isPlainObject } from "#sandbox/apiserver/shared-copy.ts";
import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import { type SandboxServer, startSandboxServer } from "#test/sandbox-server.ts";
import { type Answer, type Call, send } from "./http-client.ts";
import { addNamespace } from "./objects.ts";
import { type Recording, readRecording, recordedEvents } from "./wire-corpus.ts";

const USERS: Record<string, string> = {
  nobody: "nobody@example.test",
  viewer: "viewer@example.test",
  operator: "operator@example.test",
  gateway: "system:serviceaccount:rollout-console:gateway",
};
const GATEWAY_MAY_BE = ["viewer@example.test", "operator@example.test", "team-ops", "team-view"];

/** Grants the rights that the recorded users had. */
export function authorizeAsRecorded(request: AccessRequest): AccessDecision {
  const { user, groups, verb, resource, subresource, namespace, name } = request;
  if (groups.includes("system:masters")) return { allowed: true };
  if (verb === "impersonate") {
    const isAllowed = name === undefined || (GATEWAY_MAY_BE.includes(name) && /^(users|groups)$/.test(resource));
    return { allowed: user === USERS.gateway && isAllowed };
  }
  if (request.path !== undefined) {
    const isOpen = ["/version", "/readyz", "/livez", "/healthz"].includes(request.path);
    return {
      allowed: isOpen || (groups.includes("system:authenticated") && /^\/(api|apis|openapi)/.test(request.path)),
    };
  }
  if (/^selfsubject(access)?reviews$/.test(resource)) return { allowed: groups.includes("system:authenticated") };
  const path = subresource === undefined ? resource : `${resource}/${subresource}`;
  const isReading = ["get", "list", "watch"].includes(verb);
  const isHome = namespace === "wire" || namespace === "jesse-test" || namespace === "shop";
  if (request.group !== "argoproj.io" || !isHome) return { allowed: false };
  const main = ["rollouts", "analysisruns"].includes(path);
  const isStatus = verb === "patch" && path === "rollouts/status";
  const isAllowed = (main && (isReading || verb === "patch")) || (isStatus && user === USERS.operator);
  const isKnown = user === USERS.operator || user === USERS.viewer;
  return isKnown && isAllowed ? { allowed: true, reason: "RBAC: allowed by a role" } : { allowed: false };
}

export type WireWorld = {
  sandbox: SandboxServer;
  /** Removes every object of the kinds in the recordings. */
  clear(): void;
  /** Stores objects unchanged, in namespaces that are created if missing. */
  put(objects: readonly KubeObject[]): void;
  call(recording: Recording, path?: string): Call;
  replay(recording: Recording, path?: string): Promise<Answer>;
};

/** Returns the body; one that was too long to record is described only by its length. */
function bodyOf(body: unknown): unknown {
  const length = /^<(\d+) characters>$/.exec(String(body))?.[1];
  return length === undefined ? body : JSON.stringify("x".repeat(Number(length)));
}

/** Starts a sandbox with the rights of the recorded users. */
export async function startWireWorld(options: Parameters<typeof startSandboxServer>[0] = {}): Promise<WireWorld> {
  const users = new Map<string, UserInfo>();
  for (const [token, name] of Object.entries(USERS)) {
    const groups = [...(token === "operator" ? ["team-ops"] : []), "system:authenticated"];
    users.set(token, { name, groups, extra: {}, ...(token === "operator" ? { uid: "uid-operator" } : {}) });
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
      headers:
        authorization === undefined || owner !== undefined ? headers : { ...headers, Authorization: authorization },
      ...(request.body === undefined || request.body === null ? {} : { body: bodyOf(request.body) }),
    };
  }

  return {
    sandbox,
    put,
    call,
    replay: (recording, path) => send(sandbox, call(recording, path)),
    clear() {
      for (const plural of ["rollouts", "analysisruns", "pods", "events", "canaries"]) {
        for (const object of sandbox.store.list(plural)) {
          const { metadata } = object;
          const { name, namespace } = metadata;
          if (metadata.finalizers !== undefined) {
            const { finalizers: _finalizers, ...rest } = metadata;
            sandbox.store.importObject(plural, { ...object, metadata: rest });
          }
          sandbox.store.delete(plural, namespace, name);
        }
      }
    },
  };
}

/** Fields that differ from run to run. */
const VOLATILE = new Set(["uid", "resourceVersion", "creationTimestamp", "managedFields", "deletionTimestamp"]);

const DIFFERENT_TEXT =
  /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<=in record \()\d+|(?<=current: )\d+|(?<=RBAC: ).*|(?<=too old resource version: ).*/g;

export function normalise(value: unknown): unknown {
  if (typeof value === "string") return value.replace(DIFFERENT_TEXT, "-");
  if (Array.isArray(value)) return value.map(normalise);
  if (!isPlainObject(value)) return value;
  const members = Object.entries(value).filter(([key]) => !VOLATILE.has(key));
  return Object.fromEntries(
    members.map(([key, member]) => [key, normalise(key === "continue" ? startOf(member) : member)]),
  );
}

/** Returns where a continue token continues; its version differs in each run. */
function startOf(token: unknown): unknown {
  if (typeof token !== "string" || token === "") return token;
  const { rv, start } = JSON.parse(Buffer.from(token, "base64url").toString("utf8")) as { rv: number; start: string };
  return { isConsistent: rv >= 0, start };
}

/** Stores the three objects that most recordings use: a Rollout with its status, and its AnalysisRun. */
export async function seed(world: WireWorld): Promise<void> {
  for (const name of ["create-rollout", "patch-status-seed", "create-analysisrun"]) {
    const { status } = await world.replay(readRecording(name));
    if (status >= 300) throw new Error(`seeding with ${name} was answered with ${status}`);
  }
}

/** Makes everything so far too old for continue tokens and watches. */
export function forgetVersion({ sandbox: { store } }: WireWorld): void {
  store.delete("configmaps", "wire", "later");
  const later = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "later", namespace: "wire" } };
  store.create("configmaps", later, { manager: "test" });
  store.forgetHistory();
}

/** Replaces the recorded version in the path, which does not exist in this cluster. */
export function withVersion(
  path: string,
  parts: { version: number; timeout?: string | undefined; timeoutSeconds?: string },
): string {
  const url = new URL(`http://recorded${path}`);
  const { searchParams: params } = url;
  const asked = Number(params.get("resourceVersion") ?? "0");
  // Zero, the first versions and future ones mean the same to every cluster.
  if (asked > 1 && asked < 99_999_999) params.set("resourceVersion", String(parts.version));
  const token = params.get("continue") ?? "";
  if (/^eyJ/.test(token)) {
    const body = JSON.parse(Buffer.from(token, "base64url").toString("utf8")) as { rv: number };
    const moved = { ...body, rv: body.rv < 0 ? body.rv : parts.version };
    params.set("continue", Buffer.from(JSON.stringify(moved)).toString("base64url"));
  }
  if (parts.timeout !== undefined) params.set("timeout", parts.timeout);
  if (parts.timeoutSeconds !== undefined) params.set("timeoutSeconds", parts.timeoutSeconds);
  return `${url.pathname}${url.search}`;
}

/** Returns both bodies in a form in which they must be equal. */
export function comparable({ recording, answer }: { recording: Recording; answer: Answer }): {
  body: unknown;
  expected: unknown;
} {
  // The refusal of a watch is recorded in place of its events.
  const recorded = recording.response?.body ?? recordedEvents(recording)[0];
  const isYaml = answer.headers["content-type"] === "application/yaml";
  const expected = isYaml ? parseYaml(String(recorded)) : recorded;
  const body = isYaml ? parseYaml(answer.text) : (answer.body ?? answer.text);
  const hasFirstOnly = recording.response?.itemsInAll !== undefined;
  return {
    expected: simplify(normalise(expected)),
    body: simplify(normalise(hasFirstOnly ? { ...body, items: body.items.slice(0, 1) } : body)),
  };
}

/** Removes what may differ between two correct responses of one kind. */
export function simplify(value: unknown): unknown {
  if (!isPlainObject(value)) return value;
  if (value.kind === "Table" && Array.isArray(value.rows)) {
    const columns = Array.isArray(value.columnDefinitions) ? value.columnDefinitions : undefined;
    // The last cell is the age.
    const rows = value.rows.map((row) => ({ ...row, cells: row.cells.slice(0, -1) }));
    const described = columns?.map(({ description: _words, ...column }) => column) ?? null;
    return { ...value, columnDefinitions: described, rows };
  }
  if (value.kind === "APIResourceList" && Array.isArray(value.resources)) {
    const resources = value.resources.map(({ storageVersionHash: _hash, ...resource }) => ({
      ...resource,
      verbs: [...resource.verbs].sort(),
    }));
    return { ...value, resources: resources.sort((left, right) => (left.name < right.name ? -1 : 1)) };
  }
  if (value.kind === "Status" && isPlainObject(value.details) && Array.isArray(value.details.causes)) {
    const causes = [...value.details.causes].sort((left, right) => (left.field < right.field ? -1 : 1));
    // If there are several, their order changes from call to call, in the text as well.
    const message = causes.length > 1 ? String(value.message).split("[")[0] : value.message;
    return { ...value, message, details: { ...value.details, causes } };
  }
  if (typeof value.gitVersion === "string") {
    return Object.fromEntries(Object.keys(value).map((key) => [key, /^(major|minor)$/.test(key) ? value[key] : "-"]));
  }
  return value;
}

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SandboxServer, startSandboxServer } from "#test/sandbox-server.ts";
import { isPlainObject } from "./shared-copy.ts";
import { type Answer, send } from "./testing/http-client.ts";
import { addNamespace } from "./testing/objects.ts";

/** Exchanges recorded from a real kube-apiserver; they are read where they lie beside the checkout. */
const recordings = join(import.meta.dirname, "../../../shared/data/kube-wire");

type Recording = {
  request: { method: string; path: string; headers: Record<string, string | string[]>; body?: unknown };
  response: { status: number; headers: Record<string, string>; body?: unknown };
};

/** Each runs on the same three objects: a Rollout with its status, its AnalysisRun, and their namespaces. */
const NAMES = [
  "anonymous-forbidden",
  "create-exists",
  "create-invalid-name",
  "create-malformed-json",
  "create-namespace-missing",
  "create-wrong-kind",
  "create-wrong-namespace",
  "delete-ok",
  "discovery-anonymous",
  "discovery-group",
  "discovery-group-missing",
  "forbidden-create",
  "forbidden-get-missing-object",
  "forbidden-list",
  "forbidden-list-cluster-wide",
  "forbidden-nonresource",
  "forbidden-patch-status",
  "forbidden-resource-unknown",
  "get-analysisrun-status-subresource",
  "get-missing",
  "get-rollout-scale",
  "impersonate-group-without-user",
  "impersonate-user-forbidden-for-target",
  "json-patch-not-an-array",
  "json-patch-path-missing",
  "json-patch-remove-missing",
  "json-patch-test-fails",
  "list-accept-html",
  "list-continue-garbage",
  "list-empty",
  "list-exact-rv1",
  "list-field-selector-unsupported",
  "list-group-missing",
  "list-group-missing-as-nobody",
  "list-label-selector-invalid",
  "list-limit-continue-with-rv",
  "list-limit-garbage",
  "list-namespace-missing",
  "list-resource-missing",
  "list-rv-exact-zero",
  "list-rv-garbage",
  "list-rvmatch-unknown",
  "list-rvmatch-without-rv",
  "livez",
  "merge-patch-array-body",
  "method-not-allowed",
  "options-list",
  "patch-analysisrun-status-subresource",
  "patch-analysisrun-terminate",
  "patch-main-immutable-name",
  "patch-main-invalid-date",
  "patch-main-invalid-type",
  "patch-main-mixed",
  "patch-main-pause",
  "patch-main-rv-mismatch",
  "patch-main-uid-mismatch",
  "patch-malformed-json",
  "patch-missing",
  "patch-missing-status",
  "patch-plain-json-content-type",
  "patch-status-paused-seed",
  "patch-status-rv-mismatch",
  "patch-status-seed",
  "patch-strategic-merge",
  "put-missing",
  "put-without-rv",
  "readyz-anonymous",
  "root-path-unknown",
  "scale-patch",
  "ssar-denied",
  "ssar-invalid",
  "ssar-unknown-resource",
  "unauthorized-bad-token",
  "unauthorized-malformed-header",
  "watch-forbidden",
  "watch-group-missing",
  "watch-list-without-rvmatch",
  "watch-unauthorized",
  "whoami-impersonated",
];

const USERS: Record<string, string> = {
  nobody: "nobody@example.test",
  viewer: "viewer@example.test",
  operator: "operator@example.test",
};
/** What differs from run to run, and the null that upstream prunes from pod templates. */
const VOLATILE = new Set(["uid", "resourceVersion", "creationTimestamp", "managedFields", "generation"]);

function read(name: string): Recording {
  return JSON.parse(readFileSync(join(recordings, `${name}.json`), "utf8")) as Recording;
}

function normalise(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normalise);
  if (!isPlainObject(value)) return value;
  const members = Object.entries(value).filter(([key]) => !VOLATILE.has(key));
  return Object.fromEntries(members.map(([key, member]) => [key, normalise(member)]));
}

describe("recordings of a real API server", () => {
  let sandbox: SandboxServer;
  beforeAll(async () => {
    sandbox = await startSandboxServer();
    for (const name of ["wire", "shop"]) addNamespace(sandbox.store, name);
  });
  afterAll(() => sandbox.close());

  async function seed(): Promise<void> {
    for (const plural of ["rollouts", "analysisruns"]) {
      for (const { metadata } of sandbox.store.list(plural))
        sandbox.store.delete(plural, metadata.namespace, metadata.name);
    }
    for (const name of ["create-rollout", "patch-status-seed", "create-analysisrun"]) {
      const { status } = await replay(read(name));
      if (status >= 300) throw new Error(`seeding with ${name} was answered with ${status}`);
    }
  }

  /** The recorded users had tokens of their own; here they are impersonated, which must look the same to them. */
  function replay({ request }: Recording): Promise<Answer> {
    const { Authorization: authorization, ...headers } = request.headers;
    const owner = /^Bearer <token of (\w+)>$/.exec(String(authorization))?.[1];
    const user = owner === undefined || headers["Impersonate-User"] !== undefined ? undefined : USERS[owner];
    const token = owner === undefined || owner === "None" ? null : owner === "bad" ? "bad" : sandbox.token;
    return send(sandbox, {
      method: request.method,
      path: request.path,
      token,
      headers: { ...headers, ...(user === undefined ? {} : { "Impersonate-User": user }) },
      ...(request.body === undefined || request.body === null ? {} : { body: request.body }),
    });
  }

  it.for(NAMES)("%s", async (name, context) => {
    if (!existsSync(recordings)) return context.skip(`the recordings are not at ${recordings}`);
    await seed();
    const recording = read(name);
    const answer = await replay(recording);
    const { status, headers, body } = recording.response;
    expect(answer.status).toBe(status);
    expect(answer.headers["content-type"]).toBe(headers["Content-Type"]);
    expect(normalise(answer.body ?? answer.text)).toEqual(normalise(body));
  });
});

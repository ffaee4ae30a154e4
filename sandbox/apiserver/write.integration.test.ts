import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type SandboxServer, startSandboxServer } from "#test/sandbox-server.ts";
import { patch, send } from "./testing/http-client.ts";
import { addNamespace, analysisRun, rollout, WRITER } from "./testing/objects.ts";

const ARGO = "/apis/argoproj.io/v1alpha1";

describe("writes", () => {
  let sandbox: SandboxServer;
  let namespace: string;
  let path: string;
  let next = 0;
  beforeAll(async () => {
    sandbox = await startSandboxServer();
  });
  afterAll(() => sandbox.close());
  beforeEach(() => {
    namespace = `write-${next++}`;
    path = `${ARGO}/namespaces/${namespace}/rollouts`;
    addNamespace(sandbox.store, namespace);
    sandbox.store.create("rollouts", rollout("a", { metadata: { name: "a", namespace } }), WRITER);
  });
  const stored = () => sandbox.store.get("rollouts", namespace, "a");

  it("creates, reads back, replaces and deletes", async () => {
    const body = rollout("b", { metadata: { name: "b", namespace } });
    const made = await send(sandbox, { method: "POST", path, body });
    expect(made).toMatchObject({ status: 201, body: { metadata: { namespace, generation: 1 } } });
    const put = await send(sandbox, {
      method: "PUT",
      path: `${path}/b`,
      body: { ...made.body, spec: { replicas: 0 } },
    });
    expect(put).toMatchObject({ status: 200, body: { spec: { replicas: 0 }, metadata: { generation: 2 } } });
    const stale = await send(sandbox, { method: "PUT", path: `${path}/b`, body: made.body });
    expect(stale).toMatchObject({ status: 409, body: { reason: "Conflict" } });
    const gone = await send(sandbox, { method: "DELETE", path: `${path}/b` });
    expect(gone).toMatchObject({ status: 200, body: { kind: "Status", status: "Success" } });
    expect((await send(sandbox, { path: `${path}/b` })).status).toBe(404);
  });

  it("a status patch on the main path answers 200 and does nothing", async () => {
    const before = stored();
    const answer = await patch(sandbox, `${path}/a`, { status: { abort: true } });
    expect(answer).toMatchObject({
      status: 200,
      body: { metadata: { resourceVersion: before?.metadata.resourceVersion } },
    });
    expect(stored()).toBe(before);
  });

  it("a patch on /status changes status alone and names its writer there", async () => {
    const body = { status: { abort: true }, spec: { replicas: 9 } };
    const answer = await patch(sandbox, `${path}/a/status?fieldManager=gatehouse`, body);
    expect(answer.body).toMatchObject({ status: { abort: true }, spec: { replicas: 3 } });
    expect(answer.body.metadata.managedFields.at(-1)).toMatchObject({ manager: "gatehouse", subresource: "status" });
  });

  it("takes the field manager from User-Agent where none is given", async () => {
    const answer = await patch(sandbox, `${path}/a`, { spec: { paused: true } }, { "User-Agent": "kubectl/v1.36 (x)" });
    expect(answer.body.metadata.managedFields.at(-1).manager).toBe("kubectl");
  });

  it("/status of an AnalysisRun is 404; its status lands on the main path", async () => {
    const run = { ...analysisRun("run"), metadata: { name: "run", namespace } };
    sandbox.store.create("analysisruns", run, WRITER);
    const runs = `${ARGO}/namespaces/${namespace}/analysisruns/run`;
    const wrong = await patch(sandbox, `${runs}/status`, { status: { phase: "Failed" } });
    expect(wrong).toMatchObject({ status: 404, body: { message: 'analysisruns.argoproj.io "run" not found' } });
    const right = await patch(sandbox, runs, { status: { phase: "Failed" } });
    expect(right.body).toMatchObject({ status: { phase: "Failed" }, metadata: { generation: 2 } });
  });

  it("honours metadata.resourceVersion in a patch", async () => {
    const resourceVersion = stored()?.metadata.resourceVersion;
    const first = await patch(sandbox, `${path}/a`, { metadata: { resourceVersion }, spec: { paused: true } });
    expect(first.status).toBe(200);
    const second = await patch(sandbox, `${path}/a/status`, { metadata: { resourceVersion }, status: { abort: true } });
    expect(second.status).toBe(409);
    expect(second.body.message).toContain('Operation cannot be fulfilled on rollouts.argoproj.io "a"');
  });

  it("a failing test in a JSON patch is 422 and changes nothing", async () => {
    const before = stored();
    const answer = await patch(sandbox, `${path}/a`, [
      { op: "replace", path: "/spec/replicas", value: 1 },
      { op: "test", path: "/metadata/name", value: "b" },
    ]);
    expect(answer).toMatchObject({ status: 422, body: { reason: "Invalid", details: {} } });
    expect(stored()).toBe(before);
  });

  it.each([
    { body: { metadata: { labels: { a: 1 } } }, status: 400, text: "metadata.labels" },
    { body: { metadata: { ownerReferences: "x" } }, status: 400, text: "metadata.ownerReferences" },
    { body: { metadata: { finalizers: [1] } }, status: 400, text: "metadata.finalizers" },
    { body: { spec: "x" }, status: 422, text: "spec in body must be of type object" },
    { body: { spec: { replicas: 1.5 } }, status: 422, text: "spec.replicas in body must be of type integer" },
  ])("refuses $body with $status", async ({ body, status, text }) => {
    const before = stored();
    const answer = await patch(sandbox, `${path}/a`, body);
    expect(answer.status).toBe(status);
    expect(answer.body.message).toContain(text);
    expect(stored()).toBe(before);
  });

  it("checks the types of a status on /status alone", async () => {
    const body = { status: { abort: "yes" } };
    expect((await patch(sandbox, `${path}/a`, body)).status).toBe(200);
    const answer = await patch(sandbox, `${path}/a/status`, body);
    expect(answer.status).toBe(422);
    expect(answer.body.details.causes[0]).toMatchObject({ field: "status.abort", reason: "FieldValueTypeInvalid" });
  });

  it("takes null for metadata that is not there", async () => {
    const object = { ...stored(), metadata: { ...stored()?.metadata, labels: null, finalizers: null } };
    expect((await send(sandbox, { method: "PUT", path: `${path}/a`, body: object })).status).toBe(200);
    expect((await send(sandbox, { path: `${path}?labelSelector=x` })).body.items).toEqual([]);
  });

  it("does not store a dry run", async () => {
    const before = stored();
    const answer = await patch(sandbox, `${path}/a?dryRun=All`, { spec: { replicas: 1 } });
    expect(answer.body).toMatchObject({ spec: { replicas: 1 }, metadata: { generation: 2 } });
    expect(stored()).toBe(before);
  });

  it("refuses a body above 3 MiB with 413", async () => {
    const body = { spec: { note: "x".repeat(3 * 1024 * 1024) } };
    expect(await patch(sandbox, `${path}/a`, body)).toMatchObject({
      status: 413,
      body: { reason: "RequestEntityTooLarge" },
    });
  });

  it("deletes what a selector matches, and nothing else", async () => {
    const labels = { old: "yes" };
    for (const name of ["b", "c"]) {
      sandbox.store.create("rollouts", rollout(name, { metadata: { name, namespace, labels } }), WRITER);
    }
    const answer = await send(sandbox, { method: "DELETE", path: `${path}?labelSelector=old%3Dyes` });
    expect(answer).toMatchObject({ status: 200, body: { kind: "RolloutList" } });
    expect(answer.body.items).toHaveLength(2);
    expect(sandbox.store.list("rollouts", namespace).map(({ metadata }) => metadata.name)).toEqual(["a"]);
  });

  it("reads and writes /scale", async () => {
    expect((await send(sandbox, { path: `${path}/a/scale` })).body).toMatchObject({
      kind: "Scale",
      spec: { replicas: 3 },
    });
    const answer = await patch(sandbox, `${path}/a/scale`, { spec: { replicas: 0 } });
    expect(answer.body.spec.replicas).toBe(0);
    expect(stored()?.spec?.replicas).toBe(0);
  });
});

describe("identity", () => {
  let sandbox: SandboxServer;
  beforeAll(async () => {
    sandbox = await startSandboxServer();
    addNamespace(sandbox.store, "auth");
    sandbox.store.create("rollouts", rollout("a", { metadata: { name: "a", namespace: "auth" } }), WRITER);
  });
  afterAll(() => sandbox.close());
  const path = `${ARGO}/namespaces/auth/rollouts/a`;

  it("sees repeated Impersonate-Group headers apart", async () => {
    const headers = { "Impersonate-User": "releaser", "Impersonate-Group": ["gatehouse:viewers", "team"] };
    const call = { method: "POST", path: "/apis/authentication.k8s.io/v1/selfsubjectreviews", body: {}, headers };
    const { userInfo } = (await send(sandbox, call)).body.status;
    expect(userInfo).toEqual({ username: "releaser", groups: ["gatehouse:viewers", "team", "system:authenticated"] });
  });

  it("groups joined into one header are one group, which has no rights", async () => {
    const headers = { "Impersonate-User": "releaser", "Impersonate-Group": "gatehouse:viewers, team" };
    expect((await send(sandbox, { path, headers })).status).toBe(403);
  });

  it.each([
    { group: "gatehouse:viewers", read: 200, patched: 403 },
    { group: "gatehouse:operators", read: 200, patched: 200 },
    { group: "gatehouse:admins", read: 200, patched: 200 },
    { group: "somebody", read: 403, patched: 403 },
  ])("$group reads with $read and patches with $patched", async ({ group, read, patched }) => {
    const headers = { "Impersonate-User": "releaser", "Impersonate-Group": group };
    expect((await send(sandbox, { path, headers })).status).toBe(read);
    expect((await patch(sandbox, `${path}/status`, { status: { abort: true } }, headers)).status).toBe(patched);
  });

  it("answers what somebody may do", async () => {
    const ask = async (verb: string) => {
      const resourceAttributes = { verb, group: "argoproj.io", resource: "rollouts", namespace: "auth" };
      const headers = { "Impersonate-User": "releaser", "Impersonate-Group": "gatehouse:viewers" };
      const path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
      const answer = await send(sandbox, { method: "POST", path, body: { spec: { resourceAttributes } }, headers });
      return answer.body.status.allowed;
    };
    expect(await ask("list")).toBe(true);
    expect(await ask("patch")).toBe(false);
  });
});

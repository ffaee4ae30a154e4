import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SandboxServer, startSandboxServer } from "#test/sandbox-server.ts";
import { openWatch, send } from "./testing/http-client.ts";
import { addNamespace, WRITER } from "./testing/objects.ts";

let sandbox: SandboxServer;
const startedAt = new Date(Date.now() - 60_000).toISOString().replace(/\.\d+Z$/, "Z");
const log = (name: string, query = "") => `/api/v1/namespaces/shop/pods/${name}/log${query}`;
const read = async (name: string, query = "") => send(sandbox, { path: log(name, query) });
const linesOf = (text: string) => text.split("\n").slice(0, -1);

beforeAll(async () => {
  sandbox = await startSandboxServer();
  addNamespace(sandbox.store, "shop");
  addPod("plain", { containers: ["app"], status: { state: { running: { startedAt } } } });
  addPod("crashed", {
    containers: ["app"],
    status: {
      state: { running: { startedAt } },
      lastState: { terminated: { exitCode: 2, startedAt: "2026-11-20T08:00:00Z", finishedAt: "2026-11-20T08:00:05Z" } },
    },
  });
  addPod("starting", { containers: ["app"], status: { state: { waiting: { reason: "ContainerCreating" } } } });
  addPod("several", { containers: ["app", "helper"], status: { state: { running: { startedAt } } } });
  addPod("unscheduled", { containers: ["app"], nodeName: undefined, status: {} });
});
afterAll(() => sandbox.close());

function addPod(
  name: string,
  { containers, status, nodeName = "node-1" }: { containers: string[]; status: object; nodeName?: string | undefined },
): void {
  const spec = { containers: containers.map((each) => ({ name: each, image: "shop:1" })) };
  const isScheduled = name !== "unscheduled";
  const metadata = { name, namespace: "shop", labels: { app: "shop" } };
  const created = sandbox.store.create(
    "pods",
    { apiVersion: "v1", kind: "Pod", metadata, spec: isScheduled ? { ...spec, nodeName } : spec },
    WRITER,
  );
  const containerStatuses = containers.map((each) => ({ name: each, restartCount: 0, ...status }));
  sandbox.store.update(
    "pods",
    { ...created, status: { phase: "Running", containerStatuses } },
    { ...WRITER, subresource: "status" },
  );
}

describe("the log of a pod", () => {
  it("is text, the same whenever it is read, in the order of its times", async () => {
    const { status, headers, text } = await read("plain", "?timestamps=true");
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("text/plain");
    const lines = linesOf(text);
    expect(lines.length).toBeGreaterThan(20);
    expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z level=info msg="starting" app=shop version=1$/);
    const times = lines.map((line) => line.slice(0, 30));
    expect(times).toEqual(times.toSorted());
    const again = linesOf((await read("plain", "?timestamps=true")).text);
    expect(again.slice(0, lines.length)).toEqual(lines);
  });

  it("obeys tailLines and sinceTime", async () => {
    const all = linesOf((await read("plain")).text);
    const tail = linesOf((await read("plain", "?tailLines=3")).text);
    expect(tail).toHaveLength(3);
    expect(all.slice(-10).join("\n")).toContain(tail[0]);
    expect((await read("plain", "?tailLines=0")).text).toBe("");
    const since = new Date(Date.parse(startedAt) + 30_000).toISOString().replace(/\.\d+Z$/, "Z");
    const late = linesOf((await read("plain", `?timestamps=true&sinceTime=${since}`)).text);
    expect(late.length).toBeLessThan(all.length);
    expect(late.every((line) => line >= since.slice(0, -1))).toBe(true);
  });

  it("has the log of the previous instance, which ends in its crash", async () => {
    const { text } = await read("crashed", "?previous=true&timestamps=true");
    expect(text).toContain("panic: runtime error");
    expect(text).toMatch(/^2026-11-20T08:00:00\./);
  });

  it.each([
    ["missing", "", 404, 'pods "missing" not found'],
    ["plain", "?previous=true", 400, 'previous terminated container "app" in pod "plain" not found'],
    ["starting", "", 400, 'container "app" in pod "starting" is waiting to start: ContainerCreating'],
    ["several", "", 400, "a container name must be specified for pod several, choose one of: [app helper]"],
    ["plain", "?container=nope", 400, "container nope is not valid for pod plain"],
    ["plain", "?sinceTime=yesterday", 400, 'parsing time "yesterday"'],
    ["plain", "?tailLines=-1", 422, "must be greater than or equal to 0"],
  ])("of %s%s is refused", async (name, query, status, message) => {
    const answer = await read(name, query);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ kind: "Status", status: "Failure" });
    expect(answer.body.message).toContain(message);
  });

  it("is empty for a pod that no node has taken", async () => {
    expect(await read("unscheduled")).toMatchObject({ status: 200, text: "" });
  });

  it("needs the right to get pods/log, in the person's name", async () => {
    const headers = { "Impersonate-User": "somebody", "Impersonate-Group": "nobody" };
    const answer = await send(sandbox, { path: log("plain"), headers });
    expect(answer.status).toBe(403);
    expect(answer.body.message).toBe(
      'pods "plain" is forbidden: User "somebody" cannot get resource "pods/log" in API group "" in the namespace "shop"',
    );
  });

  it("is followed until the reader goes", async () => {
    const followed = await openWatch(sandbox, log("plain", "?follow=true&tailLines=1"));
    await followed.waitForLines(4);
    followed.close();
  });
});

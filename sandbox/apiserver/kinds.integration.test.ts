import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SandboxServer, startSandboxServer } from "#test/sandbox-server.ts";
import { apiVersionOf, RESOURCES, resourceOf } from "./resources.ts";
import { createStore } from "./store.ts";
import type { KubeObjectInput } from "./store-types.ts";
import { openWatch, patch, send } from "./testing/http-client.ts";
import { addNamespace, temporaryFolder, WRITER } from "./testing/objects.ts";

const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";

type Kind = {
  plural: string;
  body?: Record<string, unknown>;
  /** Fields that the kind can select by, with this object's values. */
  fields?: Record<string, string>;
};

const INVOLVED = { kind: "Rollout", name: "shop", namespace: "kinds", uid: "u-1" };

/** What an object of the kind has besides its metadata. */
const details: Readonly<Record<string, Omit<Kind, "plural">>> = {
  replicasets: { body: { spec: { replicas: 2 } } },
  deployments: { body: { spec: { replicas: 2 } } },
  pods: {
    body: { spec: { nodeName: "node-1" } },
    fields: { "spec.nodeName": "node-1", "status.phase": "Pending" },
  },
  configmaps: { body: { data: { a: "b" } } },
  events: {
    body: { involvedObject: INVOLVED, reason: "RolloutPaused", type: "Normal", source: { component: "controller" } },
    fields: {
      "involvedObject.kind": "Rollout",
      "involvedObject.name": "shop",
      "involvedObject.namespace": "kinds",
      "involvedObject.uid": "u-1",
      reason: "RolloutPaused",
      source: "controller",
      type: "Normal",
    },
  },
};

/** Not namespaces, in which the others are; nor secrets, which viewers may not read. */
const kinds: readonly Kind[] = RESOURCES.filter(({ plural }) => plural !== "namespaces" && plural !== "secrets").map(
  ({ plural }) => ({ plural, ...details[plural] }),
);

describe("every kind that is served", () => {
  let sandbox: SandboxServer;
  beforeAll(async () => {
    sandbox = await startSandboxServer();
    addNamespace(sandbox.store, "kinds");
  });
  afterAll(() => sandbox.close());

  const groupOf = (plural: string): string => {
    const apiVersion = apiVersionOf(resourceOf(plural));
    return apiVersion === "v1" ? "/api/v1" : `/apis/${apiVersion}`;
  };
  const pathOf = (plural: string): string =>
    `${groupOf(plural)}/${resourceOf(plural).namespaced ? "namespaces/kinds/" : ""}${plural}`;
  const bodyOf = ({ plural, body }: Kind, name: string, labels = {}) => ({
    apiVersion: apiVersionOf(resourceOf(plural)),
    kind: resourceOf(plural).kind,
    metadata: { name, labels },
    ...body,
  });
  const namesOf = async (path: string, query: string): Promise<string[]> => {
    const { body } = await send(sandbox, { path: `${path}?${query}` });
    return body.items.map((item: { metadata: { name: string } }) => item.metadata.name);
  };

  it.each(kinds)("$plural are created, selected, watched, patched and deleted", async (kind) => {
    const path = pathOf(kind.plural);
    const watch = await openWatch(sandbox, `${path}?watch=1&resourceVersion=${sandbox.store.resourceVersion()}`);
    for (const name of ["one", "two"]) {
      const body = bodyOf(name === "one" ? kind : { plural: kind.plural }, name, { part: name });
      expect((await send(sandbox, { method: "POST", path, body })).status).toBe(201);
    }
    expect(await namesOf(path, "labelSelector=part%3Dtwo")).toEqual(["two"]);
    expect(await namesOf(path, "fieldSelector=metadata.name%3Done")).toEqual(["one"]);
    if (resourceOf(kind.plural).namespaced) {
      expect(await namesOf(path, "fieldSelector=metadata.namespace%3Dother")).toEqual([]);
    }
    for (const [field, value] of Object.entries(kind.fields ?? {})) {
      expect(await namesOf(path, `fieldSelector=${encodeURIComponent(`${field}=${value}`)}`)).toContain("one");
      expect(await namesOf(path, `fieldSelector=${encodeURIComponent(`${field}=other`)}`)).toEqual([]);
    }
    expect((await patch(sandbox, `${path}/one`, { metadata: { labels: { part: "three" } } })).status).toBe(200);
    expect((await send(sandbox, { method: "DELETE", path: `${path}/one` })).status).toBe(200);
    await watch.waitForLines(4);
    expect(watch.events().map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual([
      "ADDED one",
      "ADDED two",
      "MODIFIED one",
      "DELETED one",
    ]);
    watch.close();
  });

  it.each(kinds)("$plural stand in discovery and come as a Table", async ({ plural }) => {
    const { body } = await send(sandbox, { path: groupOf(plural) });
    expect(body.resources).toContainEqual(
      expect.objectContaining({ name: plural, verbs: expect.arrayContaining(["list", "watch", "patch"]) }),
    );
    const table = await send(sandbox, { path: pathOf(plural), headers: { Accept: TABLE } });
    expect(table.body.kind).toBe("Table");
    expect(table.body.rows[0].cells).toHaveLength(table.body.columnDefinitions.length);
  });

  it.each(kinds)("$plural are read by viewers, and by nobody without a role", async ({ plural }) => {
    const statusFor = async (group: string) => {
      const headers = { "Impersonate-User": "viewer", "Impersonate-Group": group };
      return (await send(sandbox, { path: pathOf(plural), headers })).status;
    };
    expect(await statusFor("gatehouse:viewers")).toBe(200);
    expect(await statusFor("others")).toBe(403);
  });

  it.each(["deployments", "replicasets", "rollouts"])("%s have /scale", async (plural) => {
    const path = `${pathOf(plural)}/scaled`;
    const spec = { replicas: 2, selector: { matchLabels: { b: "2", a: "1" } } };
    const object = { ...bodyOf({ plural }, "scaled"), metadata: { name: "scaled", namespace: "kinds" }, spec };
    sandbox.store.create(plural, object as KubeObjectInput, WRITER);
    const selector = plural === "rollouts" ? "" : "a=1,b=2";
    expect((await send(sandbox, { path: `${path}/scale` })).body).toMatchObject({
      spec: { replicas: 2 },
      status: { selector },
    });
    expect((await patch(sandbox, `${path}/scale`, { spec: { replicas: 0 } })).status).toBe(200);
    expect((await send(sandbox, { path })).body).toMatchObject({ spec: { replicas: 0 }, metadata: { generation: 2 } });
  });

  it("outlive a restart", async () => {
    const folder = temporaryFolder();
    const options = { dataDir: folder.path, now: () => new Date(), uid: () => crypto.randomUUID() };
    const store = createStore(options);
    addNamespace(store, "kinds");
    for (const kind of kinds) {
      const { namespaced } = resourceOf(kind.plural);
      const metadata = { name: "kept", ...(namespaced ? { namespace: "kinds" } : {}) };
      store.create(kind.plural, { ...bodyOf(kind, "kept"), metadata } as KubeObjectInput, WRITER);
    }
    const before = kinds.map(({ plural }) => store.list(plural));
    await store.close();
    const again = createStore(options);
    expect(kinds.map(({ plural }) => again.list(plural))).toEqual(before);
    await again.close();
    folder.remove();
  });
});

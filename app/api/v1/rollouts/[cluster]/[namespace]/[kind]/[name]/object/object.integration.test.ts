import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Problem } from "#lib/contract/problem.ts";
import type { ClusterClient, ClusterRequest } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { ClusterUnreachableError } from "#lib/server/clusters/kubernetes/cluster-errors.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";
import { GET } from "./route.ts";

let web: TestWeb;
let sent: ClusterRequest[] = [];
let answer: () => { status: number; json: unknown } = () => ({ status: 500, json: {} });

const client: ClusterClient = {
  name: "demo",
  server: "http://127.0.0.1:1",
  request: async (request) => {
    sent.push(request);
    return { ...answer(), text: "", date: undefined };
  },
  stream: () => Promise.reject(new Error("not used")),
  watch: async () => ({ status: 500, date: undefined, text: "" }),
  credentials: async () => "",
  close: async () => {},
};

beforeAll(async () => {
  web = await startTestWeb({ clusters: { demo: client } });
});
afterAll(() => web.close());

async function read(params: Record<string, string> = {}): Promise<Response> {
  sent = [];
  const all = { cluster: "demo", namespace: "shop", kind: "Rollout", name: "checkout", ...params };
  const path = `/api/v1/rollouts/${Object.values(all).map(encodeURIComponent).join("/")}/object`;
  return GET(web.request(path, { as: "operator" }), { params: Promise.resolve(all) });
}

describe("the live object", () => {
  it("is read as the person, and shown without secrets", async () => {
    answer = () => ({
      status: 200,
      json: {
        kind: "Rollout",
        metadata: { name: "checkout", managedFields: [{ manager: "kubectl" }] },
        spec: { template: { spec: { containers: [{ env: [{ name: "API_TOKEN", value: "hunter2" }] }] } } },
      },
    });
    const response = await read();
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).not.toContain("hunter2");
    expect(text).not.toContain("managedFields");
    expect(sent).toMatchObject([
      {
        method: "GET",
        path: "/apis/argoproj.io/v1alpha1/namespaces/shop/rollouts/checkout",
        as: { username: "operator", groups: ["gatehouse:operators"] },
      },
    ]);
  });

  it.each([
    { name: "it is not there", status: 404, code: "not_found" },
    { name: "the cluster refuses", status: 403, code: "cluster_refused" },
    { name: "the cluster fails", status: 500, code: "unavailable" },
  ])("is a problem where $name", async ({ status, code }) => {
    answer = () => ({ status, json: { kind: "Status", message: "rollouts is forbidden" } });
    expect(Problem.parse(await (await read()).json()).code).toBe(code);
  });

  it("is a problem where the cluster does not answer", async () => {
    answer = () => {
      throw new ClusterUnreachableError({ cluster: "demo", sent: false, message: "connect ECONNREFUSED" });
    };
    expect(Problem.parse(await (await read()).json())).toMatchObject({ status: 503, code: "unavailable" });
  });

  it.each<Record<string, string>>([{ name: "../../../secrets/x" }, { namespace: "a/../b" }, { cluster: "other" }])(
    "is not asked for at %s",
    async (params) => {
      expect((await read(params)).status).toBe(404);
      expect(sent).toEqual([]);
    },
  );
});

import { describe, expect, it } from "vitest";
import type { AccessQuestion } from "#lib/domain/acting/plan.ts";
import type {
  ClusterClient,
  ClusterIdentity,
  ClusterRequest,
  ClusterResponse,
} from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { type AccessAsking, createAccessReviewer } from "./review-access.ts";

const as: ClusterIdentity = { mode: "groups", username: "oncall", groups: ["dev", "ops"] };
const question: AccessQuestion = {
  verb: "patch",
  group: "argoproj.io",
  resource: "rollouts",
  subresource: "status",
  namespace: "payments",
  name: "checkout",
};

function startWorld(answer: (attributes: Record<string, unknown>) => unknown) {
  const requests: ClusterRequest[] = [];
  let time = 0;
  const client: ClusterClient = {
    name: "a",
    server: "",
    request: async (request): Promise<ClusterResponse> => {
      requests.push(request);
      const { spec } = request.body as { spec: { resourceAttributes: Record<string, unknown> } };
      const json = await answer(spec.resourceAttributes);
      return { status: 201, json, text: "", date: undefined };
    },
    stream: () => Promise.reject(new Error("not used")),
    watch: () => Promise.reject(new Error("not watched here")),
    credentials: async () => "",
    close: async () => {},
  };
  const reviewer = createAccessReviewer({ now: () => time });
  const asking: AccessAsking = { client, as, question };
  return {
    requests,
    reviewer,
    asking,
    review: (change: Partial<AccessAsking> = {}, waitMs = 1000) => reviewer.review({ ...asking, ...change, waitMs }),
    pass: (ms: number) => {
      time += ms;
    },
  };
}

const say = (status: object) => ({ status });

describe("an access review", () => {
  it("asks as the person, with the subresource as a field, for all names first", async () => {
    const world = startWorld(() => say({ allowed: true, reason: 'RBAC: allowed by RoleBinding "secret/name"' }));
    expect(await world.review()).toBe("allowed");
    const { name: _, ...ofAll } = question;
    expect(world.requests).toMatchObject([
      { method: "POST", path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", as },
    ]);
    expect(world.requests[0]?.body).toMatchObject({ spec: { resourceAttributes: ofAll } });
    expect(JSON.stringify(world.requests[0]?.body)).not.toContain("checkout");
  });

  it("asks for the name where not all names are allowed: rights may be limited to names", async () => {
    const world = startWorld(({ name }) => say({ allowed: name === "checkout" }));
    expect(await world.review()).toBe("allowed");
    expect(await world.review({ question: { ...question, name: "other" } })).toBe("denied");
    expect(world.requests).toHaveLength(3);
  });

  it("keeps an answer for 60 s, for one identity and one question", async () => {
    const world = startWorld(() => say({ allowed: true }));
    await world.review();
    world.pass(59_999);
    await world.review({ question: { ...question, name: "other" } });
    await world.review({ as: { ...as, groups: ["ops", "dev"] } });
    expect(world.requests).toHaveLength(1);
    const others: Partial<AccessAsking>[] = [
      { as: { ...as, username: "oncall2" } },
      { as: { ...as, groups: ["dev"] } },
      { as: { ...as, groups: ["dev,ops"] } },
      { as: { ...as, mode: "serviceAccount" } },
      { as: { ...as, mode: "user" } },
      { question: { ...question, namespace: "shop" } },
      { question: { ...question, verb: "get" } },
      { question: { ...question, resource: "experiments" } },
      { question: { verb: "patch", group: "argoproj.io", resource: "rollouts", namespace: "payments" } },
    ];
    for (const other of others) await world.review(other);
    expect(world.requests).toHaveLength(1 + others.length);
    world.pass(60_000);
    await world.review();
    expect(world.requests).toHaveLength(2 + others.length);
  });

  it("asks for each person, even if the same groups give them the same rights: an authorizer may read the extra", async () => {
    const world = startWorld(() => say({ allowed: world.requests.at(-1)?.as?.username === "oncall" }));
    expect(await world.review()).toBe("allowed");
    expect(await world.review({ as: { ...as, username: "other" } })).toBe("denied");
    expect(await world.review()).toBe("allowed");
  });

  it("sends one request for many who ask at once", async () => {
    const world = startWorld(() => say({ allowed: true }));
    const answers = await Promise.all(Array.from({ length: 50 }, () => world.review()));
    expect(new Set(answers)).toEqual(new Set(["allowed"]));
    expect(world.requests).toHaveLength(1);
  });

  it.each([
    { name: "an error", answer: () => Promise.reject(new Error("connection lost")) },
    { name: "no answer to the question", answer: () => ({ kind: "Status" }) },
    { name: "a denial after a fault of the authorizer", answer: () => say({ allowed: false, evaluationError: "x" }) },
    { name: "an answer that is no truth value", answer: () => say({ allowed: "yes" }) },
  ])("takes $name for unknown, and asks again after 10 s", async ({ answer }) => {
    const world = startWorld(answer);
    expect(await world.review()).toBe("unknown");
    world.pass(9_999);
    await world.review();
    expect(world.requests).toHaveLength(1);
    world.pass(1);
    await world.review();
    expect(world.requests).toHaveLength(2);
  });

  it("does not wait longer than it was told to; the answer is there later", async () => {
    const late = Promise.withResolvers<object>();
    const world = startWorld(() => late.promise);
    expect(await world.review({}, 5)).toBe(undefined);
    expect(world.reviewer.peek(world.asking)).toBe(undefined);
    late.resolve(say({ allowed: true }));
    expect(await world.review()).toBe("allowed");
    expect(world.reviewer.peek(world.asking)).toBe("allowed");
    expect(world.requests).toHaveLength(1);
  });

  it("never asks where only the cache is looked at", async () => {
    const world = startWorld(() => say({ allowed: false }));
    expect(world.reviewer.peek(world.asking)).toBe(undefined);
    expect(world.requests).toEqual([]);
    await world.review();
    expect(world.reviewer.peek(world.asking)).toBe("denied");
    expect(world.reviewer.peek({ ...world.asking, question: { ...question, name: "other" } })).toBe(undefined);
    world.pass(60_000);
    expect(world.reviewer.peek(world.asking)).toBe(undefined);
  });
});

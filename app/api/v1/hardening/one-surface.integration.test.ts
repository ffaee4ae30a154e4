import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RolloutDetail } from "#lib/contract/rollout.ts";
import type { RouteHandler } from "#lib/server/edge/http/endpoint.ts";
import { bindings, configOf, openSession, ownPage } from "#test/hardening/people.ts";
import { plantSeed, type Seed } from "#test/hardening/seed.ts";
import { startTestWeb, type TestWeb, testOrigin } from "#test/web-runtime.ts";
import { POST as actOnRun } from "../analysis-runs/[uid]/actions/route.ts";
import { POST as decideApproval } from "../approvals/[id]/decision/route.ts";
import { POST as actOnExperiment } from "../experiments/[uid]/actions/route.ts";
import { POST as planRollout } from "../rollouts/[cluster]/[namespace]/[kind]/[name]/action-plan/route.ts";
import { POST as actOnRollout } from "../rollouts/[cluster]/[namespace]/[kind]/[name]/actions/route.ts";
import { POST as requestApproval } from "../rollouts/[cluster]/[namespace]/[kind]/[name]/approvals/route.ts";
import { GET as getRollout } from "../rollouts/[cluster]/[namespace]/[kind]/[name]/route.ts";

/** Kargo CVE-2026-27111: one interface lacked a check that another one had. */

let web: TestWeb;
let seed: Seed;
let cookie: string;
beforeAll(async () => {
  const { auth } = configOf();
  const protector = { role: "operator", users: ["protector"], actions: ["abort", "pause"] };
  const secondPerson = [{ name: "two", actions: ["*"], includeProtective: true }];
  web = await startTestWeb({
    config: configOf({ auth: { ...auth, roles: [...bindings, protector] }, policies: { secondPerson } }),
  });
  seed = await plantSeed(web);
  cookie = (await openSession(web, "protector")).cookie;
});
afterAll(() => web.close());

async function ask(handler: RouteHandler, params: Record<string, string>, body?: unknown): Promise<Response> {
  const method = body === undefined ? "GET" : "POST";
  const init = {
    method,
    headers: { ...ownPage, cookie },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  return handler(new Request(`${testOrigin}/any`, init), { params: Promise.resolve(params) });
}

describe("a right that names actions", () => {
  const expectation = () => ({ viewDigest: seed.viewDigest, uid: seed.rolloutUid, revisionKey: "new" });
  const request = (action: string) => ({ action, reason: "r", expect: expectation() });

  it.each<[string, () => Promise<Response>]>([
    ["actions of a rollout", () => ask(actOnRollout, seed.path, request("promote-full"))],
    ["actions of a run", () => ask(actOnRun, { uid: seed.runUid }, request("terminate"))],
    ["actions of an Experiment", () => ask(actOnExperiment, { uid: seed.experimentUid }, request("terminate"))],
    ["asking for an approval", () => ask(requestApproval, seed.path, request("promote-full"))],
    [
      "giving an approval",
      () => ask(decideApproval, { id: seed.approvalId }, { decision: "approve", viewDigest: seed.viewDigest }),
    ],
  ])("is asked by %s", async (_, send) => {
    const response = await send();
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: "forbidden" });
  });

  it("is shown on the buttons as the actions know it", async () => {
    const detail = RolloutDetail.parse(await (await ask(getRollout, seed.path)).json());
    const allowed = new Map(detail.allowedActions.map((offer) => [offer.action, offer.reasonCode]));
    expect(allowed.get("promote-full")).toBe("forbidden");
    expect(allowed.get("abort")).not.toBe("forbidden");
    const plan = await ask(planRollout, seed.path, { action: "promote-full" });
    expect(plan.status === 200 ? ((await plan.json()) as { allowed: boolean }).allowed : false).toBe(false);
  });

  it("still gives what it names", async () => {
    expect((await ask(requestApproval, seed.path, request("abort"))).status).toBe(201);
  });
});

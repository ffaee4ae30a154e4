import { afterEach, describe, expect, it, vi } from "vitest";
import type { RolloutActionName } from "#lib/domain/acting/action-catalogue.ts";
import { nothingRelated } from "#lib/domain/delivery/related-state.ts";
import { providerOfKind } from "#lib/domain/providers.ts";
import { carryOutPlan } from "#lib/server/acting/act/carry-out-plan.ts";
import type { Prepared } from "#lib/server/acting/act/prepare-action.ts";
import type { ClusterClient, ClusterResponse } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { readerOf } from "#lib/server/clusters/object-api.ts";

const object = {
  kind: "Rollout",
  metadata: { name: "checkout", namespace: "payments", uid: "u-1", resourceVersion: "1" },
  spec: { strategy: { canary: { steps: [{ setWeight: 20 }, { pause: {} }] } } },
  status: { currentPodHash: "new", stableRS: "old", currentStepIndex: 1 },
};

const provider = providerOfKind("Rollout");

async function prepare(recorded: unknown, action: RolloutActionName, client: ClusterClient): Promise<Prepared> {
  const parsed = provider.parse(recorded);
  if (!parsed.ok) throw new Error(parsed.reason);
  const rollout = parsed.value;
  const asked = { action, params: {}, now: new Date(), related: nothingRelated, images: undefined };
  const answer = await rollout.acting.plan(asked, readerOf({ client, as: undefined }));
  if (answer.kind !== "planned" || answer.plan.kind === "refused") throw new Error(JSON.stringify(answer));
  return { rollout, plan: answer.plan };
}

/** Returns the request that the plan was made for, by a person who saw the rollout as it was then. */
function requestOf({ rollout }: Prepared, { client, action }: { client: ClusterClient; action: RolloutActionName }) {
  const address = { namespace: "payments", name: "checkout" };
  const as = { mode: "groups", username: "oncall", groups: [] } as const;
  const now = () => new Date();
  return {
    requested: {
      of: "rollout",
      client,
      as,
      now,
      provider,
      address,
      action,
      params: {},
      related: nothingRelated,
      images: undefined,
    },
    seen: { viewDigest: rollout?.viewDigest ?? "" },
    address,
    auditId: "audit-1",
  } as const;
}

function rethrow(error: unknown): never {
  throw error;
}

afterEach(() => vi.restoreAllMocks());

/** Returns what makes 45 seconds pass, by the clock that the deadlines are measured with. */
function createStall(): () => void {
  const now = performance.now.bind(performance);
  let passedMs = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now() + passedMs);
  return () => {
    passedMs += 45_000;
  };
}

/** Aborts a rollout whose every patch is answered by `status`, this many seconds after the intent. */
async function abortLate(secondsAfterIntent: number, { status = 409, onRead = () => {} } = {}) {
  let sends = 0;
  const client: ClusterClient = {
    name: "prod-eu",
    server: "",
    request: async ({ method }) => {
      if (method === "GET") {
        onRead();
        return { status: 200, json: object, text: "", date: undefined };
      }
      sends += 1;
      return { status, json: { message: "changed" }, text: "404 page not found", date: undefined };
    },
    stream: () => Promise.reject(new Error("not used")),
    watch: () => Promise.reject(new Error("not used")),
    credentials: async () => "",
    close: async () => {},
  };
  const prepared = await prepare(object, "abort", client);
  const { result } = await carryOutPlan(
    {
      ...requestOf(prepared, { client, action: "abort" }),
      protective: true,
      prepared,
      intentAt: performance.now() - secondsAfterIntent * 1000,
    },
    rethrow,
  );
  return { result, sends };
}

it.each([
  { name: "sends once, and stops trying again", seconds: 21, code: "conflict", sends: 1 },
  { name: "sends nothing any more", seconds: 41, code: "unavailable", sends: 0 },
])(
  "$seconds s after the intent it $name: the outcome is read back by others soon",
  async ({ seconds, code, sends }) => {
    expect(await abortLate(seconds)).toMatchObject({ result: { outcome: "refused", code }, sends });
  },
);

it.each([
  { name: "the next attempt after a conflict", status: 409, code: "conflict" },
  { name: "the same patch to the main resource", status: 404, code: "unavailable" },
])("sends no more if the reads before $name take too long", async ({ status, code }) => {
  const onRead = createStall();
  expect(await abortLate(0, { status, onRead })).toMatchObject({ result: { outcome: "refused", code }, sends: 1 });
});

describe("Continue where spec.paused holds it besides", () => {
  const gate = {
    controllerPause: true,
    pauseConditions: [{ reason: "CanaryPauseStep", startTime: "2026-11-20T10:00:00Z" }],
  };
  const objectOf = ({ paused = true, resourceVersion = "1", status = {} } = {}) => ({
    ...object,
    metadata: { ...object.metadata, resourceVersion },
    spec: { ...object.spec, paused },
    status: { ...object.status, ...gate, ...status },
  });
  const unpaused = objectOf({ paused: false, resourceVersion: "2" });
  const continued = { ...unpaused, status: object.status };
  const ok = (json: unknown) => ({ status: 200, json, text: "", date: undefined });
  const failed = (status: number, message: string) => ({ status, json: { message }, text: message, date: undefined });

  type Cluster = { answers: ClusterResponse[]; later?: unknown; onRequest?: (method: string) => void };
  /** Carries out a plan. `later` is the object found if the second patch conflicts. */
  async function carryOut({ answers, later, onRequest = () => {} }: Cluster) {
    const sent: string[] = [];
    const client: ClusterClient = {
      name: "prod-eu",
      server: "",
      request: async ({ method, path, body }) => {
        onRequest(method);
        if (method === "GET") return ok(later);
        sent.push(`${path.endsWith("/status") ? "status" : "main"} ${JSON.stringify(body)}`);
        return answers.shift() ?? failed(500, "no answer left");
      },
      stream: () => Promise.reject(new Error("not used")),
      watch: () => Promise.reject(new Error("not used")),
      credentials: async () => "",
      close: async () => {},
    };
    const prepared = await prepare(objectOf(), "continue", client);
    const { result, patches } = await carryOutPlan(
      {
        ...requestOf(prepared, { client, action: "continue" }),
        protective: false,
        prepared,
        intentAt: performance.now(),
      },
      rethrow,
    );
    const noted = patches.map(
      ({ object: patched, subresource, resourceVersion, answer }) =>
        `${patched} ${subresource || "main"} ${resourceVersion} ${answer}`,
    );
    return { result, sent, noted, patches };
  }

  const first = 'main {"spec":{"paused":false},"metadata":{"resourceVersion":"1"}}';
  const second = (version: string, where = "status") =>
    `${where} {"status":{"pauseConditions":null},"metadata":{"resourceVersion":"${version}"}}`;
  const patched = `Rollout/${object.metadata.name}`;
  const main = (answer: string) => `${patched} main 1 ${answer}`;
  const status = (version: string, answer: string) => `${patched} status ${version} ${answer}`;
  const untouched = "spec.paused is cleared, but the other pauses remain: look again, then act again.";

  it.each([
    {
      name: "lifts spec.paused first",
      answers: [ok(unpaused), ok(continued)],
      sent: [first, second("2")],
      noted: [main("accepted"), status("2", "accepted")],
      outcome: "applied",
    },
    {
      name: "sends the second one again where only other things changed",
      answers: [ok(unpaused), failed(409, "changed"), ok(continued)],
      later: objectOf({ paused: false, resourceVersion: "3", status: { readyReplicas: 2 } }),
      sent: [first, second("2"), second("3")],
      noted: [main("accepted"), status("3", "accepted")],
      outcome: "applied",
    },
    {
      name: "lifts no gate that nobody has seen: a timed pause ended, and the next one waits",
      answers: [ok(unpaused), failed(409, "changed")],
      later: objectOf({
        paused: false,
        resourceVersion: "3",
        status: { pauseConditions: [{ reason: "CanaryPauseStep", startTime: "2026-11-20T10:09:00Z" }] },
      }),
      sent: [first, second("2")],
      noted: [main("accepted")],
      outcome: "partial",
      message: `Partially applied (the rollout changed meanwhile). ${untouched}`,
    },
    {
      name: "is half done, on the safe side, where the second one is refused",
      answers: [ok(unpaused), failed(403, "no")],
      sent: [first, second("2")],
      noted: [main("accepted"), status("2", "refused")],
      outcome: "partial",
      message: `Partially applied (no). ${untouched}`,
    },
    {
      name: "sends the status to the main resource where there is no subresource",
      answers: [ok(unpaused), failed(404, "404 page not found"), ok(continued)],
      sent: [first, second("2"), second("2", "main")],
      noted: [main("accepted"), `${patched} main 2 accepted`],
      outcome: "applied",
    },
    {
      name: "touches nothing where the first one is refused",
      answers: [failed(403, "no")],
      sent: [first],
      noted: [main("refused")],
      outcome: "refused",
      message: "The cluster refused it: no",
    },
  ])("$name", async ({ answers, later, sent, noted, outcome, message }) => {
    const done = await carryOut({ answers, later });
    expect(done.sent).toEqual(sent);
    expect(done.noted).toEqual(noted);
    expect(done.patches[0]?.body).toEqual({ spec: { paused: false } });
    expect(done.result).toMatchObject({ outcome, ...(message === undefined ? {} : { message }) });
  });

  it.each([
    { name: "the first one's answer", at: "PATCH", sent: [first] },
    { name: "the read after a conflict of the second one", at: "GET", sent: [first, second("2")] },
  ])("is half done, on the safe side, where $name comes too late", async ({ at, sent }) => {
    const stall = createStall();
    const done = await carryOut({
      answers: [ok(unpaused), failed(409, "changed")],
      later: objectOf({ paused: false, resourceVersion: "3" }),
      onRequest: (method) => (method === at ? stall() : undefined),
    });
    expect(done.sent).toEqual(sent);
    expect(done.result).toEqual({
      outcome: "partial",
      message: `Partially applied (Gatehouse was delayed). ${untouched}`,
    });
  });
});

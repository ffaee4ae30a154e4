// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { notifyManager, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ActionDialog } from "#components/actions/action-dialog.tsx";
import { affectedKeysOf } from "#lib/client/affected-keys.ts";
import type { AllowedAction, RolloutDetail } from "#lib/contract/rollout.ts";

const needs: AllowedAction["needs"] = { reason: true, secondPerson: null, freeze: null, breakGlass: false };
const offer = (action: AllowedAction["action"], label: string, allowed = true): AllowedAction => ({
  action,
  label,
  protective: action === "abort",
  allowed,
  effect: `${label} has this effect.`,
  needs,
});
const rollout = {
  id: "c/n/Rollout/shop",
  uid: "u",
  cluster: "c",
  namespace: "n",
  kind: "Rollout",
  name: "shop",
  viewDigest: "d1",
  revisionKey: "new",
  stableRevisionKey: "old",
  presence: "live",
  phase: "Paused",
  attention: { reason: "pause", since: "2026-11-20T10:00:00.000Z", severity: "info" },
  aborted: false,
  paused: false,
  promoteFull: false,
  step: 1,
  stepCount: 4,
  abortPoint: null,
  steps: ["setWeight: 20", "pause", "setWeight: 60", "pause"].map((text) => ({ text })),
  pauseConditions: [{ reason: "CanaryPauseStep", startTime: null }],
  currentRuns: [],
  currentExperiment: null,
  replicaSets: [
    { podHash: "new", revision: 3, images: ["shop/app:v2"] },
    { podHash: "old", revision: 2, images: ["shop/app:v1"] },
  ],
  images: [],
  weight: { set: 20, actual: 20 },
  evidence: [
    {
      runUid: "r",
      metric: "success-rate",
      phase: "Successful",
      values: [1],
      last: "[0.99]",
      lastPhase: "Successful",
      condition: null,
      pass: null,
      fail: null,
      thresholds: [],
      limit: null,
      summary: "5 of 5",
    },
  ],
  allowedActions: [offer("continue", "Continue"), offer("abort", "Abort")],
  source: { state: "live", lastContact: null, fresh: true, reason: null },
  updatedAt: "2026-11-20T10:00:00.000Z",
} as unknown as RolloutDetail;

const aborted: Partial<RolloutDetail> = {
  viewDigest: "d2",
  aborted: true,
  phase: "Degraded",
  step: 0,
  pauseConditions: [],
  allowedActions: [offer("continue", "Continue", false), offer("retry", "Retry"), offer("abort", "Abort", false)],
};
const abortAct = {
  seq: 9,
  time: "2026-11-20T10:00:40.000Z",
  who: "operator",
  did: "aborted it at 20 %",
  reason: "Errors at checkout.",
};

// Cached query results render at once, not in a later turn of the event loop.
notifyManager.setScheduler((draw) => draw());

let server: Record<string, unknown>;
let client: QueryClient;
let root: Root;

function answer(change: Partial<RolloutDetail>, acts: unknown[] = []): void {
  server = {
    "/rollouts/c/n/Rollout/shop": { ...rollout, ...change },
    "/rollouts/c/n/Rollout/shop/releases": {
      items: [{ acts: { total: acts.length, latest: acts } }],
      nextCursor: null,
    },
    "/me": { role: "operator", clusterIdentities: [] },
  };
}

/** Waits until everything requested has arrived. */
const settle = () => act(async () => expect.poll(() => client.isFetching()).toBe(0));

/** Simulates a change announced by the event stream. */
async function change(next: Partial<RolloutDetail>, acts: unknown[] = []): Promise<void> {
  answer(next, acts);
  await act(async () => {
    const affected = affectedKeysOf([{ kind: "rollout", id: rollout.id, op: "upsert" }]);
    for (const { queryKey } of affected) await client.invalidateQueries({ queryKey });
  });
  await settle();
}

async function open(action: AllowedAction): Promise<void> {
  await act(async () => {
    root.render(
      <MantineProvider env="test">
        <QueryClientProvider client={client}>
          <ActionDialog target={rollout} action={action} onClose={() => undefined} />
        </QueryClientProvider>
      </MantineProvider>,
    );
  });
  await settle();
}

const dialog = (): HTMLElement => document.querySelector<HTMLElement>('[role="dialog"]') ?? document.body;
const alert = (): string => dialog().querySelector('[role="alert"]')?.textContent ?? "";
const button = (name: string) =>
  [...dialog().querySelectorAll("button")].find(({ textContent }) => textContent === name) as HTMLButtonElement;
const click = (name: string) => act(async () => button(name).click());

function type(text: string): Promise<void> {
  const field = dialog().querySelector("textarea");
  if (field === null) throw new Error("no field for the reason");
  const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set;
  return act(async () => {
    set?.call(field, text);
    field?.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  window.matchMedia = (query) =>
    ({ matches: false, media: query, addEventListener() {}, removeEventListener() {} }) as unknown as MediaQueryList;
  const fonts = { addEventListener() {}, removeEventListener() {} };
  Object.defineProperty(document, "fonts", { value: fonts, configurable: true });
  vi.stubGlobal("fetch", async (address: string) => {
    const path = new URL(address, "http://x").pathname.replace("/api/v1", "");
    const body = server[path];
    return new Response(JSON.stringify(body ?? {}), { status: body === undefined ? 404 : 200 });
  });
  answer({});
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const place = document.createElement("div");
  document.body.append(place);
  root = createRoot(place);
});
afterEach(async () => {
  await act(async () => root.unmount());
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

describe("an open dialog", () => {
  it("shows the versions and the evidence of its target wherever it was opened", async () => {
    await open(offer("continue", "Continue"));
    expect(dialog().textContent).toContain("success-rate");
    expect(dialog().textContent).toContain("v2 (stable v1) · step 2 of 4 · 20 % of traffic on the new version");
    expect(alert()).toBe("");
    expect(button("Continue shop").disabled).toBe(false);
  });

  it("turns stale when somebody acts: who and when, the reason stays, the next action is offered", async () => {
    await open(offer("continue", "Continue"));
    await type("Looks good.");
    await change(aborted, [abortAct]);
    expect(alert()).toMatch(/operator aborted it at 20 % .*: Errors at checkout\./);
    // A table follows the sentence: no second full stop.
    expect(alert()).toContain("Errors at checkout.What");
    expect(alert()).toContain("Abortednoyes");
    expect(button("Continue shop").disabled).toBe(true);
    await click("Retry instead");
    await settle();
    expect(alert()).toBe("");
    expect(button("Retry shop").disabled).toBe(false);
    expect(dialog().textContent).toContain("Retry has this effect.");
    expect(dialog().querySelector("textarea")?.value).toBe("Looks good.");
  });

  it("names the controller when nobody acted, and asks again about the present state", async () => {
    await open(offer("continue", "Continue"));
    await type("Looks good.");
    await change({ viewDigest: "d3", step: 3 });
    expect(alert()).toContain("Changed while you were looking");
    expect(alert()).toContain("The controller moved to step 4 of 4 (wait).");
    expect(alert()).toContain("Step2 of 44 of 4");
    expect(button("Continue shop").disabled).toBe(true);
    expect(dialog().querySelector("textarea")?.value).toBe("Looks good.");
    await click("Continue from the current state");
    await settle();
    expect(alert()).toBe("");
    expect(button("Continue shop").disabled).toBe(false);
  });

  it("can be asked again when no answer came, although the rollout moved: the request itself may have moved it", async () => {
    await open(offer("continue", "Continue"));
    await type("Looks good.");
    const sent: string[] = [];
    const get = fetch;
    vi.stubGlobal("fetch", async (address: string, init?: RequestInit) => {
      if (init?.method !== "POST") return get(address, init);
      sent.push(new Headers(init.headers).get("idempotency-key") ?? "");
      throw new TypeError("fetch failed");
    });
    await click("Continue shop");
    await settle();
    await change({ viewDigest: "d3", step: 3 });
    expect(alert()).toContain("Retrying is safe");
    expect(button("Continue shop").disabled).toBe(false);
    await click("Continue shop");
    expect(sent).toHaveLength(2);
    expect(sent[1]).toBe(sent[0]);
  });

  it("sends which pauses it named; refused for another one, says which and asks again with it", async () => {
    const accept = { ...offer("accept-step", "Accept and continue"), passesPauses: [] };
    const passing = { ...accept, label: "Accept and continue (may pass step 4)", passesPauses: [3] };
    await open(accept);
    await type("Looks good.");
    const sent: unknown[] = [];
    const get = fetch;
    vi.stubGlobal("fetch", async (address: string, init?: RequestInit) => {
      if (init?.method !== "POST") return get(address, init);
      sent.push(JSON.parse(String(init.body)).expect.passesPauses);
      const problem = {
        code: "stale_view",
        detail: "Refused.",
        changes: [{ field: "passesPauses", seen: [], now: [3], text: "It may now pass step 4 of 4 (pause)." }],
        current: { viewDigest: "d1", uid: "u", revisionKey: "new", allowedActions: [passing] },
      };
      return Response.json(problem, { status: 409, headers: { "content-type": "application/problem+json" } });
    });
    await click("Accept and continue shop");
    await settle();
    expect(alert()).toContain("It may now pass step 4 of 4 (pause). Nothing was done.");
    expect(alert()).toContain("May passno pausestep 4 of 4");
    await click("Accept and continue (may pass step 4) shop");
    expect(sent).toEqual([[], [3]]);
  });

  it("sends which version it was shown; refused for another one, says so and asks again with it", async () => {
    const start = { ...offer("approve", "Approve"), targetVersion: "u/4" };
    await open(start);
    await type("Looks good.");
    const sent: unknown[] = [];
    const get = fetch;
    vi.stubGlobal("fetch", async (address: string, init?: RequestInit) => {
      if (init?.method !== "POST") return get(address, init);
      sent.push(JSON.parse(String(init.body)).expect.targetVersion);
      const problem = {
        code: "stale_view",
        detail: "Refused.",
        changes: [
          { field: "targetVersion", seen: "u/4", now: "u/5", text: "Deployment shop has changed since you looked." },
        ],
        current: {
          viewDigest: "d1",
          uid: "u",
          revisionKey: "new",
          allowedActions: [{ ...start, targetVersion: "u/5" }],
        },
      };
      return Response.json(problem, { status: 409, headers: { "content-type": "application/problem+json" } });
    });
    await click("Approve shop");
    await settle();
    expect(alert()).toContain("Deployment shop has changed since you looked. Nothing was done.");
    await click("Approve shop");
    expect(sent).toEqual(["u/4", "u/5"]);
  });

  it("says which ticket the reason needs and when it is checked, finds it, and sends nothing without it", async () => {
    const tickets = [{ rule: "change", pattern: "CHG\\d+", checked: true }];
    await open({ ...offer("continue", "Continue"), needs: { ...needs, tickets } });
    const get = fetch;
    const post = vi.fn(async () => Response.json({ id: "a", auditSeq: 1 }));
    vi.stubGlobal("fetch", (address: string, init?: RequestInit) =>
      init?.method === "POST" ? post() : get(address, init),
    );
    expect(dialog().textContent).toContain("Required. Name a ticket such as CHG1234. It is checked when you confirm.");
    await type("Looks good.");
    await click("Continue shop");
    expect(dialog().querySelector("textarea")?.getAttribute("aria-invalid")).toBe("true");
    expect(post).not.toHaveBeenCalled();
    await type("CHG77: looks good.");
    expect(dialog().textContent).toContain("Required. Ticket CHG77. It is checked when you confirm.");
    await click("Schedule…");
    expect(dialog().textContent).toContain("Required. Ticket CHG77. It is checked at the scheduled time.");
    await click("Now");
    expect(dialog().querySelector("textarea")?.getAttribute("aria-invalid")).not.toBe("true");
    await click("Continue shop");
    expect(post).toHaveBeenCalledTimes(1);
  });

  it("warns of any chosen revision whose release was aborted", async () => {
    const revision = { images: [], current: false, stable: false };
    const revisions = [
      { ...revision, revision: 3, podHash: "new", current: true },
      { ...revision, revision: 2, podHash: "old", stable: true },
      { ...revision, revision: 1, podHash: "oldest" },
    ];
    server["/rollouts/c/n/Rollout/shop/releases"] = {
      items: [{ runKey: "oldest", state: "aborted", message: "Out of pods.", acts: { total: 0, latest: [] } }],
      nextCursor: null,
    };
    await open({ ...offer("undo", "Roll back to a revision"), revisions });
    expect(dialog().textContent).not.toContain("was aborted");
    const field = dialog().querySelector("select") as HTMLSelectElement;
    await act(async () => {
      field.value = "1";
      field.dispatchEvent(new Event("change", { bubbles: true }));
    });
    expect(dialog().textContent).toContain("The release of revision 1 was aborted: Out of pods.");
  });

  it("leaves a protective action as it is while the same version is on its way, and says what moved", async () => {
    await open(offer("abort", "Abort"));
    await change({ viewDigest: "d3", step: 3 });
    expect(alert()).toBe("");
    expect(dialog().textContent).toContain("Abort still applies to this version.");
    expect(button("Abort shop").disabled).toBe(false);
  });
});

describe("Later", () => {
  const setTime = (text: string) => {
    const [field] = dialog().querySelectorAll<HTMLInputElement>('input[type="datetime-local"]');
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
    return act(async () => {
      set?.call(field, text);
      field?.dispatchEvent(new Event("input", { bubbles: true }));
    });
  };
  let sent: unknown[];
  beforeEach(() => {
    sent = [];
    const { fetch } = globalThis;
    vi.stubGlobal("fetch", async (address: string, init?: RequestInit) => {
      if (init?.method !== "POST") return fetch(address, init);
      sent.push(JSON.parse(String(init.body)));
      return new Response(JSON.stringify({ id: "s", dueAt: "2026-11-20T10:00:00.000Z" }), { status: 202 });
    });
  });

  it("asks for a time within a week, and sends that", async () => {
    await open(offer("continue", "Continue"));
    await type("Looks good.");
    await click("Schedule…");
    expect(dialog().textContent).toMatch(/In the time zone \S+\. Only if nothing has changed by then\./);
    await click("Schedule");
    expect(dialog().textContent).toContain("Choose a time within the next 7 days.");
    expect(sent).toEqual([]);
    const inAnHour = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 3_600_000);
    const { toLocalInput } = await import("#components/ui/local-input.ts");
    await setTime(toLocalInput(inAnHour.toISOString()));
    await click("Schedule");
    await settle();
    expect(sent).toMatchObject([{ action: "continue", reason: "Looks good.", dueAt: inAnHour.toISOString() }]);
  });

  it("is possible in a freeze, which may have ended by then", async () => {
    const freeze = { name: "f", until: "2026-11-21T10:00:00.000Z", because: "Frozen." };
    await open({ ...offer("continue", "Continue"), needs: { ...needs, freeze, breakGlass: true } });
    expect(button("Continue shop").disabled).toBe(true);
    await click("Schedule…");
    expect(button("Schedule").disabled).toBe(false);
  });

  it("is not offered for two people", async () => {
    const secondPerson = { rule: "two", expireMinutes: 60, because: "Two people." };
    await open({ ...offer("continue", "Continue"), needs: { ...needs, secondPerson } });
    expect(button("Schedule…")).toBeUndefined();
  });
});

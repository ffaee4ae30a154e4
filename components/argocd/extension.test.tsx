// @vitest-environment jsdom

import type { ComponentType } from "react";
import * as React from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { CardProps, FlyoutProps, TabProps } from "#components/argocd/argo-cd.ts";
import answers from "#lib/contract/examples/answers.json" with { type: "json" };
import type { RolloutDetail } from "#lib/contract/rollout.ts";
// @ts-expect-error -- plain JavaScript without types, as all scripts.
import { bundleExtension } from "../../scripts/argocd-extension.mjs";

const example = answers.getRollout as RolloutDetail;
const { namespace, kind, name, uid } = example;
const application = { metadata: { name: "shop", namespace: "argocd" }, spec: { project: "retail" } };
const resource = { kind, metadata: { namespace, name, uid } };

let code: string;
beforeAll(async () => {
  code = await bundleExtension();
});

let root: Root;
let asked: Request[];
beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.stubGlobal("GATEHOUSE_VARS", { URL: "https://tools.example.com/gatehouse/" });
  const base = document.createElement("base");
  base.href = "https://argocd.example.com/cd/";
  document.head.replaceChildren(base);
  root = createRoot(document.body.appendChild(document.createElement("div")));
  asked = [];
});
afterEach(() => {
  React.act(() => root.unmount());
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

type Registered = {
  tabs: { group: string; kind: string; title: string; Tab: ComponentType<TabProps> }[];
  Card?: ComponentType<CardProps>;
  Flyout?: ComponentType<FlyoutProps>;
};

/** Runs the script as Argo CD's page does: React and the API of extensions are globals. */
function load(): Registered {
  const registered: Registered = { tabs: [] };
  vi.stubGlobal("React", React);
  vi.stubGlobal("extensionsAPI", {
    registerResourceExtension: (Tab: ComponentType<TabProps>, group: string, kind: string, title: string) =>
      registered.tabs.push({ group, kind, title, Tab }),
    registerStatusPanelExtension: (
      Card: ComponentType<CardProps>,
      _title: string,
      _id: string,
      Flyout: ComponentType<FlyoutProps>,
    ) => Object.assign(registered, { Card, Flyout }),
  });
  new Function(code)();
  return registered;
}

/** Answers each path that begins as named; others as Argo CD answers without a proxy, with its page. */
function serve(byPath: Record<string, Response>): void {
  vi.stubGlobal("fetch", async (url: URL, init: RequestInit) => {
    const request = new Request(url, { headers: init.headers ?? {} });
    asked.push(request);
    const found = Object.entries(byPath).find(([path]) => `${url.pathname}${url.search}`.startsWith(path));
    return found?.[1].clone() ?? new Response("<!doctype html>", { headers: { "content-type": "text/html" } });
  });
}

const api = "/cd/extensions/gatehouse/gatehouse/api/v1/rollouts";
const tree = "/cd/api/v1/applications/shop/resource-tree";
const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });
const list = (...items: unknown[]) => json({ items, nextCursor: null });
const text = () => document.body.textContent ?? "";

async function showTab(shown: TabProps = { application, resource }): Promise<void> {
  const [rollout] = load().tabs;
  if (rollout === undefined) throw new Error("no tab");
  await React.act(async () => root.render(<rollout.Tab {...shown} />));
}

async function showCard(openFlyout = () => {}): Promise<Registered> {
  const registered = load();
  const { Card } = registered;
  if (Card === undefined) throw new Error("no card");
  await React.act(async () => root.render(<Card application={application} openFlyout={openFlyout} />));
  return registered;
}

it("registers a tab for each kind that Gatehouse records, and a card", () => {
  const { tabs, Card, Flyout } = load();
  expect(tabs.map(({ group, kind, title }) => `${group}/${kind}: ${title}`)).toEqual([
    "argoproj.io/Rollout: Gatehouse",
    "flagger.app/Canary: Gatehouse",
  ]);
  expect([Card, Flyout]).toEqual([expect.any(Function), expect.any(Function)]);
  expect(Buffer.byteLength(code)).toBe(code.length);
  expect(code).not.toMatch(/jsx-runtime|process\.env|mantine/i);
});

it("takes no other extension down in an Argo CD without the API", () => {
  vi.stubGlobal("React", React);
  vi.stubGlobal("extensionsAPI", undefined);
  expect(() => new Function(code)()).not.toThrow();
});

describe("the tab", () => {
  it("finds the object by its uid, and shows why it waits, the evidence and the way to decide", async () => {
    const attention = { reason: "inconclusive", since: "2026-03-01T09:30:00.000Z", severity: "warning" };
    const hostile = { ...example, attention, sentence: "<img src=x onerror=alert(1)>" };
    const namesake = { ...example, uid: "another", cluster: "elsewhere" };
    serve({ [`${api}?`]: list(namesake, hostile), [`${api}/${example.cluster}/`]: json(hostile) });
    await showTab();
    expect(text()).toContain("Inconclusive");
    expect(text()).toContain("<img src=x onerror=alert(1)>");
    expect(document.querySelector("img")).toBe(null);
    expect(text()).toContain(`cluster ${example.cluster}`);
    for (const { metric, summary } of example.evidence) expect(text()).toContain(`${metric}: ${summary}`);
    const link = [...document.querySelectorAll("a")].find((one) => one.textContent === "Decide in Gatehouse");
    expect(link?.href).toBe(
      `https://tools.example.com/gatehouse/rollouts/${example.cluster}/${namespace}/${kind}/${name}`,
    );
    const [first] = asked;
    expect(first?.headers.get("argocd-application-name")).toBe("argocd:shop");
    expect(first?.headers.get("argocd-project-name")).toBe("retail");
    expect(asked.every(({ method }) => method === "GET")).toBe(true);
  });

  it.each([
    { name: "under way", abortPoint: null, step: 2, says: "2 of 6 steps done" },
    { name: "aborted", abortPoint: { step: 2, weight: 20 }, step: 0, says: "aborted at step 3 of 6" },
    { name: "aborted unseen", abortPoint: { step: null, weight: null }, step: 0, says: "aborted at an unknown step" },
  ])("names the step of a release: $name", async ({ abortPoint, step, says }) => {
    const rollout = { ...example, abortPoint, step, stepCount: 6 };
    serve({ [`${api}?`]: list(rollout), [`${api}/${example.cluster}/`]: json(rollout) });
    await showTab();
    expect(text()).toContain(says);
    if (abortPoint !== null) expect(text()).not.toContain("steps done");
  });

  it("guesses no namesake, and says that Gatehouse does not show it", async () => {
    serve({ [`${api}?`]: list({ ...example, uid: "another" }) });
    await showTab();
    expect(text()).toContain("Gatehouse does not show this Rollout");
  });

  it("reads the pages of the list until it is found", async () => {
    const page = json({ items: [], nextCursor: "further" });
    const found = { [`${api}/${example.cluster}/`]: json(example) };
    serve({
      [`${api}?namespace=${namespace}&kind=${kind}&q=${name}&limit=200&cursor=further`]: list(example),
      ...found,
    });
    const last = globalThis.fetch;
    vi.stubGlobal("fetch", (url: URL, init: RequestInit) =>
      url.pathname === api && !url.search.includes("cursor") ? page.clone() : last(url, init),
    );
    await showTab();
    expect(text()).toContain(`cluster ${example.cluster}`);
  });

  it("says so for an object that is not in the cluster", async () => {
    await showTab({ application, resource: { kind, metadata: { namespace, name } } });
    expect(text()).toBe("It is not in the cluster yet.");
  });

  const plain = (body: string, status: number) => new Response(body, { status });
  it.each([
    { name: "no proxy", answer: plain("<!doctype html>", 200), says: "Set server.enable.proxy.extension" },
    { name: "no such extension", answer: plain("Extension not found", 404), says: "extension.config in the ConfigMap" },
    { name: "no right to the extension", answer: plain("Unauthorized", 401), says: "invoke, gatehouse, allow" },
    { name: "Gatehouse is down", answer: plain("", 502), says: "argocd-server can reach" },
    { name: "a revoked token", answer: json({ code: "unauthenticated" }, 401), says: "proxy's token" },
    { name: "a token without rights", answer: json({ code: "forbidden" }, 403), says: "Bind its robot" },
    { name: "a refusal", answer: json({ code: "unavailable", detail: "Later." }, 503), says: "Later." },
  ])("says what to do: $name", async ({ answer, says }) => {
    serve({ [api]: answer });
    await showTab();
    expect(document.querySelector('[role="alert"]')?.textContent).toContain(says);
  });

  it.each([undefined, "gatehouse.example.com", "javascript:alert(1)"])("asks for an address: %s", async (given) => {
    vi.stubGlobal("GATEHOUSE_VARS", { URL: given });
    serve({});
    await showTab();
    expect(text()).toContain("Set URL in GATEHOUSE_VARS");
    expect(asked).toEqual([]);
  });

  it("keeps what it read, with its time, if it cannot be read again", async () => {
    vi.useFakeTimers();
    serve({ [`${api}?`]: list(example), [`${api}/${example.cluster}/`]: json(example) });
    await showTab();
    serve({ [api]: plain("", 502) });
    vi.spyOn(document, "hidden", "get").mockReturnValueOnce(true);
    await React.act(() => vi.advanceTimersByTimeAsync(30_000));
    expect(text()).not.toContain("Below is the state of");
    await React.act(() => vi.advanceTimersByTimeAsync(30_000));
    expect(text()).toContain("Below is the state of");
    expect(text()).toContain(`cluster ${example.cluster}`);
    vi.useRealTimers();
  });

  it("reads at once when the page becomes visible, one at a time, until it is removed", async () => {
    vi.useFakeTimers();
    const hidden = vi.spyOn(document, "hidden", "get");
    const turn = async (isHidden: boolean) => {
      hidden.mockReturnValue(isHidden);
      await React.act(async () => document.dispatchEvent(new Event("visibilitychange")));
    };
    serve({ [`${api}?`]: list(example), [`${api}/${example.cluster}/`]: json(example) });
    await showTab();
    await turn(true);
    await React.act(() => vi.advanceTimersByTimeAsync(600_000));
    expect(asked).toHaveLength(2);
    const answer = globalThis.fetch;
    const gate = Promise.withResolvers<void>();
    const fetched = vi.fn((url: URL, init: RequestInit) => gate.promise.then(() => answer(url, init)));
    vi.stubGlobal("fetch", fetched);
    await turn(false);
    await turn(false);
    expect(fetched).toHaveBeenCalledTimes(1);
    await React.act(async () => gate.resolve());
    await React.act(() => vi.advanceTimersByTimeAsync(29_000));
    expect(fetched).toHaveBeenCalledTimes(2);
    await React.act(() => vi.advanceTimersByTimeAsync(2_000));
    expect(fetched).toHaveBeenCalledTimes(4);
    await React.act(async () => root.render(null));
    await turn(false);
    expect(fetched).toHaveBeenCalledTimes(4);
    hidden.mockRestore();
    vi.useRealTimers();
  });
});

describe("the card", () => {
  const node = { group: "argoproj.io", kind: "Rollout", namespace, name };
  const waiting = {
    ...example,
    attention: { reason: "pause", since: "2026-03-01T09:30:00.000Z", severity: "warning" },
  };

  it("counts the application's rollouts, and opens the list of them", async () => {
    const others = [
      { ...node, uid: "gone" },
      { kind: "Service", namespace, uid: "s", version: "v1" },
    ];
    serve({
      [tree]: json({ nodes: [{ ...node, uid }, ...others] }),
      [`${api}?namespace=${namespace}&`]: list(waiting),
    });
    const openFlyout = vi.fn();
    const { Flyout } = await showCard(openFlyout);
    expect(asked[0]?.url).toContain("/cd/api/v1/applications/shop/resource-tree?appNamespace=argocd");
    expect(text()).toContain("1 waits for a person");
    expect(text()).toContain("Waiting for a person: 1");
    expect(text()).toContain("Not shown by Gatehouse: 1");
    document.querySelector("button")?.click();
    expect(openFlyout).toHaveBeenCalledOnce();
    if (Flyout === undefined) throw new Error("no flyout");
    await React.act(async () => root.render(<Flyout application={application} />));
    expect(text()).toContain(`${namespace}/${name} in cluster ${example.cluster}`);
    expect(text()).toContain("Decide in Gatehouse");
  });

  it("is absent from an application without rollouts", async () => {
    serve({ [tree]: json({ nodes: null }) });
    await showCard();
    expect(text()).toBe("");
  });

  const wait = (reason: string, severity = "warning") => ({ reason, severity, since: "2026-03-01T09:30:00.000Z" });
  const quiet = { ...example, attention: null };
  const broken = { ...example, uid: "broken", attention: wait("degraded", "critical") };
  const found = { ...example, uid: "found", attention: wait("finding") };
  const mismatched = { ...example, uid: "mismatched", attention: wait("finding", "critical") };
  it.each([
    { says: "1 needs attention", rollouts: [quiet, broken] },
    { says: "3 need attention", rollouts: [broken, found, mismatched] },
    { says: "1 waits for a person", rollouts: [waiting, broken] },
    { says: "1 needs attention", rollouts: [broken], missing: true },
    { says: "Unknown", rollouts: [quiet], missing: true },
    { says: "No decision needed", rollouts: [quiet] },
  ])("says what the worst needs: $says", async ({ says, rollouts, missing = false }) => {
    const uids = [...rollouts.map((rollout) => rollout.uid), ...(missing ? ["missing"] : [])];
    serve({ [tree]: json({ nodes: uids.map((each) => ({ ...node, uid: each })) }), [`${api}?`]: list(...rollouts) });
    await showCard();
    expect(document.querySelector("button > span > span")?.textContent).toBe(says);
  });

  it("calls no number known if Gatehouse shows none of them", async () => {
    serve({ [tree]: json({ nodes: [{ ...node, uid }] }), [`${api}?`]: list() });
    await showCard();
    expect(text()).toContain("UnknownNot shown by Gatehouse: 1");
  });
});

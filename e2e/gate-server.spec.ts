import { globSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { endpoints } from "#lib/contract/endpoint-table.ts";
import { gateNames } from "#lib/domain/delivery/gate-decision.ts";
import { computeChecksum } from "#lib/domain/flagger/gates/checksum.ts";
import { readDemo } from "#test/demo.ts";
import { callAsFlagger, type HookOutcome } from "#test/flagger-client.ts";
import { test } from "./pages.ts";

// Flagger takes any final status up to 202 for a yes, and follows redirects. Whatever wrong address a hook has, only a
// person's approval may be taken for one.

const status = { phase: "Progressing", canaryWeight: 20, lastAppliedSpec: "7d9c8f6b5", trackedConfigs: {} };
const checksum = computeChecksum(status);
const types = [...gateNames, "pre-rollout", "rollout", "post-rollout", "event"] as const;

function payloadOf(namespace: string) {
  const metadata = { eventMessage: "m", eventType: "Normal", timestamp: String(Date.now()) };
  return { name: "podinfo", namespace, phase: "Progressing", checksum, metadata };
}

/** Creates a credential through the API, as an admin does. */
async function createCredential(): Promise<string> {
  const { url, tokens } = readDemo();
  const response = await fetch(`${url}/api/v1/hook-credentials`, {
    method: "POST",
    headers: { authorization: `Bearer ${tokens.admin}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "flagger", cluster: "demo", namespaces: ["gate-*"] }),
  });
  expect(response.status).toBe(201);
  const { id, secret } = (await response.json()) as { id: string; secret: string };
  return `${id}:${secret}`;
}

const withUser = (url: string, user: string) => url.replace("//", `//${user}@`);

/**
 * An address of this machine for 25 calls: one address may send 300 requests a minute without a session, and 30 with a
 * wrong token.
 */
function addressOf(index: number): string {
  return `127.0.${1 + (callers % 200)}.${1 + Math.floor(index / 25)}`;
}
/** Lists that were called; each has addresses of its own. */
let callers = 0;

/** Calls the addresses, a few at a time, and lists those that pass, and those without a usable answer. */
async function listWrong(urls: readonly string[], payload: unknown): Promise<string[]> {
  const wrong: string[] = [];
  callers += 1;
  const queue = [...urls.entries()];
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [index, url] = next;
      const outcome: HookOutcome = await callAsFlagger({ url, timeoutMs: 120_000, from: addressOf(index) }, payload);
      const { passes, status = 0 } = outcome;
      if (passes || status === 0 || status === 429 || status >= 500) wrong.push(`${url} ${status}`);
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  return wrong;
}

test("no address of the server passes for an approval", async () => {
  const { url } = readDemo();
  const credential = await createCredential();
  const paths = listServerPaths();
  expect(paths.length).toBeGreaterThan(80);
  for (const wanted of ["/", "/signin", "/livez", "/api/v1/me", "/api/auth/signout", "/inbox"])
    expect(paths).toContain(wanted);
  const gates = gateNames.flatMap((gate) => [`/hooks/flagger/demo/${gate}`, `/hooks/flagger/demo/${gate}/one`]);
  const spelled = [...paths, ...gates].flatMap((path) => {
    const [plain = "", query] = path.split("?");
    const slashed = plain === "/" ? "//" : `${plain}/`;
    const others = [path, slashed, `${plain}?gate=1`, `/${plain}`, `${plain}//`, `${plain}/.`, plain.toUpperCase()];
    return query === undefined ? others : [path, slashed];
  });
  const urls = [...new Set(spelled)].map((path) => url + path);
  const payload = payloadOf("gate-none");
  expect(await listWrong(urls, payload)).toEqual([]);
  expect(
    await listWrong(
      urls.map((one) => withUser(one, credential)),
      payload,
    ),
  ).toEqual([]);
  const unknown = types.map((type) => `${url}/hooks/flagger/demo/${type}`);
  expect(await listWrong(unknown, payload)).toEqual([]);
});

const root = join(import.meta.dirname, "..");

/** Values for the catch-all segments of routes: words, and the paths of next-auth below its own route. */
const catchAlls: Readonly<Record<string, readonly string[]>> = {
  "[[...path]]": ["", "x", "x/y"],
  "[...nextauth]": [
    ...["signin", "signin/oidc", "signin/demo", "signout", "callback/oidc", "callback/demo", "session", "csrf"],
    ...["providers", "error", "verify-request", "_log", "x"],
  ],
};

/** Lists every path that the server has, by the endpoint table and the files below `app`, `public` and the build. */
function listServerPaths(): string[] {
  const routes = globSync("**/{page.tsx,route.ts}", { cwd: join(root, "app") }).flatMap(pathsOfRoute);
  const built = globSync("**/*.*", { cwd: join(root, ".next/static") }).filter((_, index) => index % 10 === 0);
  return [
    ...new Set([
      ...routes,
      ...Object.values(endpoints).map(({ path }) => path.replaceAll(/\{[^}]+\}/g, "x")),
      ...globSync("*", { cwd: join(root, "public") }).map((file) => `/${file}`),
      ...built.map((file) => `/_next/static/${file}`),
      ...["/_next", "/_next/image?url=%2Ffavicon.svg&w=64&q=75", "/_next/data/x/index.json", "/_next/static/x.js"],
      ...["/nowhere", "/favicon.ico", "/robots.txt", "/index.html", "/404", "/_not-found", "/_error", "/500"],
      ...["/gate/approve", "/gate/check", "/rollback/check", "/hooks/flagger", "/hooks/flagger/demo", "/.well-known/x"],
    ]),
  ];
}

function pathsOfRoute(file: string): string[] {
  const segments = file.split("/").slice(0, -1);
  const named = segments.filter((segment) => !segment.startsWith("("));
  const last = named.at(-1) ?? "";
  const ends = catchAlls[last];
  const before = (ends === undefined ? named : named.slice(0, -1)).map((segment) =>
    segment.startsWith("[") ? "x" : segment,
  );
  return (ends ?? [""]).map((end) => `/${[...before, ...(end === "" ? [] : [end])].join("/")}`);
}

import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

type Attack = { method?: string; path: string; headers?: Record<string, string>; body?: string };

const upgrade = { connection: "Upgrade", upgrade: "websocket" };
const json = { "content-type": "application/json" };

/** Requests that need no session, or only the credentials of the attacked cluster. */
function attacks({ hook, audit }: { hook: string; audit: string }): Attack[] {
  const spoofed = { "x-forwarded-for": `203.0.113.${Math.floor(Math.random() * 250)}` };
  const basic = (credential: string): string => `Basic ${Buffer.from(credential).toString("base64")}`;
  const message = `a-primary.team-0 not ready: ${"1".repeat(20_000)}`;
  const event = { name: "canary-0", namespace: "team-0", phase: "Progressing", checksum: "x", metadata: {} };
  return [
    ...["//x", "/\\x", "/docs//x", "/hooks//x", "/api//v1/me"].map((path) => ({ path, headers: upgrade })),
    { path: "/docs/api" },
    { path: "/docs/api/rollouts" },
    { path: "/docs/configuration" },
    { path: "/inbox", headers: { cookie: "gatehouse.session=forged" } },
    { path: "/api/v1/openapi.json" },
    { path: `/docs/${"a".repeat(300)}` },
    { path: "/livez/../api/v1/me" },
    {
      method: "POST",
      path: "/hooks/flagger/bench/rollback",
      headers: { ...json, ...spoofed, authorization: basic(`${crypto.randomUUID()}:wrong`) },
      body: "{}",
    },
    {
      method: "POST",
      path: "/hooks/flagger/attacked/event",
      headers: { ...json, authorization: basic(hook) },
      body: JSON.stringify({
        ...event,
        metadata: { eventMessage: message, eventType: "Warning", timestamp: String(Date.now()) },
      }),
    },
    {
      method: "POST",
      path: "/hooks/kubernetes-audit/attacked",
      headers: { ...json, authorization: basic(audit) },
      body: "[".repeat(1024 * 1024),
    },
    {
      method: "POST",
      path: "/api/auth/device/code",
      headers: { ...json, ...spoofed },
      body: JSON.stringify({ client_id: "gatehouse-cli", device_name: "attacker" }),
    },
  ];
}

/** Sends all of these requests twice a second until `signal`, and waits for no answer. */
export async function attackByHttp({
  port,
  signal,
  ...credentials
}: {
  port: number;
  /** Credentials of the attacked cluster, as ID:SECRET. */
  hook: string;
  audit: string;
  signal: AbortSignal;
}): Promise<{ requests: number }> {
  let requests = 0;
  while (!signal.aborted) {
    for (const attack of attacks(credentials)) {
      send(port, attack);
      requests += 1;
    }
    await sleep(500, undefined, { signal }).catch(() => {});
  }
  return { requests };
}

function send(port: number, { method = "GET", path, headers = {}, body }: Attack): void {
  const sent = request({ host: "127.0.0.1", port, method, path, headers, agent: false }, (response) =>
    response.resume(),
  );
  sent.on("upgrade", (_response, socket) => socket.destroy());
  sent.on("error", () => {});
  sent.setTimeout(30_000, () => sent.destroy());
  sent.end(body);
}

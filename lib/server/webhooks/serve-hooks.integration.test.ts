import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LimitConfig } from "#lib/server/platform/config/config-schema.ts";
import type { HookOutcome } from "#test/flagger-client.ts";
import { type Credential, type HookWorld, hookCluster, type LiveCanary, startHookWorld } from "#test/hook-world.ts";

let world: HookWorld;
let canary: LiveCanary;
let credential: Credential;
beforeAll(async () => {
  world = await startHookWorld();
  canary = await world.addCanary();
  credential = await world.addCredential();
  for (const gate of ["confirm-rollout", "confirm-traffic-increase", "confirm-promotion", "rollback"] as const)
    await world.decide(canary, { gate });
});
afterEach(() => setLimit(300));
afterAll(() => world.close());

function setLimit(addressRequestsPerMinute: number): void {
  const { config } = world.web.runtime.config();
  config.limits = { ...LimitConfig.parse({}), addressRequestsPerMinute };
}

const reported = ({ status, error, passes }: HookOutcome) =>
  passes ? `${status}` : `${status} ${(JSON.parse(error) as { reason: string }).reason}`;
const types = [
  "confirm-rollout",
  "confirm-traffic-increase",
  "confirm-promotion",
  "rollback",
  "pre-rollout",
  "rollout",
  "post-rollout",
  "event",
];

const basic = ({ id, secret }: Credential) => `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;
const bodyOf = (changes: object = {}) =>
  JSON.stringify({
    name: canary.name,
    namespace: canary.namespace,
    phase: "Progressing",
    checksum: canary.checksum,
    ...changes,
  });

async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: basic(credential), "content-type": "application/json", ...init.headers };
  return fetch(world.url + path, { method: "POST", body: bodyOf(), redirect: "manual", ...init, headers });
}
const rollback = `/hooks/flagger/${hookCluster}/rollback`;

describe("what is not a hook", () => {
  it.each([
    ...["/hooks", "/hooks/", "/hooks/flagger", "/hooks/flagger/", `/hooks/flagger/${hookCluster}`],
    ...[`/hooks/flagger/${hookCluster}/`, `${rollback}/`, `${rollback}/gate/`, `${rollback}/gate/more`],
    ...[`/hooks/flagger/${hookCluster}/nothing`, `/hooks/flagger/${hookCluster}/ROLLBACK`, "/hooks/argo/demo/rollback"],
    ...[`/hooks/flagger/Demo/rollback`, `/hooks/flagger/${hookCluster}/rollback%20`, `${rollback}/%2e`],
    ...["/hooks/flagger/constructor/rollback/__proto__x%00"],
  ])("%s is a 404, to any method", async (path) => {
    for (const method of ["POST", "PUT"]) {
      const response = await send(path, { method });
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({ decision: "deny", reason: "not_found" });
    }
    expect((await send(path, { method: "GET", body: null })).status).toBe(404);
  });

  it.each([`//hooks/flagger/${hookCluster}/rollback`, `/hooks//flagger/${hookCluster}/rollback`, `/x/..${rollback}`])(
    "%s is refused before that",
    async (path) => {
      const { hostname, port } = new URL(world.url);
      const socket = connect(Number(port), hostname);
      socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
      let text = "";
      socket.on("data", (chunk) => {
        text += chunk;
      });
      await once(socket, "close");
      expect(text).toMatch(/^HTTP\/1\.1 405 /);
    },
  );
});

describe("a hook", () => {
  it.each(["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"])("does not take %s", async (method) => {
    for (const type of types) {
      const response = await send(`/hooks/flagger/${hookCluster}/${type}`, { method, body: null });
      expect(response.status).toBe(405);
    }
  });

  it("answers in short JSON that nobody may store", async () => {
    for (const path of [rollback, `${rollback}/my-gate.1`, `${rollback}?token=x`]) {
      const response = await send(path);
      expect([response.status, await response.json()]).toEqual([
        200,
        { decision: "rollback", reason: "abort_requested" },
      ]);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "content-type": "application/json",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      });
      expect(response.headers.get("set-cookie")).toBeNull();
    }
  });

  const bodies: [string, string, string][] = [
    ["no JSON", "{", "400 bad_payload"],
    ["nothing", "", "400 bad_payload"],
    ["a list", "[]", "400 bad_payload"],
    ["deep nesting", "[".repeat(60_000), "400 bad_payload"],
    ["64 KiB", "", "200 abort_requested"],
    ["more than 64 KiB", " ".repeat(64 * 1024 + 1), "413 payload_too_large"],
  ];
  it.each(bodies)("with %s", async (name, text, expected) => {
    const body = name === "64 KiB" ? bodyOf().padEnd(64 * 1024) : text;
    const response = await send(rollback, { body });
    expect(`${response.status} ${((await response.json()) as { reason: string }).reason}`).toBe(expected);
  });

  it("stops reading a body that does not end, and one that does not come", async () => {
    const { hostname, port } = new URL(world.url);
    const head = `POST ${rollback} HTTP/1.1\r\nhost: x\r\nauthorization: ${basic(credential)}\r\n`;
    const answerTo = async (text: string, more?: string) => {
      const socket = connect(Number(port), hostname).on("error", () => {});
      socket.write(head + text);
      const feeding = more === undefined ? undefined : setInterval(() => socket.write(more), 1);
      const [answer] = (await once(socket, "data")) as [Buffer];
      clearInterval(feeding);
      await once(socket, "close");
      return answer.toString().split("\r\n")[0];
    };
    const chunk = `4000\r\n${"x".repeat(0x4000)}\r\n`;
    expect(await answerTo("transfer-encoding: chunked\r\n\r\n", chunk)).toBe("HTTP/1.1 413 Payload Too Large");
    const startedAt = performance.now();
    expect(await answerTo("content-length: 100\r\n\r\n{")).toBe("HTTP/1.1 400 Bad Request");
    expect(performance.now() - startedAt).toBeLessThan(2500);
  });
});

describe("a caller", () => {
  it("without a credential, or with a wrong one, is told so in every case", async () => {
    const wrong: [string, Record<string, string>][] = [
      ["none", { authorization: "" }],
      ["a token", { authorization: `Bearer ${world.web.tokens.admin}` }],
      ["no base64", { authorization: "Basic !!!" }],
      ["no id", { authorization: `Basic ${Buffer.from("admin:admin").toString("base64")}` }],
      ["another secret", { authorization: basic({ ...credential, secret: "wrong" }) }],
      ["no secret", { authorization: basic({ ...credential, secret: "" }) }],
      ["another id", { authorization: basic({ ...credential, id: (await world.addCredential()).id }) }],
      ["an unknown id", { authorization: basic({ ...credential, id: crypto.randomUUID() }) }],
      ["a session's cookie", { authorization: "", cookie: "next-auth.session-token=x" }],
    ];
    for (const [name, headers] of wrong)
      for (const type of types) {
        const metadata = { eventMessage: "m", eventType: "Normal", timestamp: "1785412800123" };
        const response = await send(`/hooks/flagger/${hookCluster}/${type}`, { headers, body: bodyOf({ metadata }) });
        expect([name, type, response.status]).toEqual([name, type, 401]);
        expect(response.headers.get("www-authenticate")).toBeNull();
      }
  });

  it("may change its credential without a gap", async () => {
    const [one, other] = [await world.addCredential(), await world.addCredential()];
    const ask = async (used: Credential) => reported(await world.call(canary, { type: "rollback", credential: used }));
    expect([await ask(one), await ask(other)]).toEqual(["200", "200"]);
    await world.query("UPDATE hook_credential SET revoked_at = now() WHERE id = $1", [one.id]);
    expect([await ask(one), await ask(other)]).toEqual(["401 bad_credential", "200"]);
    await world.query("UPDATE hook_credential SET expires_at = now() WHERE id = $1", [other.id]);
    expect(await ask(other)).toBe("401 bad_credential");
  });

  it("calls only for its own cluster and namespaces", async () => {
    const ask = async (used: Credential, cluster?: string) =>
      reported(await world.call(canary, { type: "rollback", credential: used, ...(cluster && { cluster }) }));
    const { namespace } = canary;
    expect(await ask(await world.addCredential({ namespaces: [namespace] }))).toBe("200");
    expect(await ask(await world.addCredential({ namespaces: ["other", "ns-*"] }))).toBe("200");
    expect(await ask(await world.addCredential({ namespaces: ["other", "ns"] }))).toBe("403 out_of_scope");
    expect(await ask(await world.addCredential({ namespaces: [] }))).toBe("403 out_of_scope");
    const elsewhere = await world.addCredential({ cluster: "elsewhere" });
    expect(await ask(elsewhere)).toBe("403 out_of_scope");
    expect(await ask(elsewhere, "elsewhere")).toBe("403 unknown_cluster");
    expect(await ask(credential, "elsewhere")).toBe("403 out_of_scope");
  });

  it("that guesses is refused without a look at the database, while others at its address go on", async () => {
    expect((await send(rollback)).status).toBe(200);
    setLimit(2);
    const guess = async () => {
      const response = await send(rollback, { headers: { authorization: basic({ ...credential, secret: "wrong" }) } });
      return `${response.status} ${((await response.json()) as { reason: string }).reason}`;
    };
    expect([await guess(), await guess(), await guess()]).toEqual([
      ...["401 bad_credential", "401 bad_credential", "403 rate_limited"],
    ]);
    expect((await send(rollback)).status).toBe(200);
  });

  it("with a right credential is answered, whatever came from its address before it was known", async () => {
    setLimit(3);
    const answerTo = async (headers: Record<string, string>) => {
      const response = await send(rollback, { headers });
      return `${response.status} ${((await response.json()) as { reason: string }).reason}`;
    };
    const wrong = () => basic({ ...credential, secret: crypto.randomUUID() });
    for (const authorization of ["", wrong(), wrong()])
      expect(await answerTo({ authorization })).toBe("401 bad_credential");
    for (const authorization of ["", wrong(), basic({ ...credential, id: crypto.randomUUID() })])
      expect(await answerTo({ authorization })).toBe("403 rate_limited");
    const fresh = await world.addCredential();
    expect((await send(rollback, { headers: { authorization: basic(fresh) } })).status).toBe(200);
    expect(await answerTo({ authorization: basic({ ...fresh, secret: "wrong" }) })).toBe("403 rate_limited");
    const elsewhere = await world.addCredential({ namespaces: ["other"] });
    expect(await answerTo({ authorization: basic(elsewhere) })).toBe("403 out_of_scope");
  });

  it("is seen to be in use", async () => {
    const used = await world.addCredential();
    await world.call(canary, { type: "rollback", credential: used });
    await expect
      .poll(async () => {
        const sql = "SELECT last_used_at FROM hook_credential WHERE id = $1";
        return (await world.query<{ last_used_at: Date | null }>(sql, [used.id])).rows[0]?.last_used_at;
      })
      .toBeInstanceOf(Date);
  });
});

describe("hooks that only report", () => {
  it.each([
    ["pre-rollout", "Progressing", "observe_only"],
    ["rollout", "Progressing", "observe_only"],
    ["post-rollout", "Succeeded", "run_closed_succeeded"],
    ["post-rollout", "Failed", "run_closed_failed"],
  ])("%s in %s passes, and is logged", async (type, phase, reason) => {
    const asked = await world.addCanary();
    expect(reported(await world.call(asked, { type, payload: { phase } }))).toBe("200");
    await world.flush();
    const { rows } = await world.query("SELECT type, phase, status, reason FROM hook_call WHERE namespace = $1", [
      asked.namespace,
    ]);
    expect(rows).toEqual([{ type, phase, status: 200, reason }]);
  });
});

describe("the log of calls", () => {
  it("has every call of a known caller with its answer and the decision", async () => {
    const asked = await world.addCanary();
    const call = (type: string, label?: string) => world.call(asked, { type, label: label as string });
    await call("confirm-promotion", "before-lunch");
    const id = await world.decide(asked, { gate: "confirm-promotion" });
    await call("confirm-promotion");
    await world.call(asked, { type: "rollback", payload: { checksum: undefined } });
    await world.call(asked, { type: "rollback", credential: { ...credential, secret: "wrong" } });
    await world.flush();
    const { rows } = await world.query(
      `SELECT cluster, name, type, label, phase, checksum, status, reason, decision_id FROM hook_call
        WHERE namespace = $1 ORDER BY id`,
      [asked.namespace],
    );
    const row = { cluster: hookCluster, name: "podinfo", phase: "Progressing", decision_id: null, label: "" };
    const { checksum } = asked;
    expect(rows).toEqual([
      { ...row, type: "confirm-promotion", label: "before-lunch", checksum, status: 403, reason: "not_approved" },
      { ...row, type: "confirm-promotion", checksum, status: 200, reason: "approved", decision_id: id },
      { ...row, type: "rollback", checksum: "", status: 403, reason: "no_checksum" },
    ]);
  });
});

describe("Flagger before 1.34", () => {
  it("is answered by the live pod template, if the config says so", async () => {
    const old = await world.addCanary();
    const ask = async (type: string) => reported(await world.call(old, { type, payload: { checksum: undefined } }));
    const { checksum, templateHash } = old;
    await world.decide(old, { gate: "confirm-promotion", bound: { checksum, templateHash } });
    await world.decide(old, { gate: "confirm-traffic-increase", bound: { checksum, templateHash, upToWeight: 40 } });
    expect(await ask("confirm-promotion")).toBe("403 no_checksum");
    const { config } = world.web.runtime.config();
    const controllers = config.clusters[0]?.controllers;
    if (controllers === undefined) throw new Error("no cluster");
    controllers.acceptMissingChecksum = true;
    try {
      expect([await ask("confirm-promotion"), await ask("confirm-traffic-increase")]).toEqual(["200", "200"]);
      expect(await ask("rollback")).toBe("403 no_abort_requested");
      old.template = { spec: { containers: [] } };
      expect(await ask("confirm-promotion")).toBe("403 revision_changed_since_approval");
    } finally {
      controllers.acceptMissingChecksum = false;
    }
  });
});

describe("many calls at once", () => {
  it("are each answered for themselves", async () => {
    const others = await Promise.all(Array.from({ length: 5 }, () => world.addCanary()));
    await world.decide(others[2] as LiveCanary, { gate: "rollback" });
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, index) => world.call(others[index % 5] as LiveCanary, { type: "rollback" })),
    );
    const passing = outcomes.flatMap(({ passes }, index) => (passes ? [index % 5] : []));
    expect(passing).toEqual(Array.from({ length: 20 }, () => 2));
  });
});

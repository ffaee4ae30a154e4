import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SandboxFaults } from "#lib/contract/sandbox-faults.ts";
import { type SandboxServer, startSandboxServer } from "#test/sandbox-server.ts";
import { startTestWeb, type TestWeb, testOrigin } from "#test/web-runtime.ts";
import { GET, POST } from "./faults/route.ts";

let sandbox: SandboxServer;
let web: TestWeb;
let folder: string;

beforeAll(async () => {
  sandbox = await startSandboxServer();
  folder = mkdtempSync(join(tmpdir(), "gatehouse-sandbox-faults-"));
  const tokenFile = join(folder, "token");
  writeFileSync(tokenFile, `${sandbox.token}\n`);
  web = await startTestWeb({
    config: {
      demo: { accountsFile: "unused", faultTokenFile: tokenFile },
      clusters: [{ name: "demo", server: sandbox.url, tokenFile }],
    },
  });
});
afterAll(async () => {
  await web.close();
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

const path = "/api/v1/sandbox/faults";
const play = (body: unknown, as: "admin" | "operator" = "admin") =>
  POST(web.request(path, { as, method: "POST", body: JSON.stringify(body) }));

async function readAudited(): Promise<string[]> {
  const { rows } = await web.runtime.pool.query<{ line: string }>(
    `SELECT concat_ws(' ', outcome, entry::jsonb -> 'detail' ->> 'fault', entry::jsonb -> 'detail' ->> 'seconds') AS line
       FROM audit_entry WHERE code = 'sandbox.fault' ORDER BY seq`,
  );
  return rows.map(({ line }) => line);
}

describe("/api/v1/sandbox/faults", () => {
  it("plays a fault, says what is on, and audits intent and outcome", async () => {
    const answer = await play({ fault: "403", resource: "rollouts", seconds: 60 });
    expect(answer.status).toBe(200);
    const { active } = SandboxFaults.parse(await answer.json());
    expect(active).toMatchObject([{ fault: "403", resource: "rollouts" }]);
    expect(sandbox.server.faults.has("403", { resource: "rollouts" })).toBe(true);
    expect(await readAudited()).toEqual(["intent 403 60", "applied 403 60"]);

    // The control endpoint stays reachable under every fault.
    await play({ fault: "stall", how: "requests" });
    const listed = SandboxFaults.parse(await (await GET(web.request(path, { as: "admin" }))).json());
    expect(listed.active.map(({ fault }) => fault)).toEqual(["403", "stall"]);
    expect(listed.faults).toContain("empty");

    await play({ fault: "none" });
    expect(sandbox.server.faults.list()).toEqual([]);
  });

  it("passes on why the cluster refuses, and audits that", async () => {
    const answer = await play({ fault: "earthquake" });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: "invalid_request",
      detail: expect.stringMatching(/allowed are/),
    });
    expect((await readAudited()).slice(-2)).toEqual(["intent earthquake", "refused earthquake"]);
  });

  it("is an admin's alone; who else plays one is audited", async () => {
    const before = await readAudited();
    expect((await play({ fault: "empty" }, "operator")).status).toBe(403);
    expect((await GET(web.request(path, { as: "viewer" }))).status).toBe(403);
    expect(await readAudited()).toEqual([...before, "refused empty"]);
  });

  it("says that it does not know what came of it where the cluster is away", async () => {
    const [cluster] = web.runtime.config().config.clusters;
    expect(cluster).toBeDefined();
    const { server } = cluster ?? { server: "" };
    Object.assign(cluster ?? {}, { server: "http://127.0.0.1:1" });
    expect((await play({ fault: "empty" })).status).toBe(503);
    expect((await readAudited()).at(-1)).toBe("unknown empty");
    Object.assign(cluster ?? {}, { server });
  });
});

it("does not exist where no faults can be played", async () => {
  const plain = await startTestWeb();
  try {
    const answer = await GET(
      new Request(testOrigin + path, { headers: { authorization: `Bearer ${plain.tokens.admin}` } }),
    );
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: "not_found" });
  } finally {
    await plain.close();
  }
});

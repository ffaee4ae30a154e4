import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { programEnvironment } from "#test/program-environment.ts";
import { connectRecorded } from "#test/recorded.ts";
import { serveRoutes } from "#test/route-server.ts";
import { createTestPool } from "#test/test-pool.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";

let web: TestWeb;
let server: Awaited<ReturnType<typeof serveRoutes>>;
const ids = { pending: randomUUID(), missed: randomUUID() };

beforeAll(async () => {
  web = await startTestWeb();
  server = await serveRoutes();
  const recorded = await connectRecorded(web.database.recorderUrl);
  await recorded.addSource({});
  const owner = createTestPool(web.database.ownerUrl, 1);
  for (const [state, id] of Object.entries(ids)) {
    const { id: rolloutId, cluster, namespace, name } = await recorded.addRollout({ name: state });
    await owner.query(
      `INSERT INTO scheduled_action (id, rollout_id, cluster, namespace, kind, name, action, expect, due_at, reason,
         requested_by, requested_by_name, requested_username, identity, state, message, ended_at)
       VALUES ($1, $2, $3, $4, 'Rollout', $5, 'abort', '{"viewDigest": "d"}', '2030-01-04T09:00:00Z', 'load test', 'x|y', 'Ann',
         'ann', '{"groups": [], "claims": {}, "token": null}', $6, $7, $8)`,
      [
        id,
        rolloutId,
        cluster,
        namespace,
        name,
        state,
        ...(state === "missed" ? ["Too late.", new Date()] : ["", null]),
      ],
    );
  }
  await owner.end();
  await recorded.close();
});
afterAll(async () => {
  server.close();
  await web.close();
});

function gatehouse(role: "viewer" | "operator", ...args: string[]) {
  const env = { ...programEnvironment, TZ: "UTC", GATEHOUSE_URL: server.url, GATEHOUSE_TOKEN: web.tokens[role] };
  return new Promise<{ status: number; stdout: string; stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      [join(import.meta.dirname, "../cli.ts"), "scheduled", ...args],
      { env },
      (error, stdout, stderr) => resolve({ status: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

it("lists what is scheduled and what was not done, and withdraws one for those who may do it", async () => {
  const listed = await gatehouse("viewer", "list");
  expect(listed).toMatchObject({ status: 0, stderr: "" });
  expect(listed.stdout).toMatch(/^ID +CLUSTER +ROLLOUT +ACTION +AT +STATE +BY +REASON\n/);
  expect(listed.stdout).toMatch(
    new RegExp(`^${ids.pending} .*/pending +abort +Fri 4 Jan 2030, 09:00 UTC +pending +Ann \\(ann\\) +load test$`, "m"),
  );
  expect(listed.stdout).toMatch(new RegExp(`^${ids.missed} .* missed +Ann \\(ann\\) +Too late\\.$`, "m"));
  expect((await gatehouse("viewer", "list", "--name", "none")).stdout).toBe("nothing is scheduled\n");

  const refused = await gatehouse("viewer", "withdraw", ids.pending);
  expect(refused).toMatchObject({ status: 1, stdout: "" });
  const withdrawn = await gatehouse("operator", "withdraw", ids.pending, "-o", "json");
  expect(JSON.parse(withdrawn.stdout)).toMatchObject({ id: ids.pending, state: "withdrawn" });
  expect(await gatehouse("operator", "withdraw", ids.pending)).toMatchObject({
    status: 1,
    stderr: "gatehouse: It is being done now, or has ended.\n",
  });
});

it("says how it is used", async () => {
  expect(await gatehouse("operator")).toMatchObject({ status: 2 });
  expect(await gatehouse("operator", "withdraw")).toMatchObject({
    status: 2,
    stderr: "gatehouse: ID is missing; give it before the flags\n",
  });
});

import { execFile } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { programEnvironment } from "#test/program-environment.ts";
import { serveRoutes } from "#test/route-server.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";

let web: TestWeb;
let server: Awaited<ReturnType<typeof serveRoutes>>;

beforeAll(async () => {
  web = await startTestWeb();
  server = await serveRoutes();
});
afterAll(async () => {
  server.close();
  await web.close();
});

function gatehouse(role: "viewer" | "operator", ...args: string[]) {
  const env = { ...programEnvironment, GATEHOUSE_URL: server.url };
  return new Promise<{ status: number; stdout: string; stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      [join(import.meta.dirname, "../cli.ts"), "freeze", ...args],
      { env: { ...env, GATEHOUSE_TOKEN: web.tokens[role] } },
      (error, stdout, stderr) => resolve({ status: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

it("starts, lists, extends and ends a freeze", async () => {
  const scope = ["--namespace", "pay*", "--namespace", "shop"];
  const started = await gatehouse("operator", "start", "--for", "2h", "--reason", "payment incident", ...scope);
  expect(started).toMatchObject({ status: 0, stderr: "" });
  expect(started.stdout).toMatch(
    /^ID +CLUSTERS +NAMESPACES +ROLLOUTS +FROM +UNTIL +BY +REASON\n\S+ +\* +pay\*,shop +\* /,
  );
  const [id = ""] = /[\da-f]{8}-[\da-f-]{27}/.exec(started.stdout) ?? [];
  expect((await gatehouse("viewer", "list")).stdout).toContain(id);
  const extended = await gatehouse("operator", "extend", id, "--for", "4h", "--reason", "longer", "-o", "json");
  const [{ endsAt }] = JSON.parse(extended.stdout) as [{ endsAt: string }];
  expect(Date.parse(endsAt) - Date.now()).toBeGreaterThan(3 * 3_600_000);
  expect(await gatehouse("operator", "end", id, "--reason", "over")).toMatchObject({ status: 0 });
  expect((await gatehouse("viewer", "list")).stdout).toBe("nothing is frozen by a person\n");
});

it("says what is missing or refused", async () => {
  expect(await gatehouse("operator", "start", "--for", "2h")).toMatchObject({
    status: 2,
    stderr: "gatehouse: freeze needs --reason TEXT\n",
  });
  expect(await gatehouse("operator", "start", "--for", "2h", "--reason", "r", "--namespace", "a,b")).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("a name or a pattern such as pay*"),
  });
  expect((await gatehouse("viewer", "start", "--for", "2h", "--reason", "r")).status).toBe(1);
});

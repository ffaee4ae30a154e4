import { execFile } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { programEnvironment } from "#test/program-environment.ts";

const entry = join(import.meta.dirname, "../gatehouse.mjs");
const hostile = "no\u001b[2J\u009b31m\u0007 \u202egnp\r\nwent well";
const answers: Record<string, { status: number; body: unknown }> = {
  "/api/v1/inbox": {
    status: 403,
    body: { code: "forbidden", detail: hostile, invalidParams: [{ name: "a\u001b]0;x", reason: hostile }] },
  },
  "/api/v1/audit": { status: 502, body: hostile },
};
let server: Server;

beforeAll(async () => {
  server = createServer(({ url = "" }, response) => {
    const { status, body } = answers[url.split("?")[0] ?? ""] ?? { status: 404, body: "" };
    response.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => server.close());

function stderrOf(args: string[]): Promise<string> {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { ...programEnvironment, GATEHOUSE_URL: url, GATEHOUSE_TOKEN: "t" };
  return new Promise((resolve) => {
    execFile(process.execPath, [entry, ...args], { env, timeout: 120_000 }, (_error, _stdout, stderr) =>
      resolve(stderr),
    );
  });
}

const cleaned = "no\ufffd[2J\ufffd31m\ufffd \ufffdgnp went well";

it.each([
  { what: "a problem document", args: ["inbox"], says: `${cleaned} a\ufffd]0;x: ${cleaned}` },
  { what: "plain text", args: ["audit", "list"], says: cleaned },
])("the words of a server that refuses with $what do nothing to the terminal", async ({ args, says }) => {
  expect(await stderrOf(args)).toBe(`gatehouse: ${says}\n`);
});

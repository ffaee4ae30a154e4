import { connect } from "node:net";
import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { type OwnUp, startActing } from "../own-up.ts";
import { createPausedRollout, ownNamespace } from "../sandbox.ts";

const rollout = "cut-off";

/**
 * Tests that need the built server: Next's own answers, and errors that cross its bundles. At the end, the line to the
 * cluster is cut.
 */
export function testUnderAttack(given: () => OwnUp): void {
  let up: OwnUp;
  test.beforeAll(async () => {
    up = given();
    await startActing(up);
    await createPausedRollout(rollout, up.cluster);
  });

  /** The status line and headers, for a path that no client library would send as it is. */
  function askRaw(method: string, path: string): Promise<{ status: number; head: string }> {
    const { hostname, port, host } = new URL(up.url);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () =>
        socket.write(`${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`),
      );
      let answer = "";
      socket.on("data", (chunk: Buffer) => {
        answer += chunk.toString("latin1");
      });
      socket.on("error", reject);
      socket.on("close", () => {
        const [head = ""] = answer.split("\r\n\r\n", 1);
        resolve({ status: Number(head.split(" ")[1]), head });
      });
    });
  }

  test("Next's own answers: no redirect to another host, no picture for anybody who asks", async () => {
    const redirects = [
      ...["//evil.example", "//evil.example/%2e%2e", "/\\evil.example", "/inbox//"],
      "/signin//evil.example",
    ];
    for (const path of redirects)
      for (const method of ["GET", "HEAD"]) {
        const { status, head } = await askRaw(method, path);
        expect([method, path, status]).toEqual([method, path, 404]);
        expect(head.toLowerCase(), path).not.toContain("\r\nlocation:");
      }
    const pictures = [
      "/_next/image?url=%2Ficon.png&w=640&q=75",
      "/_next/image",
      "/_next/%69mage?url=%2Ficon.png&w=64&q=75",
    ];
    for (const path of pictures) expect((await askRaw("GET", path)).status, path).toBe(404);
  });

  async function lookAt(page: Page): Promise<Record<string, string>> {
    const path = `${up.url}/api/v1/rollouts/prod/${ownNamespace}/Rollout/${rollout}`;
    await expect.poll(async () => (await page.request.get(path)).status()).toBe(200);
    const { viewDigest, revisionKey, uid } = await (await page.request.get(path)).json();
    return { viewDigest, revisionKey, uid };
  }

  async function act(context: BrowserContext, seen: Record<string, string>) {
    return context.request.post(`${up.url}/api/v1/rollouts/prod/${ownNamespace}/Rollout/${rollout}/actions`, {
      headers: { origin: up.url, "sec-fetch-site": "same-origin" },
      data: { action: "abort", reason: "It must stop.", expect: seen },
    });
  }

  test("a cluster that cannot be reached is named, and the refusal is in the audit log", async ({ context }) => {
    const page = await up.signInAs(context, "oncall");
    const seen = await lookAt(page);
    await up.tap.close();
    const answer = await act(context, seen);
    const problem = await answer.json();
    expect([answer.status(), problem.code]).toEqual([503, "unavailable"]);
    expect(problem.detail).toContain("cluster prod");
    expect(problem.detail).not.toMatch(/database|127\.0\.0\.1/);
    const { rows } = await up.query<{ entry: string }>(
      "SELECT entry FROM audit_entry WHERE action_id = $1 ORDER BY seq",
      [problem.actionId],
    );
    expect(rows.map(({ entry }) => JSON.parse(entry))).toMatchObject([{ code: "action.abort", outcome: "refused" }]);
    const object = await page.request.get(`${up.url}/api/v1/rollouts/prod/${ownNamespace}/Rollout/${rollout}/object`);
    expect([object.status(), (await object.json()).code]).toEqual([503, "unavailable"]);
    expect((await page.request.get(`${up.url}/readyz`)).status()).toBe(200);
  });
}

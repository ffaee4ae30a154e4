import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { inconclusiveRollout } from "#test/recorded.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";
import { GET as exportAudit } from "../audit/export/route.ts";
import { GET as getObject } from "../rollouts/[cluster]/[namespace]/[kind]/[name]/object/route.ts";
import { GET as listSessions } from "../sessions/route.ts";
import { GET as listTokens } from "../tokens/route.ts";

/** Argo CD CVE-2025-55190 and CVE-2026-42880: read-only users received credentials that were stored in objects. */

const planted = "planted-s3cret-value";
const place = { namespace: "shop", name: "checkout", uid: "u" };
const plain = inconclusiveRollout(place);
const object = {
  ...plain,
  metadata: {
    ...plain.metadata,
    annotations: {
      "kubectl.kubernetes.io/last-applied-configuration": JSON.stringify({ password: planted }),
      note: JSON.stringify({ apiToken: planted }),
    },
    managedFields: [{ manager: "kubectl", fieldsV1: { [`f:${planted}`]: {} } }],
  },
  spec: {
    ...plain.spec,
    template: {
      spec: {
        containers: [
          {
            name: "app",
            image: "shop:2",
            args: ["--db-password", planted, `--api-token=${planted}`],
            env: [
              { name: "DB_PASSWORD", value: planted },
              { name: "DSN", value: `postgres://shop:${planted}@db/shop` },
            ],
          },
        ],
      },
    },
    strategy: {
      canary: {
        analysis: {
          args: [{ name: "token", value: planted }],
          metrics: [
            {
              provider: {
                web: {
                  url: `https://m.example/?api_key=${planted}`,
                  headers: [{ key: "Authorization", value: `Bearer ${planted}` }],
                },
              },
            },
          ],
        },
      },
    },
  },
  status: { ...plain.status, message: `request to https://a:${planted}@m.example failed` },
};

let web: TestWeb;
beforeAll(async () => {
  const cluster = {
    name: "demo",
    server: "http://127.0.0.1:1",
    request: async () => ({ status: 200, json: object, text: JSON.stringify(object), date: undefined }),
  } as unknown as ClusterClient;
  web = await startTestWeb({ clusters: { demo: cluster } });
});
afterAll(() => web.close());

it("a live object is shown without what it keeps secret", async () => {
  expect(JSON.stringify(object).split(planted).length).toBeGreaterThan(10);
  const params = { cluster: "demo", namespace: "shop", kind: "Rollout", name: "checkout" };
  const response = await getObject(web.request("/any", { as: "viewer" }), { params: Promise.resolve(params) });
  expect(response.status).toBe(200);
  const text = await response.text();
  expect(text).not.toContain(planted);
  expect(text).not.toContain("managedFields");
  expect(text).toContain("DB_PASSWORD");
});

it("tokens, sessions and the audit log hold nothing that one could sign in with", async () => {
  for (const handler of [listTokens, listSessions, exportAudit]) {
    const text = await (await handler(web.request("/any", { as: "admin" }))).text();
    expect(text.length).toBeGreaterThan(10);
    expect(text).not.toMatch(/ght_|[0-9a-f]{64}"?,"?[^}]*token_hash|gatehouse\.session/);
    for (const token of Object.values(web.tokens)) expect(text).not.toContain(token.slice(4));
  }
  const { rows } = await web.runtime.pool.query<{ token_hash: string }>("SELECT * FROM api_token");
  const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
  for (const token of Object.values(web.tokens)) {
    expect(Buffer.from(token.slice(4), "base64url")).toHaveLength(32);
    expect(JSON.stringify(rows)).not.toContain(token.slice(4));
    expect(rows.map((row) => row.token_hash)).toContain(sha256(token));
  }
});

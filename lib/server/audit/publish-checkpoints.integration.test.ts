import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseCheckpoint } from "#lib/domain/audit/audit-chain.ts";
import { CheckpointConfig } from "#lib/server/platform/config/config-schema.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { createTestPool } from "#test/test-pool.ts";
import { appendAudit } from "./append-audit.ts";
import { publishCheckpoint } from "./publish-checkpoints.ts";
import { verifyAudit } from "./verify-audit.ts";

let database: TestDatabase;
let pool: ReturnType<typeof createTestPool>;
let hook: Server;
const folder = mkdtempSync(join(tmpdir(), "gatehouse-checkpoints-"));
const file = join(folder, "checkpoints.jsonl");
const posted: { body: string; authorization: string | undefined }[] = [];
let answer = 204;
let url: string;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createTestPool(database.ownerUrl);
  hook = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    posted.push({ body, authorization: request.headers.authorization });
    response.writeHead(answer).end();
  });
  await new Promise<void>((resolve) => hook.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/heads`;
});
afterAll(async () => {
  hook.close();
  await pool.end();
  await database.drop();
  rmSync(folder, { recursive: true });
});

const append = () =>
  appendAudit({
    pool,
    entry: { actor: { type: "system", name: "test" }, source: "system", code: "config.loaded", requestId: "r" },
  });
const lines: Record<string, unknown>[] = [];
const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(JSON.parse(line)) });

describe("publishCheckpoint", () => {
  it("tells each place of each head once, and again where a place failed", async () => {
    const config = CheckpointConfig.parse({ file, webhook: { url } });
    const published = new Map<string, number>();
    const publish = () => publishCheckpoint({ pool, config, published, log });
    expect(await publish()).toEqual({ failed: [] });
    expect(posted).toEqual([]);
    const first = await append();
    await publish();
    await publish();
    expect(posted).toHaveLength(1);
    await append();
    answer = 500;
    expect(await publish()).toEqual({ failed: [{ place: `webhook ${url}`, reason: "answered 500" }] });
    answer = 204;
    expect(await publish()).toEqual({ failed: [] });
    const kept = readFileSync(file, "utf8").trimEnd().split("\n").map(parseCheckpoint);
    expect(kept.map((each) => each?.seq)).toEqual([1, 2]);
    expect(kept[0]?.hash).toBe(first.hash);
    expect(posted.map(({ body }) => parseCheckpoint(body)?.seq)).toEqual([1, 2, 2]);
    expect(lines.map(({ checkpoint }) => (checkpoint as { seq: number }).seq)).toEqual([1, 2]);
  });

  it("names a secret that is missing, and sends nothing without it", async () => {
    const before = posted.length;
    const config = CheckpointConfig.parse({ webhook: { url, token: "env:NO_SUCH_VARIABLE" } });
    expect(await publishCheckpoint({ pool, config, published: new Map(), log })).toEqual({
      failed: [{ place: `webhook ${url}`, reason: "the token was not found in environment variable NO_SUCH_VARIABLE" }],
    });
    expect(posted).toHaveLength(before);
  });

  it("lets a rewritten end be proved", async () => {
    const checkpoints = readFileSync(file, "utf8")
      .trimEnd()
      .split("\n")
      .flatMap((line) => parseCheckpoint(line) ?? []);
    expect(await verifyAudit({ client: pool, checkpoints })).toEqual({ ok: true, entries: 2 });
    await pool.query(
      "ALTER TABLE audit_entry DISABLE TRIGGER USER; DELETE FROM audit_entry WHERE seq = 2; ALTER TABLE audit_entry ENABLE TRIGGER USER",
    );
    expect(await verifyAudit({ client: pool })).toEqual({ ok: true, entries: 1 });
    expect(await verifyAudit({ client: pool, checkpoints })).toMatchObject({ ok: false, brokenAt: 2 });
    await append();
    expect(await verifyAudit({ client: pool, checkpoints })).toMatchObject({
      ok: false,
      brokenAt: 2,
      reason: "hash is not the one that a checkpoint noted",
    });
  });
});

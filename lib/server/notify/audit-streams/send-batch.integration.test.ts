import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ChainLink, computeLink, emptyChain, verifyChain } from "#lib/domain/audit/audit-chain.ts";
import { formatEntryText } from "#lib/domain/audit/audit-entry.ts";
import type { StreamedEntry } from "#lib/domain/audit/format-stream.ts";
import { AuditStreamConfig } from "#lib/server/platform/config/audit-stream-schema.ts";
import { parseJson } from "#lib/util/json.ts";
import { type SyslogReceiver, startSyslogReceiver } from "#test/audit-receivers.ts";
import { makeCertificate } from "#test/make-certificate.ts";
import { type NotificationReceiver, startNotificationReceiver } from "#test/notification-receiver.ts";
import { sendBatch } from "./send-batch.ts";

let folder: string;
let http: NotificationReceiver;
let syslog: SyslogReceiver;
let strict: SyslogReceiver;
let asked: string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-streams-"));
  const server = makeCertificate(folder, "server");
  makeCertificate(folder, "other");
  const client = makeCertificate(folder, "client");
  writeFileSync(join(folder, "token"), "s3cret");
  writeFileSync(join(folder, "signing"), "a secret of enough bytes");
  http = await startNotificationReceiver();
  syslog = await startSyslogReceiver(server);
  strict = await startSyslogReceiver(server, client.cert);
});
beforeEach(() => {
  http.received.length = 0;
  syslog.messages.length = 0;
  syslog.on("read");
  asked = [];
  answerWith(200, "{}");
});
afterAll(async () => {
  await http.close();
  await syslog.close();
  await strict.close();
  rmSync(folder, { recursive: true });
});

function answerWith(status: number, body: string, headers: Record<string, string> = {}): void {
  http.answer((response: ServerResponse) => {
    asked.push(response.req.url ?? "");
    response.writeHead(status, headers).end(body);
  });
}

const time = "2026-11-24T10:15:00.123456Z";
function chainOf(count: number): StreamedEntry[] {
  let head = emptyChain;
  return Array.from({ length: count }, (_, index) => {
    const actor = { type: "system", name: "test" } as const;
    const entry = { actor, source: "system", code: "config.loaded", requestId: "r", seq: index + 1, time } as const;
    const link = computeLink({ head, entry: formatEntryText(entry) });
    head = link;
    const none = {
      action: null,
      outcome: null,
      actionId: null,
      cluster: null,
      namespace: null,
      kind: null,
      name: null,
    };
    return { ...link, ...none, time, code: "config.loaded", source: "system", actor: "test" };
  });
}
const entries = chainOf(3);

const send = (fields: Record<string, unknown>, timeoutMs?: number) =>
  sendBatch(
    AuditStreamConfig.parse({ name: "siem", ...fields }),
    { entries, publicUrl: "https://gatehouse.example.com", signal: new AbortController().signal },
    timeoutMs,
  );
const base = () => new URL(http.url).origin;
const token = () => `file:${join(folder, "token")}`;

describe("syslog over TLS", () => {
  const to = (receiver: SyslogReceiver, more: Record<string, unknown> = {}) =>
    send({ type: "syslog", host: "127.0.0.1", port: receiver.port, caFile: join(folder, "server.crt"), ...more }, 1500);

  it("delivers every entry in order, so that the chain can be verified there", async () => {
    expect(await to(syslog)).toEqual({ ok: true });
    const links = syslog.messages.map((message) => parseJson(message.slice(message.indexOf("] ") + 2)) as ChainLink);
    expect(await verifyChain(links)).toEqual({ ok: true, entries: 3 });
  });

  it.each(["other.crt", undefined])("sends nothing to a receiver that %s does not vouch for", async (caFile) => {
    const result = await to(syslog, { caFile: caFile && join(folder, caFile) });
    expect(result).toMatchObject({ ok: false, error: expect.stringMatching(/^no connection \(.*(CERT|SIGN).*\)$/) });
    expect(syslog.messages).toEqual([]);
  });

  it("does not take entries as delivered until the receiver has read to their end", async () => {
    syslog.on("hang");
    expect(await to(syslog)).toEqual({ ok: false, error: "no answer within 2 s" });
    syslog.on("close-early");
    expect(await to(syslog)).toMatchObject({ ok: false, error: expect.stringMatching(/^no connection \(/) });
  });

  it("shows its certificate to a receiver that asks for one", async () => {
    expect(await to(strict)).toMatchObject({ ok: false });
    const mine = { certFile: join(folder, "client.crt"), key: `file:${join(folder, "client.key")}` };
    expect(await to(strict, mine)).toEqual({ ok: true });
    expect(strict.messages).toHaveLength(3);
  });
});

describe("HTTP receivers", () => {
  it("OTLP: records at /v1/logs, and a partial success is a failure", async () => {
    const stream = { type: "otlp", url: `${base()}/`, token: token() };
    expect(await send(stream)).toEqual({ ok: true });
    expect(asked).toEqual(["/v1/logs"]);
    const [{ headers, body }] = http.received as [(typeof http.received)[0]];
    expect(headers).toMatchObject({ "content-type": "application/json", authorization: "Bearer s3cret" });
    const records = (parseJson(body) as never as { resourceLogs: { scopeLogs: { logRecords: unknown[] }[] }[] })
      .resourceLogs[0]?.scopeLogs[0]?.logRecords;
    expect(records).toHaveLength(3);
    answerWith(200, '{"partialSuccess":{"rejectedLogRecords":"2","errorMessage":"no"}}');
    expect(await send(stream)).toEqual({ ok: false, error: "rejected 2 of 3 entries" });
    answerWith(200, '{"partialSuccess":{}}');
    expect(await send(stream)).toEqual({ ok: true });
  });

  it("a webhook: JSON lines, signed where it has a secret", async () => {
    const stream = { type: "webhook", url: http.url };
    expect(await send(stream)).toEqual({ ok: true });
    const [plain] = http.received;
    expect(plain?.headers).toMatchObject({ "content-type": "application/x-ndjson" });
    expect(plain?.headers["webhook-signature"]).toBeUndefined();
    const links = plain?.body.trimEnd().split("\n").map(parseJson) as ChainLink[];
    expect(await verifyChain(links)).toEqual({ ok: true, entries: 3 });
    await send({ ...stream, signingSecret: `file:${join(folder, "signing")}` });
    expect(http.received[1]?.headers).toMatchObject({
      "webhook-id": `1-3-${entries[2]?.hash.slice(0, 16)}`,
      "webhook-signature": expect.stringMatching(/^v1,/),
    });
  });

  it("Splunk: events for its HTTP Event Collector", async () => {
    expect(await send({ type: "splunk", url: base(), token: token() })).toEqual({ ok: true });
    expect(asked).toEqual(["/services/collector/event"]);
    expect(http.received[0]?.headers.authorization).toBe("Splunk s3cret");
    expect(http.received[0]?.body.split("\n")).toHaveLength(3);
  });

  it.each([
    { name: "all", body: { errors: false }, result: { ok: true } },
    { name: "repeats", body: answers([409, 201, 409]), result: { ok: true } },
    { name: "two", body: answers([201, 400, 201]), result: { ok: false, error: "answered 400 for entry 2" } },
    { name: "some", body: answers([409]), result: { ok: false, error: "answered for only some of the entries" } },
    {
      name: "nothing",
      body: { hello: 1 },
      result: { ok: false, error: "answered 200, but not as Elasticsearch does" },
    },
  ])("Elasticsearch that takes $name", async ({ body, result }) => {
    answerWith(200, JSON.stringify(body));
    const stream = { type: "elasticsearch", url: base(), index: "gatehouse-audit", token: token() };
    expect(await send(stream)).toEqual(result);
    expect(asked).toEqual(["/gatehouse-audit/_bulk?filter_path=errors,items.*.status"]);
    expect(http.received[0]?.headers.authorization).toBe("ApiKey s3cret");
    expect(http.received[0]?.body.endsWith("}\n")).toBe(true);
  });

  it("says what is wrong without a word of the receiver, and when to try again", async () => {
    answerWith(429, "secret words", { "retry-after": "7" });
    const stream = { type: "webhook", url: http.url };
    expect(await send(stream)).toEqual({ ok: false, error: "answered 429", retryAfterMs: 7000 });
    http.answer(() => {});
    expect(await send(stream, 200)).toEqual({ ok: false, error: "no answer within 1 s" });
    expect(await send({ ...stream, token: "env:NO_SUCH_VARIABLE" })).toEqual({
      ok: false,
      error: "the token was not found in environment variable NO_SUCH_VARIABLE",
    });
    expect(await send({ ...stream, url: "http://127.0.0.1:1/" })).toEqual({
      ok: false,
      error: "no connection (ECONNREFUSED)",
    });
  });
});

function answers(statuses: readonly number[]): unknown {
  return { errors: true, items: statuses.map((status) => ({ create: { status } })) };
}

import { createHmac, timingSafeEqual } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Message } from "#lib/domain/notify/compose-messages.ts";
import { sampleEvent } from "#lib/domain/notify/testing/sample-event.ts";
import { ChannelConfig } from "#lib/server/platform/config/notification-schema.ts";
import { type MailServer, startMailServer } from "#test/mail-server.ts";
import { type NotificationReceiver, startNotificationReceiver } from "#test/notification-receiver.ts";
import { sendMessage } from "./send-message.ts";

const message: Message = {
  id: "5f0c7c1e-0000-8000-8000-000000000001",
  shape: "single",
  severity: "info",
  title: "shop/web: Waits for a person",
  routes: ["all"],
  events: [sampleEvent("1")],
};
const now = new Date("2026-11-23T10:00:00.500Z");
const secret = "a shared secret";

let folder: string;
let receiver: NotificationReceiver;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-channels-"));
});
beforeEach(async () => {
  receiver = await startNotificationReceiver();
});
afterEach(() => receiver.close());
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

function send(
  config: Record<string, unknown>,
  { timeoutMs = 5000, signal = new AbortController().signal, events = message.events } = {},
) {
  const channel = ChannelConfig.parse({ name: "c", ...config });
  return sendMessage(
    channel,
    { message: { ...message, events }, publicUrl: "https://gatehouse.example.org", now, signal },
    timeoutMs,
  );
}

const webhook = (more: Record<string, unknown> = {}) => ({
  type: "webhook",
  url: receiver.url,
  signingSecret: `file:${fileOf("secret", `${secret}\n`)}`,
  ...more,
});

describe("CDEvents", () => {
  it("are signed CloudEvents whose data is the CDEvent", async () => {
    const service = { predicate: "upgraded" as const, environment: "prod/shop", artifacts: ["pkg:oci/web?tag=v2"] };
    const events = [sampleEvent("1", { kind: "deployment", service })];
    expect(await send(webhook({ type: "cdevents" }), { events })).toEqual({ ok: true });
    const [{ headers, body } = { headers: {}, body: "" }] = receiver.received;
    expect(headers).toMatchObject({
      ...{ "content-type": "application/cloudevents+json; charset=utf-8", "webhook-id": message.id },
      "webhook-signature": expect.stringMatching(/^v1,/),
    });
    const type = "dev.cdevents.service.upgraded.0.3.0";
    expect(JSON.parse(body)).toMatchObject({
      type,
      data: { context: { type }, subject: { id: "prod/shop/Rollout/web" } },
    });
  });

  it("are not made of events that were queued for a channel of another type", async () => {
    expect(await send(webhook({ type: "cdevents" }))).toEqual({ ok: true, note: "it is about no release" });
    expect(receiver.received).toEqual([]);
  });
});

describe("a webhook", () => {
  it("receives a CloudEvent whose signature it can verify as docs/notifications.md shows", async () => {
    expect(await send(webhook())).toEqual({ ok: true });
    const [{ headers, body } = { headers: {}, body: "" }] = receiver.received;
    expect(headers["content-type"]).toBe("application/cloudevents+json; charset=utf-8");
    const id = headers["webhook-id"];
    const timestamp = headers["webhook-timestamp"];
    expect({ id, timestamp }).toEqual({ id: message.id, timestamp: "1795428000" });
    expect(JSON.parse(body)).toMatchObject({ specversion: "1.0", id: message.id, type: "io.gatehouse.waiting" });
    const expected = createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest();
    const [version, given = ""] = String(headers["webhook-signature"]).split(",");
    expect(version).toBe("v1");
    expect(timingSafeEqual(Buffer.from(given, "base64"), expected)).toBe(true);
  });

  it("may have a secret in the form of Standard Webhooks", async () => {
    const key = Buffer.from("0123456789abcdef0123456789abcdef");
    const file = fileOf("whsec", `whsec_${key.toString("base64")}`);
    await send(webhook({ signingSecret: `file:${file}` }));
    const [{ headers, body } = { headers: {}, body: "" }] = receiver.received;
    const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
    expect(headers["webhook-signature"]).toBe(`v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
  });

  it.each([
    "whsec_",
    "whsec_!!!!",
    `whsec_${Buffer.alloc(15).toString("base64")}`,
    "whsec_not base64 of sixteen bytes",
  ])("is not sent to with the secret %j, which would be a weak key", async (secret) => {
    const file = fileOf("weak", secret);
    expect(await send(webhook({ signingSecret: `file:${file}` }))).toEqual({
      ok: false,
      error: `the signing secret in file ${file} cannot be used: after whsec_ it must be base64 of at least 16 bytes`,
    });
    expect(receiver.received).toEqual([]);
  });

  it("receives a token, read again each time", async () => {
    const tokenFile = fileOf("token", "one");
    await send(webhook({ token: `file:${tokenFile}` }));
    writeFileSync(tokenFile, "two");
    await send(webhook({ token: `file:${tokenFile}` }));
    expect(receiver.received.map(({ headers }) => headers.authorization)).toEqual(["Bearer one", "Bearer two"]);
  });

  it.each<{ status: number; headers?: Record<string, string>; result: Record<string, unknown> }>([
    { status: 200, result: { ok: true } },
    { status: 202, result: { ok: true } },
    { status: 400, result: { ok: false, error: "answered 400" } },
    { status: 500, result: { ok: false, error: "answered 500" } },
    {
      status: 429,
      headers: { "retry-after": "30" },
      result: { ok: false, error: "answered 429", retryAfterMs: 30_000 },
    },
    {
      status: 503,
      headers: { "retry-after": "Mon, 23 Nov 2026 10:02:00 GMT" },
      result: { ok: false, error: "answered 503", retryAfterMs: 119_500 },
    },
    {
      status: 429,
      headers: { "retry-after": "99999999" },
      result: { ok: false, error: "answered 429", retryAfterMs: 3_600_000 },
    },
    { status: 429, headers: { "retry-after": "soon" }, result: { ok: false, error: "answered 429" } },
  ])("that answers $status $headers", async ({ status, headers = {}, result }) => {
    receiver.answer((response) => response.writeHead(status, headers).end("secret words of the receiver"));
    expect(await send(webhook())).toEqual(result);
  });

  it("is not followed where it redirects to", async () => {
    const elsewhere = await startNotificationReceiver();
    receiver.answer((response) => response.writeHead(307, { location: elsewhere.url }).end());
    expect(await send(webhook())).toEqual({ ok: false, error: "answered 307" });
    expect(elsewhere.received).toEqual([]);
    await elsewhere.close();
  });

  it("that never answers is given up", async () => {
    receiver.answer(() => {});
    expect(await send(webhook(), { timeoutMs: 200 })).toEqual({ ok: false, error: "no answer within 1 s" });
  });

  it("that drips its answer without an end is given up, or read only so far", async () => {
    receiver.answer((response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write("x".repeat(64 * 1024)), 1);
      response.on("close", () => clearInterval(timer));
    });
    expect(await send(webhook())).toEqual({ ok: true });
  });

  it("that is not there", async () => {
    const { url } = receiver;
    await receiver.close();
    expect(await send(webhook({ url }))).toEqual({ ok: false, error: "no connection (ECONNREFUSED)" });
    receiver = await startNotificationReceiver();
  });

  it.each(["file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1:1/", "not a URL"])(
    "at %s, as a file says, is not called",
    async (url) => {
      const result = await send(webhook({ url: `file:${fileOf("url", url)}` }));
      expect(result).toEqual({ ok: false, error: "the address is not an http or https URL" });
    },
  );

  it("whose secret is missing is not called", async () => {
    const result = await send(webhook({ signingSecret: `file:${join(folder, "none")}` }));
    expect(result).toEqual({ ok: false, error: `the signing secret was not found in file ${join(folder, "none")}` });
    const other = await send(webhook({ signingSecret: "env:GATEHOUSE_TEST_NOT_SET" }));
    expect(other).toEqual({
      ok: false,
      error: "the signing secret was not found in environment variable GATEHOUSE_TEST_NOT_SET",
    });
    expect(receiver.received).toEqual([]);
  });

  it("is left when the process stops", async () => {
    const stop = new AbortController();
    receiver.answer(() => stop.abort());
    expect(await send(webhook(), { signal: stop.signal })).toMatchObject({ ok: false });
  });
});

describe("Slack", () => {
  it("receives blocks at an incoming webhook, whose URL is in no result", async () => {
    const webhookUrl = `file:${fileOf("slack", receiver.url)}`;
    expect(await send({ type: "slack", webhookUrl })).toEqual({ ok: true });
    const body = JSON.parse(receiver.received[0]?.body ?? "{}");
    expect(body).toMatchObject({ text: message.title, unfurl_links: false });
    expect(body.blocks.length).toBeGreaterThan(1);
    receiver.answer((response) => response.writeHead(404).end("no_service"));
    expect(await send({ type: "slack", webhookUrl })).toEqual({ ok: false, error: "Slack answered 404" });
  });

  const bot = () => ({
    type: "slack",
    token: `file:${fileOf("bot", "xoxb-1")}`,
    channel: "C1",
    apiUrl: receiver.url.replace("/hook", "/api/"),
  });

  it("receives a bot's message, with the message's id", async () => {
    receiver.answer((response) => response.writeHead(200).end('{"ok":true,"ts":"1"}'));
    expect(await send(bot())).toEqual({ ok: true });
    const [{ headers, body } = { headers: {}, body: "" }] = receiver.received;
    expect(headers.authorization).toBe("Bearer xoxb-1");
    expect(JSON.parse(body)).toMatchObject({ channel: "C1", metadata: { event_payload: { id: message.id } } });
  });

  it.each([
    ['{"ok":false,"error":"channel_not_found"}', "Slack refused it: channel_not_found"],
    ['{"ok":false,"error":"<script>"}', "Slack refused it: answer not understood"],
    ["<html>", "Slack refused it: answer not understood"],
    ["", "Slack refused it: answer not understood"],
  ])("that answers 200 with %s refused it", async (body, error) => {
    receiver.answer((response) => response.writeHead(200).end(body));
    expect(await send(bot())).toEqual({ ok: false, error });
  });

  it("that asks to wait is waited for", async () => {
    receiver.answer((response) => response.writeHead(429, { "retry-after": "7" }).end());
    expect(await send(bot())).toEqual({ ok: false, error: "Slack answered 429", retryAfterMs: 7000 });
  });
});

describe("e-mail", () => {
  let server: MailServer;
  const start = async (options?: Parameters<typeof startMailServer>[0]) => {
    server = await startMailServer(options);
  };
  afterEach(() => server.close());
  const mail = (more: Record<string, unknown> = {}) => ({
    type: "email",
    host: "127.0.0.1",
    port: server.port,
    security: "none",
    from: "gatehouse@example.org",
    to: ["one@example.org", "two@example.org"],
    ...more,
  });

  it("arrives as text and HTML, with an id of its own message", async () => {
    await start();
    expect(await send(mail())).toEqual({ ok: true });
    const [received] = server.received;
    expect(received).toMatchObject({ from: "gatehouse@example.org", to: ["one@example.org", "two@example.org"] });
    expect(received?.text).toContain(`Message-ID: <${message.id}@gatehouse.example.org>`);
    expect(received?.text).toContain("Subject: [Info] shop/web: Waits for a person");
    expect(received?.text).toMatch(/Content-Type: text\/plain[\s\S]*Content-Type: text\/html/);
    expect(received?.text).toContain("Auto-Submitted: auto-generated");
  });

  it("goes through STARTTLS with a user, if the certificate is trusted", async () => {
    // smtp-server has a certificate of its own for localhost, which nobody trusts.
    await start({ authOptional: false });
    const passwordFile = fileOf("password", "right\n");
    const secure = mail({ security: "starttls", user: "gatehouse", password: `file:${passwordFile}` });
    expect(await send(secure)).toMatchObject({ ok: false, error: expect.stringMatching(/^no use of the server/) });
    expect(server.received).toEqual([]);
  });

  it("is not sent in the clear to a server without STARTTLS", async () => {
    await start({ disabledCommands: ["STARTTLS"] });
    expect(await send(mail({ security: "starttls" }))).toMatchObject({ ok: false });
    expect(server.received).toEqual([]);
  });

  it("is refused for a wrong password, without the server's words", async () => {
    await start({ authOptional: false, allowInsecureAuth: true });
    const passwordFile = fileOf("password", "wrong");
    const result = await send(mail({ user: "gatehouse", password: `file:${passwordFile}` }));
    expect(result).toEqual({ ok: false, error: "answered 535 at AUTH PLAIN (EAUTH)" });
    writeFileSync(passwordFile, "right");
    expect(await send(mail({ user: "gatehouse", password: `file:${passwordFile}` }))).toEqual({ ok: true });
    expect(server.received[0]?.user).toBe("gatehouse");
  });

  it("says if some of its recipients were refused", async () => {
    await start({
      onRcptTo: ({ address }, _session, done) =>
        done(address.startsWith("two") ? new Error("no such person") : undefined),
    });
    expect(await send(mail())).toEqual({ ok: true, note: "the server refused 1 of its recipients" });
  });

  it("fails if all of them were", async () => {
    await start({ onRcptTo: (_address, _session, done) => done(new Error("no such person")) });
    expect(await send(mail())).toEqual({ ok: false, error: "answered 550 at RCPT TO (EENVELOPE)" });
  });
});

describe("e-mail to a server that hangs", () => {
  let silent: Server;
  afterEach(() => new Promise((resolve) => silent.close(resolve)));

  it("is given up", async () => {
    silent = createServer((socket) => socket.on("error", () => {}));
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const address = silent.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const channel = { type: "email", host: "127.0.0.1", port, from: "a@b.c", to: ["a@b.c"] };
    expect(await send(channel, { timeoutMs: 200 })).toMatchObject({ ok: false });
  });
});

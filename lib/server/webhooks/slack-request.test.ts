import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isSignedBy, parseClick, readSignature } from "./slack-request.ts";

const now = new Date("2026-11-23T10:00:00.000Z");
const seconds = now.getTime() / 1000;
const secret = "8f742231b10e8888abcd99yyyzzz85a5";

function headersOf(body: string, { timestamp = String(seconds), key = secret } = {}) {
  const signature = createHmac("sha256", key).update(`v0:${timestamp}:${body}`).digest("hex");
  return { "x-slack-request-timestamp": timestamp, "x-slack-signature": `v0=${signature}` };
}

function isGenuine(body: string, headers: Record<string, string>): boolean {
  const signature = readSignature(headers, now);
  return signature !== undefined && isSignedBy(secret, Buffer.from(body), signature);
}

describe("a signature", () => {
  it("is that of the secret, the timestamp and the body", () => {
    expect(isGenuine("payload=x", headersOf("payload=x"))).toBe(true);
    expect(isGenuine("payload=y", headersOf("payload=x"))).toBe(false);
    expect(isGenuine("payload=x", headersOf("payload=x", { key: "another" }))).toBe(false);
    const moved = { ...headersOf("payload=x"), "x-slack-request-timestamp": String(seconds - 1) };
    expect(isGenuine("payload=x", moved)).toBe(false);
  });

  it("has the published form", () => {
    // Slack's own example (docs.slack.dev: verifying requests from Slack).
    const body =
      "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";
    const signature = {
      timestamp: "1531420618",
      signature: "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
    };
    expect(isSignedBy(secret, Buffer.from(body), signature)).toBe(true);
  });

  it.each([
    [seconds - 301, false],
    [seconds - 299, true],
    [seconds + 299, true],
    [seconds + 301, false],
  ])("of the time %i counts: %s", (timestamp, counts) => {
    expect(isGenuine("x", headersOf("x", { timestamp: String(timestamp) }))).toBe(counts);
  });

  it.each<[string, Record<string, string>]>([
    ["none", {}],
    ["no timestamp", { "x-slack-signature": `v0=${"0".repeat(64)}` }],
    ["another version", { "x-slack-request-timestamp": String(seconds), "x-slack-signature": `v1=${"0".repeat(64)}` }],
    ["a short one", { "x-slack-request-timestamp": String(seconds), "x-slack-signature": "v0=00" }],
    ["a time in words", { "x-slack-request-timestamp": "now", "x-slack-signature": `v0=${"0".repeat(64)}` }],
  ])("is refused: %s", (_, headers) => {
    expect(readSignature(headers, now)).toBeUndefined();
  });
});

const wait = {
  cluster: "prod",
  namespace: "shop",
  kind: "Rollout",
  name: "web",
  since: now.toISOString(),
  severity: "info",
};
const click = (change: object = {}, action: object = {}) => ({
  type: "block_actions",
  user: { id: "U1AB", username: "ann", team_id: "T1AB" },
  response_url: "https://hooks.slack.com/actions/T1AB/1/x",
  actions: [{ type: "button", action_id: "gatehouse.claim", value: JSON.stringify(wait), ...action }],
  ...change,
});
const formOf = (payload: unknown) => Buffer.from(new URLSearchParams({ payload: JSON.stringify(payload) }).toString());

describe("a click", () => {
  it("says who asks for what", () => {
    expect(parseClick(formOf(click()))).toEqual({
      ...{ action: "claim", user: "U1AB", team: "T1AB", wait },
      responseUrl: "https://hooks.slack.com/actions/T1AB/1/x",
    });
    expect(parseClick(formOf(click({}, { action_id: "gatehouse.snooze" })))).toMatchObject({ action: "snooze" });
  });

  it.each<[string, object]>([
    ["on a link", click({}, { action_id: "gatehouse.open" })],
    ["on what would advance a release", click({}, { action_id: "gatehouse.promote" })],
    ["on a name of Object's", click({}, { action_id: "constructor" })],
    ["of another kind", { type: "view_submission" }],
  ])("needs no answer: %s", (_, payload) => {
    expect(parseClick(formOf(payload))).toBe("nothing");
  });

  it.each([
    ["no payload", Buffer.from("x=1")],
    ["no JSON", Buffer.from("payload={")],
    ["deep nesting", Buffer.from(`payload=${"[".repeat(50_000)}`)],
    ["no user", formOf(click({ user: undefined }))],
    ["no action", formOf(click({ actions: [] }))],
    ["no wait", formOf(click({}, { value: "{}" }))],
    ["a value that is too long", formOf(click({}, { value: JSON.stringify({ ...wait, name: "x".repeat(2000) }) }))],
    ["a time that is none", formOf(click({}, { value: JSON.stringify({ ...wait, since: "x" }) }))],
  ])("cannot be read: %s", (_, body) => {
    expect(parseClick(body)).toBeUndefined();
  });
});

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { signInDevice } from "./device-sign-in.ts";

type Answer = { status?: number; body: unknown } | "hang up";

const begun = {
  device_code: "ghd_secret",
  user_code: "WDJB-MJHT",
  verification_uri: "https://example.com/device",
  verification_uri_complete: "https://example.com/device?user_code=WDJB-MJHT",
  expires_in: 600,
  interval: 5,
};
const refusal = (error: string, error_description?: string): Answer => ({
  status: 400,
  body: { error, error_description },
});
const pending = refusal("authorization_pending");

let server: Server;
let url: string;
let start: Answer;
let answers: Answer[];
let polls: Record<string, string>[];

beforeEach(async () => {
  start = { body: begun };
  answers = [];
  polls = [];
  server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += String(chunk);
    });
    request.on("end", () => {
      const isPoll = request.url?.endsWith("/token") === true;
      if (isPoll) polls.push(Object.fromEntries(new URLSearchParams(text)));
      const answer = isPoll ? (answers.shift() ?? pending) : start;
      if (answer === "hang up") response.destroy();
      else response.writeHead(answer.status ?? 200).end(JSON.stringify(answer.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function signIn() {
  const waits: number[] = [];
  let reported = "";
  let now = 0;
  const token = await signInDevice({
    url,
    deviceName: "deploy@build-7",
    tell: (text) => {
      reported += text;
    },
    sleep: async (ms) => {
      waits.push(ms / 1000);
      now += ms;
    },
    now: () => now,
  });
  return { token, reported, waits };
}

describe("signing in through a browser", () => {
  it("shows address and code, and polls at the interval until there is a token", async () => {
    answers = [pending, pending, { body: { access_token: "ght_new", token_type: "Bearer" } }];
    const { token, reported, waits } = await signIn();
    expect(token).toBe("ght_new");
    expect(reported).toBe(
      "Open https://example.com/device?user_code=WDJB-MJHT\nand check that it shows the code WDJB-MJHT. Waiting, at most 10 min.\n",
    );
    expect(waits).toEqual([5, 5, 5]);
    const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
    expect(polls[0]).toEqual({ client_id: "gatehouse-cli", grant_type, device_code: "ghd_secret" });
  });

  it("waits longer when it is told to slow down, and when nobody can answer", async () => {
    answers = [refusal("slow_down"), "hang up", { status: 503, body: {} }, { body: { access_token: "t" } }];
    expect((await signIn()).waits).toEqual([5, 10, 15, 20]);
  });

  it.each([
    {
      name: "is refused",
      answer: refusal("access_denied", "The request was\nrefused."),
      says: "not signed in: The request was refused.",
    },
    { name: "expires", answer: refusal("expired_token"), says: "not signed in: the code was not approved in time" },
    { name: "is used", answer: refusal("invalid_grant", "used"), says: "is not one of a sign-in: used" },
  ])("ends if the code $name", async ({ answer, says }) => {
    answers = [pending, answer];
    await expect(signIn()).rejects.toThrow(says);
    expect(polls).toHaveLength(2);
  });

  it("ends by itself when the code's time is over", async () => {
    start = { body: { ...begun, expires_in: 12 } };
    await expect(signIn()).rejects.toThrow("the code was not approved in time");
    expect(polls).toHaveLength(3);
  });

  it.each([
    { name: "an older Gatehouse", answer: { status: 404, body: {} }, says: "give a token with --with-token" },
    {
      name: "too many requests",
      answer: { status: 429, body: { error: "temporarily_unavailable", error_description: "wait" } },
      says: "refused to begin a sign-in: wait",
    },
    { name: "something else", answer: { body: { hello: 1 } }, says: "it did not say why" },
  ])("says so if it meets $name", async ({ answer, says }) => {
    start = answer;
    await expect(signIn()).rejects.toThrow(says);
  });

  it("shows nothing that moves the cursor", async () => {
    start = { body: { ...begun, user_code: "A\u001b[2J", verification_uri_complete: undefined } };
    answers = [{ body: { access_token: "t" } }];
    expect((await signIn()).reported).toContain("the code A\ufffd[2J.");
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createHookClient, type HookAnswer } from "./call-hook.ts";
import { type HookServer, startHookServer } from "./testing/hook-server.ts";

type ResponseCase = {
  id: string;
  response: {
    status?: number;
    location?: string;
    finalStatus?: number;
    retryAfter?: string;
    connectionRefused?: boolean;
    tlsVerificationError?: boolean;
  };
  flaggerReadsAs: "pass" | "fail";
  retriedWhenRetriesSet: boolean;
  bodyReachesEvent: boolean;
};

const FIXTURE = join(import.meta.dirname, "../../test/fixtures/conformance/flagger-cases.json");
const { webhookResponses } = JSON.parse(readFileSync(FIXTURE, "utf8")) as { webhookResponses: ResponseCase[] };
const PAYLOAD = { name: "app", namespace: "shop", phase: "Progressing", checksum: "85d557f47b" };
const BODY = "the answer's body";

let server: HookServer;
let waits: number[];
beforeAll(async () => {
  server = await startHookServer();
});
beforeEach(() => {
  server.requests.length = 0;
  waits = [];
});
afterAll(() => server.close());

function call(url: string, retries = 0, timeoutMs = 2_000): Promise<HookAnswer> {
  const client = createHookClient(async (delayMs) => void waits.push(delayMs));
  return client({ url, payload: PAYLOAD, timeoutMs, retries });
}

/** Answers as the case says, and after a redirect with its last status. */
function answerAs({ status = 200, location, finalStatus, retryAfter }: ResponseCase["response"]): void {
  server.answer(({ path }) => {
    const isFinal = finalStatus !== undefined && path === location;
    const headers = {
      ...(location !== undefined && !isFinal ? { location } : {}),
      ...(retryAfter === undefined ? {} : { "retry-after": retryAfter }),
    };
    const code = isFinal ? finalStatus : status;
    return { status: code, headers, body: code === 204 ? "" : BODY };
  });
}

describe("answers are read as upstream reads them", () => {
  // There is no certificate for a server here.
  const tested = webhookResponses.filter(({ id }) => id !== "rs-020");
  it.each(tested)("$id: $response", async ({ response, flaggerReadsAs, retriedWhenRetriesSet, bodyReachesEvent }) => {
    answerAs(response);
    const url = response.connectionRefused === true ? "http://127.0.0.1:2/gate" : `${server.url}/gate`;
    const answer = await call(url);
    expect(answer.isPassed ? "pass" : "fail").toBe(flaggerReadsAs);
    const body = response.status === 204 ? "" : BODY;
    expect(!answer.isPassed && answer.error === body).toBe(bodyReachesEvent);
    expect(waits).toEqual([]);
    await call(url, 2);
    expect(waits.length > 0).toBe(retriedWhenRetriesSet);
  });
});

it("sends what upstream sends, with the credentials of the URL", async () => {
  server.answer(() => ({ status: 200 }));
  expect(await call(server.url.replace("//", "//flagger:s%40crt@").concat("/hooks/confirm-promotion"))).toEqual({
    isPassed: true,
  });
  const authorization = `Basic ${Buffer.from("flagger:s@crt").toString("base64")}`;
  expect(server.requests).toEqual([{ method: "POST", path: "/hooks/confirm-promotion", authorization, body: PAYLOAD }]);
});

it.each([
  [301, "GET"],
  [302, "GET"],
  [303, "GET"],
  [307, "POST"],
  [308, "POST"],
])("a redirect with %i goes on as %s, and a page behind it passes", async (status, method) => {
  server.answer(({ path }) => (path === "/login" ? { status: 200 } : { status, headers: { location: "/login" } }));
  expect(await call(`${server.url}/gate`)).toEqual({ isPassed: true });
  expect(server.requests.map((request) => `${request.method} ${request.path}`)).toEqual([
    "POST /gate",
    `${method} /login`,
  ]);
});

it("gives up after the retries, with longer waits, and hides the password", async () => {
  server.answer(() => ({ status: 500 }));
  const { port } = new URL(server.url);
  const answer = await call(`http://flagger:secret@127.0.0.1:${port}/gate`, 3);
  const error = `POST http://flagger:xxxxx@127.0.0.1:${port}/gate giving up after 4 attempt(s)`;
  expect(answer).toEqual({ isPassed: false, error });
  expect(waits).toEqual([1_000, 2_000, 4_000]);
});

it("waits as long as it is told", async () => {
  server.answer(() => ({ status: 429, headers: { "retry-after": "7" } }));
  await call(`${server.url}/gate`, 1);
  expect(waits).toEqual([7_000]);
});

it("passes when a retry passes", async () => {
  server.answer(() => ({ status: server.requests.length === 1 ? 503 : 200 }));
  expect(await call(`${server.url}/gate`, 1)).toEqual({ isPassed: true });
});

it("says why there is no answer", async () => {
  const refused = await call("http://127.0.0.1:2/gate");
  const url = "http://127.0.0.1:2/gate";
  const cause = "dial tcp 127.0.0.1:2: connect: connection refused";
  const error = `POST ${url} giving up after 1 attempt(s): Post "${url}": ${cause}`;
  expect(refused).toEqual({ isPassed: false, error });
});

it("follows no more than ten redirects, and does not try again", async () => {
  server.answer(() => ({ status: 302, headers: { location: "/again" } }));
  const answer = await call(`${server.url}/gate`, 2);
  expect(answer).toMatchObject({ isPassed: false, error: expect.stringContaining("stopped after 10 redirects") });
  expect(waits).toEqual([]);
});

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { callAsFlagger } from "./flagger-client.ts";

const Response = z.object({
  status: z.number().optional(),
  location: z.string().optional(),
  finalStatus: z.number().optional(),
  retryAfter: z.string().optional(),
  connectionRefused: z.boolean().optional(),
  tlsVerificationError: z.boolean().optional(),
});
const Case = z.object({
  id: z.string(),
  response: Response,
  flaggerReadsAs: z.enum(["pass", "fail"]),
  retriedWhenRetriesSet: z.boolean(),
  bodyReachesEvent: z.boolean(),
});
const file = join(import.meta.dirname, "fixtures/conformance/flagger-cases.json");
const { webhookResponses: cases } = z
  .object({ webhookResponses: z.array(Case) })
  .parse(JSON.parse(readFileSync(file, "utf8")));

const payload = { name: "podinfo", namespace: "test", phase: "Progressing", checksum: "c1" };
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function serve(listener: RequestListener, tls?: { key: string; cert: string }): Promise<string> {
  const server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `${tls === undefined ? "http" : "https"}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Makes a self-signed certificate, which no client trusts. */
function selfSigned(): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-certificate-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key, "-out", cert];
  execFileSync("openssl", ["req", "-x509", "-subj", "/CN=localhost", "-days", "1", ...made], { stdio: "ignore" });
  const pair = { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  rmSync(folder, { recursive: true });
  return pair;
}

async function urlOf({ status = 200, location, finalStatus, retryAfter, ...other }: z.infer<typeof Response>) {
  if (other.connectionRefused === true) return "http://127.0.0.1:1/gate";
  const listener: RequestListener = (request, response) => {
    request.resume();
    const isFinal = request.url === location;
    const headers = {
      ...(location === undefined || isFinal ? {} : { location }),
      ...(retryAfter === undefined ? {} : { "retry-after": retryAfter }),
    };
    response.writeHead(isFinal ? (finalStatus ?? 200) : status, headers).end("why");
  };
  return `${await serve(listener, other.tlsVerificationError === true ? selfSigned() : undefined)}/gate`;
}

describe("webhookResponses", () => {
  it.each(cases)("$id: $response.status is a $flaggerReadsAs", async (given) => {
    const url = await urlOf(given.response);
    const waits: number[] = [];
    const wait = async (ms: number) => void waits.push(ms);
    const once = await callAsFlagger({ url }, payload);
    expect(once).toMatchObject({ passes: given.flaggerReadsAs === "pass", attempts: 1 });
    expect(once.bodyReachesEvent).toBe(given.bodyReachesEvent);
    const retried = await callAsFlagger({ url, retries: 2 }, payload, wait);
    expect(retried.attempts).toBe(given.retriedWhenRetriesSet ? 3 : 1);
    const first = Number(given.response.retryAfter ?? 1) * 1000;
    const later = given.response.retryAfter === undefined ? 2000 : first;
    expect(waits).toEqual(given.retriedWhenRetriesSet ? [first, later] : []);
  });
});

describe("a call as Flagger makes it", () => {
  it.each([
    [301, "GET"],
    [302, "GET"],
    [303, "GET"],
    [307, "POST"],
    [308, "POST"],
  ])("follows %i with %s, and passes on the page that is there", async (status, method) => {
    const seen: string[] = [];
    const url = await serve((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      request.resume();
      if (request.url === "/signin") response.end("<html>");
      else response.writeHead(status, { location: "/signin" }).end();
    });
    expect(await callAsFlagger({ url: `${url}/gate` }, payload)).toMatchObject({ passes: true, status: 200 });
    expect(seen).toEqual(["POST /gate", `${method} /signin`]);
  });

  it("sends JSON as Go's client, and user and password of the URL", async () => {
    const refusing = await serve(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      response.writeHead(403).end(JSON.stringify({ body, headers: request.headers }));
    });
    const { error } = await callAsFlagger({ url: refusing.replace("//", "//me:s%3Aecret@") }, payload);
    const { body, headers } = JSON.parse(error) as { body: string; headers: Record<string, string> };
    expect(JSON.parse(body)).toEqual(payload);
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": "Go-http-client/1.1",
      authorization: `Basic ${Buffer.from("me:s:ecret").toString("base64")}`,
    });
  });

  it("gives up on an attempt that takes too long, with the URL in the error and no password", async () => {
    const url = await serve(() => {});
    const outcome = await callAsFlagger({ url: `${url.replace("//", "//me:secret@")}/gate`, timeoutMs: 100 }, payload);
    expect(outcome).toMatchObject({ passes: false, status: undefined, attempts: 1, bodyReachesEvent: false });
    expect(outcome.error).toMatch(/^POST http:\/\/me:xxxxx@127\.0\.0\.1:\d+\/gate giving up after 1 attempt\(s\)$/);
  });

  it("does not follow for ever", async () => {
    const url = await serve((request, response) => {
      request.resume();
      response.writeHead(307, { location: "/gate" }).end();
    });
    expect(await callAsFlagger({ url, retries: 2 }, payload)).toMatchObject({ passes: false, attempts: 1 });
  });
});

import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { guardRawRequests } from "#lib/server/edge/http/guard-raw-requests.ts";
import { serveProbes } from "#lib/server/edge/recorder-process/run-recorder.ts";
import { createLoopMonitor } from "#lib/server/platform/telemetry/loop-monitor.ts";
import { createRecorderMetrics } from "#lib/server/recording/store/recorder-metrics.ts";

/** Node detaches the socket of a request that asks for an upgrade: whoever listens and forgets it keeps it for ever. */

const requests = 1000;
const atOnce = 100;

function upgradeRequest(path: string, protocol = "websocket", method = "GET"): string {
  return `${method} ${path} HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`;
}

/** Sends the text, ends, and returns the answer once the server has ended as well. */
async function send(server: Server, request: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.end(request);
  return text(socket);
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
  );
}

async function listen(server: Server): Promise<Server> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

/** Listens as Next does: what no route matches is left to a listener that the application may have. */
function forgetUpgrades(server: Server): void {
  for (const event of ["upgrade", "connect"]) server.on(event, (_request, socket) => socket.on("error", () => {}));
}

describe("the web server", () => {
  let server: Server;
  beforeAll(async () => {
    server = createServer((_request, response) => response.end("a page"));
    forgetUpgrades(server);
    await listen(server);
    // Next listens before it calls us.
    guardRawRequests(server);
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it.each([
    ["//x", 404],
    ["/\\x", 404],
    ["/docs//x", 404],
    ["/hooks//x", 404],
    ["/api//v1/me", 404],
    ["/inbox", 200],
  ])("answers a request for %s with %i, whatever protocol it would rather speak", async (path, status) => {
    for (const protocol of ["websocket", "h2c"])
      expect(await send(server, upgradeRequest(path, protocol))).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  it("keeps no socket of a thousand", async () => {
    for (let sent = 0; sent < requests; sent += atOnce) {
      const batch = Array.from({ length: atOnce }, (_, index) => send(server, upgradeRequest(`//${index}`)));
      expect((await Promise.all(batch)).every((answer) => answer.startsWith("HTTP/1.1 404 "))).toBe(true);
    }
    await expect.poll(() => countConnections(server)).toBe(0);
  });

  it("ends a connection that asks for a tunnel", async () => {
    await send(server, "CONNECT example:443 HTTP/1.1\r\nHost: example:443\r\n\r\n");
    await expect.poll(() => countConnections(server)).toBe(0);
  });

  it.each(["GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: h2c", "CONNECT h:1 HTTP/1.1\r\nHost: h"])(
    "refuses what a listener that was added later would keep: %s",
    async (head) => {
      const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
      await new Promise<void>((resolve) => server.once("connection", () => resolve()));
      forgetUpgrades(server);
      socket.end(`${head}\r\n\r\n`);
      expect(await text(socket)).toMatch(/^HTTP\/1.1 501 /);
      await expect.poll(() => countConnections(server)).toBe(0);
    },
  );
});

describe("the recorder's probes", () => {
  it("are answered as if no upgrade was asked for", async () => {
    const monitor = createLoopMonitor({ now: Date.now, onTurn: () => {} });
    const server = await serveProbes({
      host: "127.0.0.1",
      port: 0,
      monitor,
      metrics: createRecorderMetrics(),
      notReady: () => undefined,
      isPublic: false,
    });
    try {
      for (let sent = 0; sent < requests; sent += atOnce) {
        const batch = Array.from({ length: atOnce }, () => send(server, upgradeRequest("/livez", "h2c")));
        expect((await Promise.all(batch)).every((answer) => answer.startsWith("HTTP/1.1 200 "))).toBe(true);
      }
      await send(server, "CONNECT example:443 HTTP/1.1\r\nHost: example:443\r\n\r\n");
      await expect.poll(() => countConnections(server)).toBe(0);
    } finally {
      server.close();
    }
  });
});

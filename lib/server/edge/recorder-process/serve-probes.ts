import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Status } from "#lib/contract/system.ts";
import type { LoopMonitor } from "#lib/server/platform/telemetry/loop-monitor.ts";
import type { RecorderMetrics } from "#lib/server/recording/store/recorder-metrics.ts";

export type ProbeOptions = {
  host: string;
  port: number;
  monitor: LoopMonitor;
  metrics: RecorderMetrics;
  /** Why a restart would help, apart from a stuck loop: a bad config, if the config asks for that. */
  /** Why the recorder is not ready; undefined if it is. */
  notReady(): string | undefined;
  /** Answers from memory, without waiting. */
  status?(): Status;
  /** Whether metrics and status are public, or only for this machine. Read at each request. */
  readonly isPublic: boolean;
};

/**
 * Serves `/livez` (503 when a loop of ours is stuck: a restart would help), `/readyz` (503 without database), `/status`
 * and `/metrics`. Clusters affect neither probe. Rejects with one line if the address cannot be used.
 */
export async function serveProbes(options: ProbeOptions): Promise<Server> {
  const server = createServer((request, response) => {
    answer(options, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        new Error(
          `the recorder cannot listen on ${options.host}:${options.port} (${error.code ?? error.message}): set recorder.host and recorder.port in the config`,
        ),
      ),
    );
    server.listen(options.port, options.host, resolve);
  });
  return server;
}

async function answer(options: ProbeOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? "").split("?")[0];
  const send = (status: number, text: string, type = "text/plain; charset=utf-8"): void => {
    response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(text);
  };
  const mayReadAll = options.isPublic || isLoopback(request.socket.remoteAddress);
  if (request.method !== "GET" && request.method !== "HEAD") return send(405, "method not allowed\n");
  if (path === "/livez") {
    const stuck = options.monitor.findStuck();
    return stuck.length === 0 ? send(200, "ok\n") : send(503, `stuck: ${stuck.join(", ")}\n`);
  }
  if (path === "/readyz") {
    const reason = options.notReady();
    return reason === undefined ? send(200, "ok\n") : send(503, `${reason}\n`);
  }
  if (path === "/status" && options.status !== undefined) {
    const status = mayReadAll ? options.status() : { ready: options.notReady() === undefined };
    return send(200, JSON.stringify(status), "application/json");
  }
  if (path !== "/metrics") return send(404, "not found\n");
  if (!mayReadAll) return send(403, "metrics are open to this machine only: set probes.public in the config\n");
  const { registry } = options.metrics;
  send(200, await registry.metrics(), registry.contentType);
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(::1|(::ffff:)?127\.)/.test(address);
}

import { createServer } from "node:http";
import { parseListen, type RealTarget } from "./real-target.ts";

/** The metrics that the controllers read; a story sets a value by name; an unset value is 1. */
export type RealMetrics = {
  set(name: string, value: unknown): Promise<void>;
  /** Returns the URL for a template's web provider, with `$.data` as its path. */
  urlOf(name: string): string;
  /** The address of a Prometheus whose query `NAME` returns the value of that name. */
  prometheus: string;
  close(): Promise<void>;
};

/** Connects to the server that the environment names, or starts one of ours with the same interface. */
export async function connectMetrics(target: RealTarget): Promise<RealMetrics> {
  if (target.metricsUrl === undefined) return serveMetrics(target);
  const base = target.metricsUrl.replace(/\/+$/, "");
  return {
    async set(name, value) {
      const answer = await fetch(`${base}/set/${name}`, { method: "POST", body: JSON.stringify(value) });
      if (!answer.ok) throw new Error(`the metrics server at ${base} answered ${answer.status}`);
    },
    urlOf: (name) => `${base}/v/${name}`,
    prometheus: base,
    close: async () => {},
  };
}

async function serveMetrics({ metricsListen, metricsReachedAt }: RealTarget): Promise<RealMetrics> {
  const values = new Map<string, unknown>();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://metrics");
    const isQuery = pathname === "/api/v1/query";
    const name = isQuery ? searchParams.get("query") : /^\/v\/([^/]+)$/.exec(pathname)?.[1];
    const value = values.get(name ?? "") ?? 1;
    response.writeHead(name ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(isQuery ? promAnswer(value) : { data: value }));
  });
  const { host, port } = parseListen(metricsListen);
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
  return {
    set: async (name, value) => {
      values.set(name, value);
    },
    urlOf: (name) => `${metricsReachedAt}/v/${name}`,
    prometheus: metricsReachedAt ?? "",
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function promAnswer(value: unknown): unknown {
  const result = [{ metric: {}, value: [Date.now() / 1000, String(value)] }];
  return { status: "success", data: { resultType: "vector", result } };
}

import { createServer } from "node:http";
import type { RealTarget } from "./real-target.ts";

/** What the controllers measure; a story sets the value of a name; an unset value is 1. */
export type RealMetrics = {
  set(name: string, value: unknown): Promise<void>;
  /** Returns the URL for a template's web provider, with `$.data` as its path. */
  urlOf(name: string): string;
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
    close: async () => {},
  };
}

async function serveMetrics({ metricsListen, metricsReachedAt }: RealTarget): Promise<RealMetrics> {
  const values = new Map<string, unknown>();
  const server = createServer((request, response) => {
    const name = /^\/v\/([^/?]+)/.exec(request.url ?? "")?.[1];
    response.writeHead(name === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify({ data: values.get(name ?? "") ?? 1 }));
  });
  const [host = "127.0.0.1", port = "0"] = metricsListen.split(/:(?=\d+$)/);
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(Number(port), host, resolve));
  return {
    set: async (name, value) => {
      values.set(name, value);
    },
    urlOf: (name) => `${metricsReachedAt}/v/${name}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

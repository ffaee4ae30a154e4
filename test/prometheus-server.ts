import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export type SampledSeries = { name: string; labels: Record<string, string>; values: [ms: number, value: string][] };

export type PrometheusServer = {
  url: string;
  /** What it has scraped. */
  series: SampledSeries[];
  /** The queries that it was asked, with the bearer token. */
  asked: { query: string; token: string | undefined }[];
  /** Answers this instead, if it is set. */
  instead: { status: number; body: string } | undefined;
  close(): Promise<void>;
};

/** Serves the part of Prometheus' HTTP API that reads raw samples, whatever their age. */
export async function startPrometheus(): Promise<PrometheusServer> {
  const prometheus: Omit<PrometheusServer, "url" | "close"> = { series: [], asked: [], instead: undefined };
  const server = createServer((request: IncomingMessage, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://prometheus");
    const query = searchParams.get("query") ?? "";
    prometheus.asked.push({ query, token: request.headers.authorization });
    const found = prometheus.instead ?? answer(prometheus.series, { pathname, query });
    response.writeHead(found.status, { "content-type": "application/json" }).end(found.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(prometheus, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  });
}

function answer(series: readonly SampledSeries[], { pathname, query }: { pathname: string; query: string }) {
  const asked = /^([a-z_]*)(?:\{([^{}]*)\})?\[\d+s\]$/.exec(query);
  if (pathname !== "/api/v1/query" || asked === null)
    return { status: 400, body: JSON.stringify({ status: "error", errorType: "bad_data", error: "parse error" }) };
  const result = series
    .filter((each) => isAsked(each, asked))
    .map(({ name, labels, values }) => ({
      metric: { __name__: name, ...labels },
      values: values.map(([ms, value]) => [ms / 1000, value]),
    }));
  return { status: 200, body: JSON.stringify({ status: "success", data: { resultType: "matrix", result } }) };
}

/** Applies the matchers `=` to `job` and `instance`, and `=~` to the name. */
function isAsked({ name, labels }: SampledSeries, [, wanted, matchers = ""]: RegExpExecArray): boolean {
  if (wanted !== "") return name === wanted;
  return [...matchers.matchAll(/(job|instance|__name__)=~?"([^"]*)"/g)].every(([, label = "", value = ""]) =>
    label === "__name__" ? new RegExp(`^(?:${value})$`).test(name) : labels[label] === value,
  );
}

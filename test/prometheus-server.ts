import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** `stale` is the marker that Prometheus stores when a target vanishes or does not answer: the series ended there. */
export type SampledSeries = { name: string; labels: Record<string, string>; values: [ms: number, value: string][] };

export type PrometheusServer = {
  url: string;
  /** The scraped series. */
  series: SampledSeries[];
  /** The queries that it was asked, with the bearer token. */
  asked: { query: string; token: string | undefined }[];
  /** Answers this instead, if it is set. */
  instead: { status: number; body: string } | undefined;
  close(): Promise<void>;
};

/**
 * Serves the part of Prometheus' HTTP API that Gatehouse uses: raw samples of any age, and instant queries that
 * aggregate the live series (seen on Prometheus 2.42).
 */
export async function startPrometheus(): Promise<PrometheusServer> {
  const prometheus: Omit<PrometheusServer, "url" | "close"> = { series: [], asked: [], instead: undefined };
  const server = createServer(async (request: IncomingMessage, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://prometheus");
    const form = request.method === "POST" ? new URLSearchParams(await text(request)) : searchParams;
    const query = form.get("query") ?? "";
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
  const data = pathname === "/api/v1/query" ? (evaluateRange(series, query) ?? evaluateNow(series, query)) : undefined;
  return data === undefined
    ? { status: 400, body: JSON.stringify({ status: "error", errorType: "bad_data", error: "parse error" }) }
    : { status: 200, body: JSON.stringify({ status: "success", data }) };
}

function evaluateRange(series: readonly SampledSeries[], query: string) {
  const asked = /^([a-z_]*)(?:\{([^{}]*)\})?\[\d+s\]$/.exec(query);
  if (asked === null) return undefined;
  const result = series
    .filter((each) => isAsked(each, asked))
    .map(({ name, labels, values }) => ({
      metric: { __name__: name, ...labels },
      values: values.filter(([, value]) => value !== "stale").map(([ms, value]) => [ms / 1000, value]),
    }));
  return { resultType: "matrix", result };
}

const lookBackMs = 300_000;
const folds: Readonly<Record<string, (one: number, other: number) => number>> = {
  min: Math.min,
  max: Math.max,
  sum: (one, other) => one + other,
};

/** Evaluates `sum by (labels) (selector)`, also with `min` and `max`, and of the age of the samples. */
function evaluateNow(series: readonly SampledSeries[], query: string) {
  const parsed = /^(min|max|sum) by \(([\w, ]*)\) \((time\(\) - timestamp\()?([a-z_]*)(?:\{(.*)\})?\)?\)$/.exec(query);
  if (parsed === null) return undefined;
  const [, fold = "", by = "", age, ...asked] = parsed;
  const now = Date.now();
  const found = new Map<string, { metric: Record<string, string>; value: number }>();
  for (const each of series.filter((candidate) => isAsked(candidate, ["", ...asked]))) {
    const last = each.values.findLast(([ms]) => ms <= now);
    // Leaves out series that have ended or are too old.
    if (last === undefined || last[1] === "stale" || now - last[0] > lookBackMs) continue;
    const all: Record<string, string> = { __name__: each.name, ...each.labels };
    const metric = Object.fromEntries(by.split(", ").flatMap((name) => (all[name] ? [[name, all[name]]] : [])));
    const value = age === undefined ? Number(last[1]) : (now - last[0]) / 1000;
    const key = JSON.stringify(metric);
    const before = found.get(key);
    found.set(key, { metric, value: before === undefined ? value : (folds[fold]?.(before.value, value) ?? 0) });
  }
  const result = [...found.values()].map(({ metric, value }) => ({ metric, value: [now / 1000, String(value)] }));
  return { resultType: "vector", result };
}

/** Applies the matchers to `job`, `instance` and the name. */
function isAsked({ name, labels }: SampledSeries, [, wanted, matchers = ""]: readonly (string | undefined)[]): boolean {
  if (wanted !== "" && name !== wanted) return false;
  return [...matchers.matchAll(/(job|instance|__name__)(=~?)"((?:[^"\\]|\\.)*)"/g)].every(
    ([, label = "", operator, escaped = ""]) => {
      const own = label === "__name__" ? name : (labels[label] ?? "");
      const value = JSON.parse(`"${escaped}"`) as string;
      return operator === "=" ? own === value : new RegExp(`^(?:${value})$`).test(own);
    },
  );
}

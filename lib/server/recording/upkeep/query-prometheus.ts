import { readFile } from "node:fs/promises";
import { Agent, request } from "undici";
import { z } from "zod";
import type { MetricSeries } from "#lib/domain/delivery/sampling.ts";
import type { PrometheusConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { parseJson } from "#lib/util/json.ts";

const timeoutMs = 10_000;
const maxBytes = 32 * 1024 * 1024;

const Labels = z.record(z.string(), z.string());
const Sample = z.tuple([z.number(), z.string()]);

/** The answer to a range selector: https://prometheus.io/docs/prometheus/latest/querying/api, `matrix`. */
const Matrix = answerOf("matrix", z.object({ metric: Labels, values: z.array(Sample) }));
/** The answer to an instant query: the same page, `vector`. */
const Vector = answerOf("vector", z.object({ metric: Labels, value: Sample }));

function answerOf<Kind extends string, Series extends z.ZodType>(kind: Kind, series: Series) {
  return z.object({
    status: z.literal("success"),
    data: z.object({ resultType: z.literal(kind), result: z.array(series) }),
  });
}

const answerCode = "PROMETHEUS_ANSWER";

/** Prometheus answered, but not with the requested data. `status` is the HTTP status. */
type AnswerError = Error & { code: typeof answerCode; status: number };

function answerError(status: number, message: string): AnswerError {
  return Object.assign(new Error(message), { code: answerCode, status } as const);
}

/** Returns the error if Prometheus answered, but not with the requested data. */
export function readAnswerError(error: unknown): Pick<AnswerError, "status" | "message"> | undefined {
  return error instanceof Error && "code" in error && error.code === answerCode ? (error as AnswerError) : undefined;
}

type Query = { prometheus: PrometheusConfig; signal: AbortSignal };
/** Sends one query and returns the parsed answer. `what`: names the query in errors. */
type Ask = (query: string, what: string) => Promise<unknown>;

/**
 * Reads the raw samples of some series over the last `seconds`, with the times at which they were scraped. Values that
 * are no finite number are left out. Throws if Prometheus does not answer in 10 s, redirects, refuses, or answers
 * something else.
 */
export async function queryPrometheus({
  names,
  seconds,
  ...query
}: Query & { names: readonly string[]; seconds: number }): Promise<MetricSeries[]> {
  const { matchers } = query.prometheus;
  const selector = matchers.length === 0 ? "" : `{${matchers.join(",")}}`;
  return withPrometheus({ ...query, method: "GET" }, async (ask) => {
    const found: MetricSeries[] = [];
    for (const name of names) {
      const parsed = Matrix.safeParse(await ask(`${name}${selector}[${seconds}s]`, name));
      if (!parsed.success)
        throw answerError(200, `Prometheus answered the query of ${name} with something else than a matrix`);
      found.push(...parsed.data.data.result.map(({ metric, values }) => toSeries(name, metric, values)));
    }
    return found;
  });
}

function toSeries(name: string, labels: Record<string, string>, values: readonly [number, string][]): MetricSeries {
  const points = values
    .map(([second, value]) => ({ at: new Date(second * 1000).toISOString(), value: Number(value) }))
    .filter(({ value }) => Number.isFinite(value));
  return { name, labels, points };
}

export type InstantValue = { labels: Readonly<Record<string, string>>; value: number };

/**
 * Calls `use` with a function that evaluates a query in PromQL now: Prometheus leaves out series that ended or are
 * older than five minutes. Values that are no finite number are left out. Fails as `queryPrometheus` does.
 */
export async function withInstantQueries<R>(
  query: Query,
  use: (evaluate: (text: string, what: string) => Promise<InstantValue[]>) => Promise<R>,
): Promise<R> {
  // A query with many names and targets may be longer than an address may be.
  return withPrometheus({ ...query, method: "POST" }, (ask) =>
    use(async (text, what) => {
      const parsed = Vector.safeParse(await ask(text, what));
      if (!parsed.success)
        throw answerError(200, `Prometheus answered the query of ${what} with something else than a vector`);
      return parsed.data.data.result
        .map(({ metric, value: [, value] }) => ({ labels: metric, value: Number(value) }))
        .filter(({ value }) => Number.isFinite(value));
    }),
  );
}

async function withPrometheus<R>(
  { prometheus, signal, method }: Query & { method: "GET" | "POST" },
  use: (ask: Ask) => Promise<R>,
): Promise<R> {
  const { url, tokenFile, caFile } = prometheus;
  const dispatcher = new Agent({
    connect: caFile === undefined ? {} : { ca: await readFile(caFile, "utf8") },
    maxResponseSize: maxBytes,
  });
  try {
    const token = tokenFile === undefined ? undefined : (await readFile(tokenFile, "utf8")).trim();
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return await use(async (query, what) => {
      const address = `${url.replace(/(?<!\/)\/+$/, "")}/api/v1/query`;
      const form = new URLSearchParams({ query }).toString();
      const response = await request(method === "POST" ? address : `${address}?${form}`, {
        dispatcher,
        method,
        ...(method === "POST" ? { body: form } : {}),
        headers: {
          accept: "application/json",
          ...(method === "POST" ? { "content-type": "application/x-www-form-urlencoded" } : {}),
          ...authorization,
        },
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      const text = await response.body.text();
      if (response.statusCode !== 200)
        throw answerError(response.statusCode, `Prometheus answered ${response.statusCode} to the query of ${what}`);
      return parseJson(text);
    });
  } finally {
    await dispatcher.close();
  }
}

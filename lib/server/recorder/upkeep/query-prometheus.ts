import { readFile } from "node:fs/promises";
import { Agent, request } from "undici";
import { z } from "zod";
import type { MetricSeries } from "#lib/domain/delivery/sampling.ts";
import type { PrometheusConfig } from "#lib/server/config/config-schema.ts";

const timeoutMs = 10_000;
const maxBytes = 32 * 1024 * 1024;

/** The answer to a range selector: https://prometheus.io/docs/prometheus/latest/querying/api, `matrix`. */
const Answer = z.object({
  status: z.literal("success"),
  data: z.object({
    resultType: z.literal("matrix"),
    result: z.array(
      z.object({
        metric: z.record(z.string(), z.string()),
        values: z.array(z.tuple([z.number(), z.string()])),
      }),
    ),
  }),
});

/**
 * Reads the raw samples of some series over the last `seconds`, with the times at which they were scraped. What is no
 * number is left out. `only`: further matchers, in PromQL. Throws if Prometheus does not answer in 10 s, redirects,
 * refuses, or answers something else.
 */
export async function queryPrometheus({
  prometheus,
  names,
  only = [],
  seconds,
  signal,
}: {
  prometheus: PrometheusConfig;
  names: readonly string[];
  only?: readonly string[];
  seconds: number;
  signal: AbortSignal;
}): Promise<MetricSeries[]> {
  const { url, tokenFile, caFile } = prometheus;
  const matchers = [...prometheus.matchers, ...only];
  const selector = matchers.length === 0 ? "" : `{${matchers.join(",")}}`;
  const dispatcher = new Agent({
    connect: caFile === undefined ? {} : { ca: await readFile(caFile, "utf8") },
    maxResponseSize: maxBytes,
  });
  try {
    const token = tokenFile === undefined ? undefined : (await readFile(tokenFile, "utf8")).trim();
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const found: MetricSeries[] = [];
    for (const name of names) {
      const query = new URLSearchParams({ query: `${name}${selector}[${seconds}s]` });
      const response = await request(`${url.replace(/\/+$/, "")}/api/v1/query?${query}`, {
        dispatcher,
        headers: { accept: "application/json", ...authorization },
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      found.push(...readAnswer(name, { status: response.statusCode, text: await response.body.text() }));
    }
    return found;
  } finally {
    await dispatcher.close();
  }
}

function readAnswer(name: string, { status, text }: { status: number; text: string }): MetricSeries[] {
  if (status !== 200) throw new Error(`Prometheus answered ${status} to the query of ${name}`);
  const parsed = Answer.safeParse(parseJson(text));
  if (!parsed.success) throw new Error(`Prometheus answered the query of ${name} with something else than a matrix`);
  return parsed.data.data.result.map(({ metric, values }) => ({
    name,
    labels: metric,
    points: values
      .map(([second, value]) => ({ at: new Date(second * 1000).toISOString(), value: Number(value) }))
      .filter(({ value }) => Number.isFinite(value)),
  }));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

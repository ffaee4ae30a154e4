import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import { readSeriesFacts } from "./read-series-facts.ts";
import { fillRolloutSeries } from "./rollout-series.ts";

/** Several scrapers, or one that repeats itself, share an answer. */
const keptMs = 5000;

type SeriesText = { text: string; contentType: string };
type Answer = { at: number; series: Promise<SeriesText> };
type Kept = Map<string, Answer>;

const kept = new WeakMap<ServiceContext["runtime"], Kept>();

/**
 * Answers Prometheus series about the rollouts that the caller may read. Callers with the same rights get the same
 * answer for some seconds, so that any number of them costs the database no more than one.
 */
export async function getRolloutSeries({ ctx }: Call<unknown>): Promise<SeriesText> {
  const answers = kept.get(ctx.runtime) ?? new Map<string, Answer>();
  kept.set(ctx.runtime, answers);
  const now = performance.now();
  for (const [key, { at }] of answers) if (now - at > keptMs) answers.delete(key);
  const key = JSON.stringify(ctx.actor.rights);
  const answer = answers.get(key) ?? { at: now, series: write(ctx) };
  answers.set(key, answer);
  try {
    return await answer.series;
  } catch (error) {
    answers.delete(key);
    throw error;
  }
}

async function write(ctx: ServiceContext): Promise<SeriesText> {
  const series = fillRolloutSeries(await readSeriesFacts(ctx));
  return { text: await series.metrics(), contentType: series.contentType };
}

import type { ShownState } from "#components/ui/classify-state.ts";
import type { Controller, ControllerReading } from "#lib/contract/controller.ts";
import { formatCountOf, formatList } from "#lib/util/words.ts";

const states: Record<Controller["state"], ShownState> = {
  up: { state: "successful", word: "Up" },
  unwell: { state: "error", word: "Unhealthy" },
  down: { state: "failed", word: "Down" },
  unknown: { state: "unknown", word: "Unknown" },
};

export function classifyController(state: Controller["state"]): ShownState {
  return states[state];
}

const worstFirst: readonly Controller["state"][] = ["down", "unwell", "unknown", "up"];

/** Summarises controllers: "All 5 controllers are up.", "Of 5 controllers, 1 is down and 4 are up." */
export function sumControllers(controllers: readonly Pick<Controller, "state">[]): string {
  const counts = worstFirst
    .map((state) => ({ state, count: controllers.filter((each) => each.state === state).length }))
    .filter(({ count }) => count > 0)
    .map(({ state, count }) => ({ count, words: `${count === 1 ? "is" : "are"} ${states[state].word.toLowerCase()}` }));
  const [first, ...others] = counts;
  if (first === undefined || others.length > 0)
    return `Of ${formatCountOf(controllers.length, "controller")}, ${formatList(counts.map(({ count, words }) => `${count} ${words}`))}.`;
  return first.count === 1 ? `The only controller ${first.words}.` : `All ${first.count} controllers ${first.words}.`;
}

type Described = Pick<Controller, "reason" | "via" | "error" | "probe" | "consecutiveFailures" | "component">;

/** Says why a controller is in its state, and what to do if something is to be done. */
export function describeController({ reason, via, error, probe, consecutiveFailures, component }: Described): {
  meaning: string;
  todo?: string;
} {
  switch (reason) {
    case "answers":
      return { meaning: via === "prometheus" ? "Its metrics in Prometheus are up to date." : "Metrics OK." };
    case "pods-ready":
      return { meaning: "Its pods are ready. Its metrics are not read.", todo: configureHint(component) };
    case "probe-failing":
      return { meaning: `Metrics OK, but ${probe?.message ?? "its probe fails"}.` };
    case "not-answering":
      return { meaning: `${consecutiveFailures} scrapes in a row failed: ${error?.message ?? "reason unknown"}.` };
    case "no-pods":
      return { meaning: "None of its pods is ready." };
    case "scaled-down":
      return { meaning: "It is scaled to 0." };
    case "one-failure":
      return { meaning: `The last scrape failed: ${error?.message ?? "reason unknown"}. Waiting for the next one.` };
    case "not-in-prometheus":
      return { meaning: "Prometheus no longer receives its metrics." };
    case "prometheus-silent":
      return {
        meaning: `Unknown: Prometheus cannot be queried (${error?.message ?? "reason unknown"}).`,
        todo: "Check Prometheus and clusters[].controllers.prometheus; this controller may be fine.",
      };
    case "no-credentials":
      return {
        meaning: `Unknown: ${error?.message ?? "Gatehouse has no credentials"}.`,
        todo: "Check tokenFile and caFile of its entry in clusters[].controllers.endpoints.",
      };
    case "denied":
      return {
        meaning: `Unknown: ${error?.message ?? "the endpoint refuses Gatehouse"}.`,
        todo: "Check the token that tokenFile of its entry in clusters[].controllers.endpoints names.",
      };
    case "not-asked":
      return { meaning: "It was not scraped recently.", todo: "Check that a recorder runs." };
    case "not-configured":
      return { meaning: "Unknown.", todo: configureHint(component) };
  }
}

function configureHint(component: string): string {
  return `Add an endpoint with component: ${component} to clusters[].controllers.endpoints to see its health.`;
}

/** Formats a number of the given unit; at most three digits matter. */
export function formatValue(value: number, unit: string): string {
  if (unit === "seconds") return value < 1 ? `${trim(value * 1000)} ms` : `${trim(value)} s`;
  if (unit === "bytes")
    return value < 1e6
      ? `${trim(value / 1e3)} kB`
      : value < 1e9
        ? `${trim(value / 1e6)} MB`
        : `${trim(value / 1e9)} GB`;
  return trim(value);
}

function trim(value: number): string {
  // Not "-0", which an axis may begin with.
  if (value === 0) return "0";
  if (Number.isInteger(value) || Math.abs(value) >= 10_000) return Math.round(value).toLocaleString("en-US");
  if (Math.abs(value) >= 100) return (Math.round(value * 10) / 10).toLocaleString("en-US");
  return String(Number(value.toPrecision(2)));
}

/** Shown for whatever a controller does not report: the foot of the list explains it. */
export const notReported = "not reported";

/** Formats a reading. What is absent is never 0. `suffix`: follows a number. */
export function formatReading(reading: ControllerReading | null, suffix = ""): string {
  if (reading?.presence === "none-yet") return "none yet";
  if (reading?.presence !== "present" || reading.value === null) return notReported;
  return `${formatValue(reading.value, reading.unit)}${suffix}`;
}

type Quantile = { value: number; from: number; to: number | null };

/** Formats an estimated percentile, and the bucket that it is in: all that a histogram knows. */
export function formatQuantile({ value, from, to }: Quantile): { text: string; bucket: string | undefined } {
  if (to === null) return { text: `over ${formatValue(from, "seconds")}`, bucket: undefined };
  return {
    // The buckets know no more than two digits.
    text: `about ${formatValue(Number(value.toPrecision(2)), "seconds")}`,
    bucket: `${formatValue(from, "seconds")} to ${formatValue(to, "seconds")}`,
  };
}

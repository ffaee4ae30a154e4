/** A metric with its samples, as a Prometheus client library exposes it. */
export type MetricFamily = {
  name: string;
  help: string;
  type: "counter" | "gauge" | "histogram";
  samples: { suffix?: string; labels?: Record<string, string>; value: number }[];
};

/** Writes the text format 0.0.4. A metric without samples is left out, as client_golang does for a vector. */
export function writeExposition(families: readonly MetricFamily[]): string {
  return families
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, type, samples }) => {
      const lines = samples.map(({ suffix = "", labels = {}, value }) => {
        const pairs = Object.entries(labels).map(([label, text]) => `${label}=${JSON.stringify(text)}`);
        return `${name}${suffix}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${formatValue(value)}`;
      });
      return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ""].join("\n");
    })
    .join("");
}

function formatValue(value: number): string {
  return value === Number.POSITIVE_INFINITY ? "+Inf" : String(value);
}

/** What every Go process exposes about itself. */
export function processFamilies(startedAtMs: number): MetricFamily[] {
  const gauge = (name: string, help: string, value: number): MetricFamily => ({
    ...{ name, help, type: "gauge" },
    samples: [{ value }],
  });
  return [
    gauge("process_start_time_seconds", "Start time of the process since unix epoch in seconds.", startedAtMs / 1000),
    gauge("process_resident_memory_bytes", "Resident memory size in bytes.", process.memoryUsage.rss()),
  ];
}

export type Histogram = { observe(seconds: number): void; family(): MetricFamily };

/** Counts observations in buckets. */
export function createHistogram(name: string, help: string, buckets: readonly number[]): Histogram {
  const counts = buckets.map(() => 0);
  let sum = 0;
  let count = 0;
  return {
    observe(seconds) {
      for (const [index, bound] of buckets.entries()) if (seconds <= bound) counts[index] = (counts[index] ?? 0) + 1;
      sum += seconds;
      count++;
    },
    family: () => ({
      ...{ name, help, type: "histogram" },
      samples:
        count === 0
          ? []
          : [
              ...buckets.map((bound, index) => ({
                suffix: "_bucket",
                labels: { le: String(bound) },
                value: counts[index] ?? 0,
              })),
              { suffix: "_bucket", labels: { le: "+Inf" }, value: count },
              { suffix: "_sum", value: sum },
              { suffix: "_count", value: count },
            ],
    }),
  };
}

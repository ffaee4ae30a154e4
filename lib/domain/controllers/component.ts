/** The unit of a series, which sets how its values are shown. `time` is in seconds since 1970. */
export type SeriesUnit = "count" | "seconds" | "bytes" | "time";

/** A series that is kept of a component's metrics. Labels other than `by` are folded. */
export type SeriesSpec = {
  /** Stored with each sample; never changes its meaning. */
  key: string;
  label: string;
  /** Names of the metrics; if several are there, their values are added up. */
  metrics: readonly string[];
  kind: "gauge" | "counter" | "histogram";
  unit: SeriesUnit;
  by?: readonly string[];
  /** Only samples with a label that matches. */
  where?: { label: string; matches: RegExp };
  /**
   * How values with the same labels become one; they are added up if it is absent. `newest`: of several processes, that
   * of the one that began last. `apart`: each process has its own. Counters and histograms always are apart.
   */
  fold?: "max" | "newest" | "apart";
  /**
   * A counter with labels is exposed only after its first event. If this metric is there and the counter is not,
   * nothing was counted yet; without it, the counter is not available.
   */
  appearsWith?: string;
  /** Its place in the summary of a controller. */
  shows?: "errors" | "latency" | "depth";
};

/** A known defect of some versions of a controller. */
export type KnownDefect = {
  /** Lower-case words with dashes; never changes its meaning. */
  id: string;
  severity: "info" | "warning";
  /** One sentence without the controller's name and without a full stop. */
  title: string;
  /** The recommended remedy. */
  advice: string;
  /** Where the defect was reported, fixed or seen. */
  source: string;
};

/** A controller, or a part of one that runs by itself: the facts about its health, as data. */
export type Component = {
  /** In the config, in addresses and in stored rows. */
  name: string;
  label: string;
  /** Its purpose in a release, in a few words. */
  purpose: string;
  /** Names of its images without registry and tag. */
  images: readonly string[];
  /** Which tags are this component's, if its image has a name that others may have too. */
  imageTags?: RegExp;
  /** A metric that only this component has. Finds it in a Prometheus that scrapes many; absent if it has none. */
  identity?: string;
  /** The label of `identity` that holds the version. */
  versionLabel?: string;
  /** A metric whose value is the time of the version, in seconds since 1970: then the version is a date. */
  versionTime?: string;
  series: readonly SeriesSpec[];
  /** Keys of series that its rules look at for a whole day. */
  lookBack?: readonly string[];
  /** How to reach its metrics and its probe, for people who configure it. */
  reach: string;
  /** Empty for a version that is not known. */
  findDefects(version: string): KnownDefect[];
};

/**
 * Stored at every successful scrape: how long it took. Its times are those at which other series could have been seen.
 */
export const scrapeMark: SeriesSpec = {
  key: "scrape-duration",
  label: "Duration of a scrape",
  metrics: [],
  kind: "gauge",
  unit: "seconds",
};

/** When the process began; its points also give the times at which the process was scraped. */
export const processStart = "process-start";

/**
 * Names the process of a stored sample that a Prometheus had: its job and instance. No metric that is kept has such a
 * label. An endpoint is one process: its samples have none.
 */
export const targetLabel = "target";

/** Series that the Prometheus client libraries add to every process. */
export const processSeries: readonly SeriesSpec[] = [
  {
    ...{ key: processStart, label: "Started", metrics: ["process_start_time_seconds"] },
    ...{ kind: "gauge", unit: "time", fold: "apart" },
  },
  {
    ...{ key: "memory", label: "Resident memory", metrics: ["process_resident_memory_bytes"] },
    ...{ kind: "gauge", unit: "bytes" },
  },
];

/** The work queues of client-go (k8s.io/component-base/metrics/prometheus/workqueue). */
export const queueSeries: readonly SeriesSpec[] = [
  {
    ...{ key: "queue-depth", label: "Queue depth", metrics: ["workqueue_depth"] },
    ...{ kind: "gauge", unit: "count", by: ["name"], shows: "depth" },
  },
  {
    ...{ key: "queue-wait", label: "Time in the queue", metrics: ["workqueue_queue_duration_seconds"] },
    ...{ kind: "histogram", unit: "seconds" },
  },
  {
    ...{ key: "queue-retries", label: "Retries", metrics: ["workqueue_retries_total"] },
    ...{ kind: "counter", unit: "count" },
  },
];

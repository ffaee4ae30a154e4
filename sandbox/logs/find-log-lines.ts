import { fnv1a } from "#lib/util/fnv1a.ts";
import type { ApiStore } from "#sandbox/apiserver/store.ts";
import type { KubeObject } from "#sandbox/apiserver/store-types.ts";

/** `at`: as a container runtime writes it, to the nanosecond. */
export type LogLine = { at: string; text: string };

type Asking = {
  pod: KubeObject;
  container: string;
  instance: { fromMs: number; toMs: number | undefined; exitCode: number };
  trouble: readonly Trouble[];
  /** From and including. */
  fromMs: number;
  /** Excluding. */
  toMs: number;
  /** Only the newest lines are returned, at most this many. */
  most: number;
};

/**
 * Returns the lines that a container wrote in a time range. A line depends only on the container and its time, so
 * overlapping ranges contain the same lines.
 */
export function findLogLines({ pod, container, instance, trouble, fromMs, toMs, most }: Asking): LogLine[] {
  const seed = `${pod.metadata.uid}/${container}/${instance.fromMs}`;
  const everyMs = 350 + (fnv1a(seed) % 400);
  const endMs = instance.toMs;
  const facts = { app: appOf(pod), container, image: imageOf(pod, container) };
  const start = writeStart(facts).map((text, index) => ({ ms: instance.fromMs + 5 + index * 20, text }));
  const stop =
    endMs === undefined
      ? []
      : writeStop(facts, instance.exitCode).map((text, index) => ({ ms: endMs - 30 + index * 5, text }));
  const firstMs = instance.fromMs + 100;
  const last = Math.floor((Math.min(toMs, (endMs ?? toMs) - 40) - firstMs) / everyMs);
  // Each place writes a line or more. A pod may be weeks old.
  const first = Math.max(0, Math.floor((fromMs - firstMs) / everyMs) - 1, last - most - 1);
  const requests: { ms: number; text: string }[] = [];
  for (let place = first; place <= last && !isInit(pod, container); place++) {
    const dice = fnv1a(`${seed}/${place}`);
    const ms = firstMs + place * everyMs + (dice % everyMs);
    const bad = trouble.find((each) => ms >= each.fromMs && ms <= each.toMs);
    for (const text of writeRequest(facts, dice, bad?.metric)) requests.push({ ms, text });
  }
  return [...start, ...requests, ...stop]
    .filter(({ ms }) => ms >= fromMs && ms < toMs)
    .slice(most === 0 ? Number.POSITIVE_INFINITY : -most)
    .map(({ ms, text }, index) => ({ at: formatTime(ms, fnv1a(`${seed}${ms}`), index), text }));
}

function formatTime(ms: number, dice: number, index: number): string {
  const nanoseconds = String((dice % 899_000) + (index % 100) * 1000).padStart(6, "0");
  return `${new Date(ms).toISOString().slice(0, -1)}${nanoseconds}Z`;
}

function appOf({ metadata: { labels, name } }: KubeObject): string {
  return labels?.app ?? name;
}

type Container = { name: string; image?: string; restartPolicy?: string };

function imageOf({ spec }: KubeObject, name: string): string {
  const all = [...((spec?.containers ?? []) as Container[]), ...((spec?.initContainers ?? []) as Container[])];
  return all.find((container) => container.name === name)?.image ?? "";
}

function isInit({ spec }: KubeObject, name: string): boolean {
  return ((spec?.initContainers ?? []) as Container[]).some(
    (container) => container.name === name && container.restartPolicy !== "Always",
  );
}

/** A stretch of time in which a version fails more often than usual. */
type Trouble = { fromMs: number; toMs: number; metric: string };

const HASH_LABEL = "rollouts-pod-template-hash";
/** A measurement covers the time just before it. */
const BEFORE_MS = 2_200;
const AFTER_MS = 300;

type MetricResult = { name: string; measurements?: { phase?: string; finishedAt?: string }[] };

/**
 * Finds when the pods of a version misbehaved, from its failed and inconclusive measurements: the log at those times
 * then shows the reason.
 */
export function findLogTrouble(store: Pick<ApiStore, "list">, { metadata }: KubeObject): Trouble[] {
  const hash = metadata.labels?.[HASH_LABEL];
  if (hash === undefined) return [];
  const runs = store.list("analysisruns", metadata.namespace);
  return runs.filter((run) => run.metadata.labels?.[HASH_LABEL] === hash).flatMap(listTrouble);
}

function listTrouble(run: KubeObject): Trouble[] {
  const results = (run.status?.metricResults ?? []) as MetricResult[];
  return results.flatMap(({ name, measurements = [] }) =>
    measurements
      .filter(({ phase }) => phase === "Failed" || phase === "Inconclusive")
      .flatMap(({ finishedAt }) => {
        const ms = Date.parse(finishedAt ?? "");
        return Number.isNaN(ms) ? [] : [{ fromMs: ms - BEFORE_MS, toMs: ms + AFTER_MS, metric: name }];
      }),
  );
}

/** Whose log it is. */
type LogFacts = { app: string; container: string; image: string };

const PATHS = ["/v1/quote", "/v1/orders", "/v1/orders/8817", "/healthz", "/v1/search?q=lamp", "/v1/basket"];
const ESC = "\u001b";

/** Writes the lines that a container logs on start. */
function writeStart({ app, container, image }: LogFacts): string[] {
  const version = image.slice(image.lastIndexOf(":") + 1);
  if (container === "migrate")
    return ["connecting to database", "schema is at version 41", "nothing to migrate", "done in 212 ms"];
  if (container === "proxy")
    return [`[info] proxy ${version} starting`, "[info] 3 clusters added", "[info] all listeners ready"];
  return [
    `level=info msg="starting" app=${app} version=${version}`,
    'level=info msg="configuration loaded" file=/etc/app/config.yaml',
    'level=info msg="listening" addr=:8080',
  ];
}

/** Writes the last words of a container that has ended. */
function writeStop({ container }: LogFacts, exitCode: number): string[] {
  if (container === "migrate" || exitCode === 0) return [];
  return [
    "panic: runtime error: invalid memory address or nil pointer dereference",
    "[signal SIGSEGV: segmentation violation code=0x1 addr=0x18 pc=0x7d2c11]",
    "goroutine 211 [running]:",
    "main.(*pricer).quote(0x0, {0xc000412000, 0x1c})",
    "\t/src/pricer.go:118 +0x31",
  ];
}

/** Writes the lines about one request; `metric` is the one that it makes fail. */
function writeRequest({ container }: LogFacts, dice: number, metric: string | undefined): string[] {
  const path = PATHS[dice % PATHS.length] ?? "/";
  const trace = dice.toString(16).padStart(8, "0");
  const isBad = metric !== undefined ? dice % 10 < 7 : dice % 400 === 0;
  if (container === "proxy") return [writeProxyLine(path, trace, isBad)];
  if (!isBad) {
    const ms = 8 + (dice % 90);
    return [`level=info msg="request" method=GET path=${path} status=200 duration=${ms}ms trace=${trace}`];
  }
  if (metric !== undefined && /latency|duration/.test(metric))
    return [
      `level=warn msg="slow request" method=GET path=${path} status=200 duration=${700 + (dice % 900)}ms trace=${trace}`,
    ];
  return [
    `level=error msg="request failed" method=POST path=${path} status=503 duration=${1200 + (dice % 800)}ms trace=${trace}`,
    `level=error msg="call failed" upstream=inventory error="context deadline exceeded" trace=${trace}`,
  ];
}

/** The proxy colours its lines, as many programs do that think a person is watching. */
function writeProxyLine(path: string, trace: string, isBad: boolean): string {
  return isBad
    ? `${ESC}[31m[error]${ESC}[0m upstream reset "POST ${path}" 503 UF trace=${trace}`
    : `${ESC}[32m[info]${ESC}[0m "GET ${path}" 200 - trace=${trace}`;
}

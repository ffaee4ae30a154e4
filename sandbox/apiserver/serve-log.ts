import type { ServerResponse } from "node:http";
import { findLogLines, findLogTrouble, type LogLine } from "#sandbox/logs/find-log-lines.ts";
import type { ApiContext } from "./api-context.ts";
import { badRequest, invalid, notFound } from "./api-error.ts";
import type { Exchange } from "./exchange.ts";
import type { Resource } from "./resources.ts";
import type { KubeObject } from "./store-types.ts";

const FOLLOW_MS = 250;
/** A kubelet keeps about this much of a log: the older files are gone. */
const KEPT_LINES = 50_000;

type Container = { name: string };
type ContainerState = { running?: { startedAt?: string }; waiting?: { reason?: string }; terminated?: Ended };
type Ended = { startedAt?: string; finishedAt?: string; exitCode?: number };
type ContainerStatus = { name: string; state?: ContainerState; lastState?: ContainerState };
type Asked = { container: string; follow: boolean; previous: boolean; timestamps: boolean; tail: number | undefined };
/** One instance of a container; `toMs` is absent while it runs. */
type Instance = { fromMs: number; toMs: number | undefined; exitCode: number };

/**
 * Serves GET of /log as an API server with its kubelets does (pkg/registry/core/pod/strategy.go LogLocation and
 * pkg/kubelet/kubelet_pods.go of Kubernetes 1.33): text, from the running or the previous instance. Its headers come
 * with the first line.
 */
export function serveLog(context: ApiContext, { info, url, res }: Exchange, resource: Resource): void {
  const { namespace, name = "" } = info;
  const pod = resource.plural === "pods" ? context.store.get("pods", namespace, name) : undefined;
  if (pod === undefined) throw notFound(resource, name);
  const asked = readOptions(pod, url.searchParams);
  const instance = findInstance(pod, asked);
  res.setHeader("Content-Type", "text/plain");
  if (instance === undefined) {
    res.end();
    return;
  }
  const sinceMs = readSince(pod, url.searchParams, context.now().getTime());
  const trouble = findLogTrouble(context.store, pod);
  const linesOf = (fromMs: number, toMs: number, most = KEPT_LINES): LogLine[] =>
    findLogLines({ pod, container: asked.container, instance, trouble, fromMs, toMs, most });
  const endMs = instance.toMs ?? context.now().getTime();
  const most = Math.min(KEPT_LINES, asked.tail ?? KEPT_LINES);
  write(res, linesOf(Math.max(instance.fromMs, sinceMs), endMs, most), asked.timestamps);
  if (!asked.follow || instance.toMs !== undefined) res.end();
  else follow({ context, res, timestamps: asked.timestamps, fromMs: endMs, linesOf });
}

function follow(parts: {
  context: ApiContext;
  res: ServerResponse;
  timestamps: boolean;
  fromMs: number;
  linesOf: (fromMs: number, toMs: number) => LogLine[];
}): void {
  const { context, res, timestamps, linesOf } = parts;
  let { fromMs } = parts;
  const timer = setInterval(() => {
    // A reader that takes nothing stops the container's log from being read, as a full socket does.
    if (res.writableNeedDrain) return;
    const toMs = context.now().getTime();
    write(res, linesOf(fromMs, toMs), timestamps);
    fromMs = toMs;
  }, FOLLOW_MS);
  res.on("close", () => clearInterval(timer));
}

function write(res: ServerResponse, lines: readonly LogLine[], timestamps: boolean): void {
  if (lines.length > 0) res.write(lines.map(({ at, text }) => `${timestamps ? `${at} ` : ""}${text}\n`).join(""));
}

function readOptions(pod: KubeObject, params: URLSearchParams): Asked {
  const isTrue = (name: string): boolean => ["true", "1"].includes(params.get(name) ?? "");
  const { name } = pod.metadata;
  const main = (pod.spec?.containers ?? []) as Container[];
  const initial = (pod.spec?.initContainers ?? []) as Container[];
  const container = params.get("container") ?? "";
  if (container === "" && main.length !== 1) {
    const others = initial.length === 0 ? "" : ` or one of the init containers: [${namesOf(initial)}]`;
    throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${namesOf(main)}]${others}`);
  }
  const chosen = container === "" ? (main[0]?.name ?? "") : container;
  if (![...main, ...initial].some((each) => each.name === chosen))
    throw badRequest(`container ${chosen} is not valid for pod ${name}`);
  return {
    container: chosen,
    follow: isTrue("follow"),
    previous: isTrue("previous"),
    timestamps: isTrue("timestamps"),
    tail: readTail(pod, params.get("tailLines")),
  };
}

function readTail({ metadata: { name } }: KubeObject, text: string | null): number | undefined {
  if (text === null) return undefined;
  const tail = Number(text);
  if (Number.isInteger(tail) && tail >= 0) return tail;
  const message = `Invalid value: ${text}: must be greater than or equal to 0`;
  throw invalid({ group: "", kind: "PodLogOptions", name, field: "tailLines", message });
}

/** Returns the first moment that is shown. */
function readSince({ metadata: { name } }: KubeObject, params: URLSearchParams, nowMs: number): number {
  const [time, seconds] = [params.get("sinceTime"), params.get("sinceSeconds")];
  if (time !== null && seconds !== null) {
    const message = "Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified";
    throw invalid({ group: "", kind: "PodLogOptions", name, field: "", message, reason: "FieldValueForbidden" });
  }
  if (seconds !== null) return nowMs - Number(seconds) * 1000;
  if (time === null) return Number.NEGATIVE_INFINITY;
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/.test(time) ? Date.parse(time) : Number.NaN;
  if (Number.isNaN(ms)) throw badRequest(`parsing time "${time}" as "2006-01-02T15:04:05Z07:00": cannot parse`);
  return ms;
}

/** Finds the instance that was asked for; undefined for a pod that no node has taken yet, whose log is empty. */
function findInstance(pod: KubeObject, { container, previous }: Asked): Instance | undefined {
  const { name } = pod.metadata;
  if (pod.spec?.nodeName === undefined) return undefined;
  const { containerStatuses = [], initContainerStatuses = [] } = (pod.status ?? {}) as {
    containerStatuses?: ContainerStatus[];
    initContainerStatuses?: ContainerStatus[];
  };
  const status = [...containerStatuses, ...initContainerStatuses].find((each) => each.name === container);
  const { running, terminated, waiting } = status?.state ?? {};
  if (previous) {
    const ended = status?.lastState?.terminated;
    if (ended === undefined)
      throw badRequest(`previous terminated container "${container}" in pod "${name}" not found`);
    return instanceOf(ended);
  }
  if (terminated !== undefined) return instanceOf(terminated);
  if (running !== undefined) return { fromMs: parseMs(running.startedAt), toMs: undefined, exitCode: 0 };
  const reason = waiting?.reason ?? "ContainerCreating";
  throw badRequest(`container "${container}" in pod "${name}" is waiting to start: ${reason}`);
}

function instanceOf({ startedAt, finishedAt, exitCode = 0 }: Ended): Instance {
  return { fromMs: parseMs(startedAt), toMs: parseMs(finishedAt), exitCode };
}

function parseMs(text: string | undefined): number {
  const ms = Date.parse(text ?? "");
  return Number.isNaN(ms) ? 0 : ms;
}

function namesOf(containers: readonly Container[]): string {
  return containers.map(({ name }) => name).join(" ");
}

import {
  historyDays,
  historySeed,
  historyServices,
  notableReleases,
  templateChanges,
} from "#demo/history/six-weeks.ts";
import type { HistoryRelease, HistoryService, PersonAct, Trouble } from "#demo/history/story-types.ts";
import { allScenarios } from "#sandbox/scenarios/all-scenarios.ts";
import type { Behaviour, Scenario, Series } from "#sandbox/scenarios/scenario-types.ts";
import { createRandom } from "#test/seeded-random.ts";

const dayMs = 86_400_000;
const minuteMs = 60_000;
/** Between two releases of one rollout: the longest takes most of a day, with a night in between. */
const apartMs = 20 * 3_600_000;

export type PlannedRelease = HistoryRelease & { atMs: number; version: string };

export type PlannedService = {
  service: HistoryService;
  /** As the sandbox plays it in the demo. */
  live: Scenario;
  /** As it is played in the history: minutes in place of seconds, other versions, no script. */
  past: Scenario;
  releases: PlannedRelease[];
};

/** Places every release, and gives each its version: the last one is the version with which the demo begins. */
export function planHistory(startMs: number): PlannedService[] {
  const random = createRandom(historySeed);
  return historyServices.map((service) => {
    const live = allScenarios.find(({ namespace, name }) => namespace === service.namespace && name === service.name);
    if (live === undefined) throw new Error(`the sandbox plays no ${service.namespace}/${service.name}`);
    const notable = notableReleases
      .filter(({ service: name }) => name === service.name)
      .map((release) => ({ ...release, atMs: timeOf(startMs, release.on) }));
    const placed = [...notable, ...placeRoutine({ service, startMs, notable, random })].toSorted(
      (left, right) => left.atMs - right.atMs,
    );
    const { first, versions } = numberVersions(live.version, placed);
    const releases = placed.map((release, index) => ({ ...release, version: versions[index] ?? live.version }));
    return {
      service,
      live,
      past: { ...slowDown(live, service.pace), version: first, behaviours: behavioursOf(live, releases) },
      releases,
    };
  });
}

export function timeOf(startMs: number, on: string): number {
  const match = /^d(\d+) (\d\d):(\d\d)$/.exec(on);
  if (match === null) throw new Error(`${on} is no time of the history`);
  const [, day, hour, minute] = match;
  return startMs + Number(day) * dayMs + (Number(hour) * 60 + Number(minute)) * minuteMs;
}

function placeRoutine({
  service,
  startMs,
  notable,
  random,
}: {
  service: HistoryService;
  startMs: number;
  notable: readonly { atMs: number }[];
  random: () => number;
}): (HistoryRelease & { atMs: number })[] {
  const placed: (HistoryRelease & { atMs: number })[] = [];
  let day = random() * service.every;
  for (; day < historyDays - 1.5; day += service.every * (0.7 + random() * 0.6)) {
    const [from, to] = service.hours;
    const atMs = startMs + Math.floor(day) * dayMs + Math.round((from + random() * (to - from)) * 60) * minuteMs;
    const weekday = Math.floor(day) % 7;
    const isFree = [...notable, ...placed].every((other) => Math.abs(other.atMs - atMs) > apartMs);
    const people = service.waits === undefined ? [] : [routineAct(service.waits, random, placed.length)];
    if (weekday < 5 && isFree) placed.push({ on: "", service: service.name, atMs, people });
  }
  return placed;
}

function routineAct(waits: NonNullable<HistoryService["waits"]>, random: () => number, index: number): PersonAct {
  const by = random() < 0.7 ? "operator" : "admin";
  const reason = waits.reasons[index] ?? "";
  const seconds = Math.floor(random() * 60);
  const [from, to] = waits.minutes;
  const minutes = Math.round(from + random() * (to - from));
  const isOvernight = random() < waits.overnight;
  const morning = `0${8 + Math.floor(random() * 2)}:${10 + Math.floor(random() * 45)}:${seconds}`;
  return { by, act: "continue", reason, ...(isOvernight ? { at: morning } : { after: `${minutes}m${seconds}s` }) };
}

/** Counts the versions back from the last. */
function numberVersions(last: string, releases: readonly { atMs: number }[]): { first: string; versions: string[] } {
  const versions = [last];
  while (versions.length < releases.length + 1) versions.unshift(versionBefore(versions[0] ?? last, versions.length));
  return { first: versions[0] ?? last, versions: versions.slice(1) };
}

function versionBefore(version: string, count: number): string {
  const [major = 0, minor = 0, patch = 0] = version.slice(1).split(".").map(Number);
  if (patch > 0) return `v${major}.${minor}.${patch - 1}`;
  if (minor > 0) return `v${major}.${minor - 1}.${count % 3}`;
  return `v${major - 1}.9.0`;
}

const troubles: Record<Trouble, Record<string, Series>> = {
  errors: {
    "dependency-errors": { center: 0.008, spread: 0.0015, at: { 3: 0.0417, 4: 0.0593, 6: 0.0468, 7: 0.0521 } },
    "success-rate": { center: 0.961, spread: 0.005 },
  },
  failures: {
    "success-rate": { center: 0.966, spread: 0.004, at: { 2: 0.8423, 3: 0.8611, 5: 0.8534, 6: 0.8392 } },
    "latency-p99": { center: 332, spread: 40 },
  },
  slow: { "latency-p99": { center: 383, spread: 14, at: { 0: 301.2, 1: 342.7 } } },
  uncertain: {
    "latency-p99": { center: 352, spread: 30, at: { 2: 452.3, 3: 471.8, 4: 433.1, 5: 508.8 } },
  },
  flaky: { "success-rate": { center: 0.984, spread: 0.004, at: { 1: 0.9643, 3: 0.9681 } } },
};

/** Trouble ends with the first run: what a person tries again is well. */
function behavioursOf(live: Scenario, releases: readonly PlannedRelease[]): Behaviour[] {
  return releases.flatMap(({ trouble, version }) => {
    if (trouble === undefined) return [];
    const metrics = { ...live.baseline, ...troubles[trouble] };
    return [{ version, attempt: 0, metrics }];
  });
}

/** Makes minutes of a scenario's seconds: the sandbox plays in minutes what takes hours. */
function slowDown(scenario: Scenario, pace = 1): Scenario {
  const copy = structuredClone({ ...scenario, script: [], behaviours: [] });
  const stretched = stretch(copy, pace) as Scenario;
  const templates = stretched.templates.map((template) => ({
    ...template,
    metrics: template.metrics?.map((metric) => {
      const change = templateChanges.find(
        (one) => one.namespace === scenario.namespace && one.template === template.name && one.metric === metric.name,
      );
      return change === undefined ? metric : { ...metric, successCondition: change.successCondition.before };
    }),
  }));
  const { releaseEverySeconds: _, ...rest } = stretched;
  return { ...rest, templates };
}

function stretch(value: unknown, pace: number, key = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => stretch(item, pace));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, stretch(member, pace, name)]));
  const isTime = key === "duration" || key === "interval" || key === "initialDelay";
  return isTime && typeof value === "string" && /^\d+s$/.test(value) ? `${Number(value.slice(0, -1)) * pace}m` : value;
}

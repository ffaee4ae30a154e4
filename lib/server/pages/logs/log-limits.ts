import { ServiceError } from "#lib/server/platform/actor/service-error.ts";

/** Limits of one answer with logs, and of the logs that are open at a web process. */
export type LogLimits = {
  /** As many as a person can search through. A longer log is read in parts, by time. */
  maxLines: number;
  maxMebibytes: number;
  /** The rest of a longer line is dropped. No readable line is longer. */
  maxLineBytes: number;
  /** A followed log ends then; the page asks again. */
  maxMinutes: number;
  /** Logs of pods that are read at the same time, by one person and by all: each is a connection to an API server. */
  podsPerPerson: number;
  pods: number;
};

export const logLimits: LogLimits = {
  maxLines: 10_000,
  maxMebibytes: 16,
  maxLineBytes: 16_384,
  maxMinutes: 15,
  podsPerPerson: 60,
  pods: 300,
};

type Slots = { byPerson: Map<string, number>; all: number };

// Next bundles each route separately, so the counts are stored on the one runtime of the process, not in this module.
const handle = Symbol.for("gatehouse.log-slots");
type Holder = { [handle]?: Slots };

/**
 * Takes a slot for each log that is to be read, and returns what gives them back, which may be called twice. Throws
 * `rate_limited`. Each log is a connection to an API server, for as long as it is followed.
 */
export function takeLogSlots(
  runtime: object,
  {
    person,
    wanted,
    limits = logLimits,
  }: { person: string; wanted: number; limits?: Pick<LogLimits, "pods" | "podsPerPerson"> },
): () => void {
  const holder = runtime as Holder;
  holder[handle] ??= { byPerson: new Map(), all: 0 };
  const slots = holder[handle];
  const own = slots.byPerson.get(person) ?? 0;
  if (own + wanted > limits.podsPerPerson)
    throw refuse(`You already follow the logs of ${own} pods; ${limits.podsPerPerson} are the limit.`);
  if (slots.all + wanted > limits.pods)
    throw refuse(`${slots.all} logs are open on this server; ${limits.pods} are the limit.`);
  const add = (count: number) => {
    const next = (slots.byPerson.get(person) ?? 0) + count;
    if (next > 0) slots.byPerson.set(person, next);
    else slots.byPerson.delete(person);
    slots.all += count;
  };
  add(wanted);
  let isHeld = true;
  return () => {
    if (isHeld) add(-wanted);
    isHeld = false;
  };
}

/** Returns how many logs are read at this moment. */
export function countLogSlots(runtime: object): number {
  return (runtime as Holder)[handle]?.all ?? 0;
}

function refuse(what: string): ServiceError {
  return new ServiceError("rate_limited", `${what} Close a page that follows logs, then try again.`, {
    retryAfterSeconds: 30,
  });
}

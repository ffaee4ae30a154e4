import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { type LogLimits, logLimits } from "./log-limits.ts";

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

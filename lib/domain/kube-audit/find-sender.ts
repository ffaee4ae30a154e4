import type { ObjectWrite } from "./judge-event.ts";
import { isServiceAccount } from "./person.ts";
import { mayHaveWritten } from "./written-fields.ts";

/** A change of an object whose sender is sought. Times in milliseconds since 1970. */
export type SoughtChange = {
  uid: string | undefined;
  /** The field manager of the change; null if the evidence names none. */
  client: string | null;
  /** The fields that a client writes to make it; undefined if that is not known: then any write may have made it. */
  fields: readonly string[] | undefined;
  /** It was written between these, by the recorder's clock. */
  from: number;
  to: number;
  /** The versions before and after; null if they are not known. */
  versionBefore: string | null;
  versionAfter: string | null;
};

/** A write of the same object. `at`: milliseconds since 1970, by the API server's clock. */
export type CandidateWrite = Pick<
  ObjectWrite,
  | "uid"
  | "subresource"
  | "versionBefore"
  | "versionAfter"
  | "manager"
  | "userAgent"
  | "username"
  | "impersonatedBy"
  | "fields"
> & { id: string; verb: string; at: number };

export type SenderVerdict<Write> =
  /** `isCertain`: the version that it made is the one that was observed, so no other write can be meant. */
  { kind: "found"; write: Write; isCertain: boolean } | { kind: "ambiguous"; senders: number } | { kind: "none" };

/** How far the clocks of the recorder and the API server may differ. */
export const clockToleranceMs = 5000;
/** The longest time from a write with unknown fields to its observation. */
const unspecificMs = 15_000;

/**
 * Finds the sender of the write that made a change. A write fits if none of its known properties contradicts the
 * change: time, versions, client and fields. If writes of more than one sender fit, none is named.
 */
export function findSender<Write extends CandidateWrite>({
  change,
  writes,
  controllerManagers,
}: {
  change: SoughtChange;
  writes: readonly Write[];
  controllerManagers: readonly string[];
}): SenderVerdict<Write> {
  const own = writes.filter(
    (write) =>
      (write.verb === "update" || write.verb === "patch") &&
      (change.uid === undefined || write.uid === undefined || write.uid === change.uid) &&
      !(isServiceAccount(write.username) && controllerManagers.includes(write.manager)),
  );
  const exact = findExact(own, change);
  if (exact !== undefined) return { kind: "found", write: exact, isCertain: true };
  const fitting = own.filter((write) => fits(write, change));
  const [first] = fitting;
  if (first === undefined) return { kind: "none" };
  const senders = new Set(fitting.map(senderOf)).size;
  return senders === 1 ? { kind: "found", write: first, isCertain: false } : { kind: "ambiguous", senders };
}

/**
 * Finds the write that made the observed version. A write that changes nothing is answered with the version that was
 * there, so the earliest counts; and the version alone proves nothing about a change that was seen together with it.
 */
function findExact<Write extends CandidateWrite>(writes: readonly Write[], change: SoughtChange): Write | undefined {
  return writes
    .filter(({ versionAfter }) => versionAfter !== undefined && versionAfter === change.versionAfter)
    .filter(
      (write) => write.versionBefore !== write.versionAfter && fitsClient(write, change) && fitsFields(write, change),
    )
    .toSorted((left, right) => left.at - right.at)[0];
}

function senderOf({ username, impersonatedBy = "", userAgent }: CandidateWrite): string {
  return JSON.stringify([username, impersonatedBy, userAgent]);
}

function fits(write: CandidateWrite, change: SoughtChange): boolean {
  return (
    fitsTime(write, change) && fitsVersions(write, change) && fitsClient(write, change) && fitsFields(write, change)
  );
}

function fitsTime({ at, fields }: CandidateWrite, { from, to, fields: wanted }: SoughtChange): boolean {
  const isSpecific = fields !== undefined && wanted !== undefined;
  const earliest = isSpecific ? from : Math.max(from, to - unspecificMs);
  return at >= earliest - clockToleranceMs && at <= to + clockToleranceMs;
}

/** A write that replaced or made a version outside of those around the change is another one. */
function fitsVersions(write: CandidateWrite, { versionBefore, versionAfter }: SoughtChange): boolean {
  const [first, last] = [toNumber(versionBefore), toNumber(versionAfter)];
  const [replaced, made] = [toNumber(write.versionBefore), toNumber(write.versionAfter)];
  const isAfter = (version: bigint | undefined, bound: bigint | undefined) =>
    version === undefined || bound === undefined || version > bound;
  const isTooOld = replaced !== undefined && first !== undefined && replaced < first;
  return (
    !isTooOld &&
    isAfter(last, replaced) &&
    isAfter(made, first) &&
    (made === undefined || last === undefined || made <= last)
  );
}

/** Versions of one API server are decimal numbers that increase; anything else is not compared. */
function toNumber(version: string | null | undefined): bigint | undefined {
  return version != null && /^\d{1,30}$/.test(version) ? BigInt(version) : undefined;
}

function fitsClient({ manager }: CandidateWrite, { client }: SoughtChange): boolean {
  return client === null || client === manager;
}

function fitsFields({ fields, subresource }: CandidateWrite, { fields: changed }: SoughtChange): boolean {
  if (changed === undefined) return true;
  // A write of the status cannot change anything else.
  if (subresource === "status" && !mayHaveWritten(["status"], changed)) return false;
  return fields === undefined || mayHaveWritten(fields, changed);
}

import { isForeign } from "#components/ui/classify-state.ts";
import { formatRelative } from "#components/ui/format-time.ts";
import { resourceOfKind } from "#components/ui/resource-of-kind.ts";
import { formatDuration } from "#lib/client/format-duration.ts";
import type { Source } from "#lib/contract/system.ts";
import { isDeliveryKind } from "#lib/domain/delivery/delivery-kind.ts";

/** The meaning of a source's state for a person, and the remedy, both in words for the page. */
export type SourceText = { meaning: string; todo?: string };

type Described = Pick<
  Source,
  "kind" | "cluster" | "namespace" | "state" | "lastContact" | "staleAfterSeconds" | "hold" | "lastError" | "configured"
>;

export function describeSource(source: Described, nowMs: number): SourceText {
  const { kind, state, hold } = source;
  if (!source.configured) return { meaning: "No longer in the config and no longer watched. Existing records stay." };
  // Trouble with the source itself comes first: it stops all of its objects, and held objects wait for it.
  if (hold !== null && state === "suspect") return describeHold(source, hold);
  const { meaning, todo } = describeState(source, nowMs);
  if (hold === null) return { meaning, ...(todo === undefined ? {} : { todo }) };
  return {
    meaning: `${meaning} ${hold.count} ${kind}${hold.count === 1 ? " is" : "s are"} still held, not marked gone.`,
    ...(todo === undefined ? {} : { todo }),
  };
}

function describeState(source: Described, nowMs: number): SourceText {
  const { kind, cluster, namespace, state, lastContact, lastError } = source;
  const where = namespace === null ? cluster : `${namespace} of ${cluster}`;
  const age = lastContact === null || nowMs === 0 ? "too" : formatDuration(nowMs - Date.parse(lastContact));
  switch (state) {
    case "live":
      return { meaning: "Receiving every change." };
    case "syncing":
      return {
        meaning: `Reading the ${kind}s of ${where}. This page shows the earlier state${offUntilLive(source)}.`,
      };
    case "stale":
      return {
        meaning: `The data is ${age} old (limit ${source.staleAfterSeconds} s), so Gatehouse does not rely on it${offUntilLive(source)}.`,
        todo:
          lastError === null
            ? `Check that the recorder is running and can reach the API server of ${cluster}.`
            : "The recorder keeps retrying; the error is below.",
      };
    case "denied":
      return {
        meaning: `${cluster} denies access to ${kind}s. Existing records stay${offUntilLive(source)}.`,
        todo: `Allow the recorder's account to get, list and watch ${resourceOfKind[kind] ?? kind}${namespace === null ? " in all namespaces" : ` in the namespace ${namespace}`}, or renew its token. The recorder retries every minute.`,
      };
    case "absent":
      return {
        meaning: `${cluster} does not know the kind ${kind}. Existing records stay but are not updated.`,
        todo: `Nothing to do if you do not use it there. Otherwise install the definition of ${resourceOfKind[kind] ?? kind}; the recorder looks for it every five minutes.`,
      };
    case "suspect":
      return { meaning: `${cluster} contradicts what it showed earlier${offUntilLive(source)}.` };
    case "error":
      return describeError(source, where);
  }
}

function describeHold({ kind, cluster }: Described, hold: NonNullable<Source["hold"]>): SourceText {
  const held = `${hold.count} ${kind}${hold.count === 1 ? "" : "s"}`;
  const found =
    hold.reason === "empty"
      ? `${cluster} suddenly shows no ${kind} at all.`
      : `More ${kind}s vanished at once than is plausible.`;
  const whose = hold.reason === "empty" ? "any rollout of this cluster" : "these";
  const effect = isDeliveryKind(kind)
    ? ` Until this is settled, actions that advance ${whose} are off; aborting may still work.`
    : "";
  return {
    meaning: `${found} ${held} ${hold.count === 1 ? "is" : "are"} held, not marked gone.${effect}`,
    todo: hold.releasing
      ? "An admin released them; the recorder is about to mark them gone."
      : "Gatehouse settles this when it reads the source again, usually within 70 s. If they are really gone, an admin can release them.",
  };
}

function describeError(source: Described, where: string): SourceText {
  const { kind, cluster } = source;
  if (isForeign(source))
    return {
      meaning: `This no longer appears to be cluster ${cluster}. Recording has stopped, and all actions are disabled there.`,
      todo: "Check which cluster its address and credentials lead to. A rebuilt cluster needs a new name in the config, one restored from a backup a new database.",
    };
  return {
    meaning: `The ${kind}s of ${where} cannot be read${offUntilLive(source)}.`,
    todo: `Check the address and the credentials of ${cluster} in the config, and whether it answers. The recorder keeps retrying.`,
  };
}

function offUntilLive({ kind }: Pick<Described, "kind">): string {
  return isDeliveryKind(kind) ? "; actions that advance a rollout are off, aborting may still work" : "";
}

type Contacts = Pick<Source, "watchContact" | "readContact">;

/** Describes the two contacts that set the age of a source: "watch 2 s ago, read 14 s ago". */
export function describeContacts({ watchContact, readContact }: Contacts, nowMs: number): string {
  const part = (what: string, at: string | null) =>
    at === null ? `${what} never` : `${what} ${formatRelative(Date.parse(at), nowMs)}`;
  return `${part("watch", watchContact)}, ${part("read", readContact)}`;
}

/** A smaller clock difference is just network delay. */
const worthSayingSeconds = 2;

/** The recorder stores no larger difference than 2147483.647 s. */
const mostRecordedSeconds = 2_147_483;

/** Describes a clock difference; undefined if small or unknown. */
export function describeClock(seconds: number | null): string | undefined {
  if (seconds === null || Math.abs(seconds) <= worthSayingSeconds) return undefined;
  const most = Math.abs(seconds) >= mostRecordedSeconds ? "at least " : "";
  return `its clock is ${most}${formatDuration(Math.abs(seconds) * 1000)} ${seconds > 0 ? "ahead" : "behind"}`;
}

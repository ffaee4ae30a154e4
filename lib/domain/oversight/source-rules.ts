import type { Evidence, Found, Rule } from "./rule.ts";

/** The facts that the rules about a source may use. Times in ISO 8601. */
export type SourceFacts = {
  now: string;
  id: string;
  kind: string;
  /** By the database's clock; see `readSources`. */
  state: string;
  lastContact: string | null;
  lastError: string | null;
  /** It may reach another cluster now, or the cluster's history went backwards. */
  isAnotherCluster: boolean;
  objects: number;
  /** Whether decisions depend on its objects. */
  isDecidedOn: boolean;
  staleAfterSeconds: number;
  held: { reason: "empty" | "shrink"; since: string; count: number } | null;
};

const words: Readonly<Record<string, string>> = {
  stale: "has had no contact",
  denied: "is refused by the cluster",
  error: "cannot be read",
};

/** How long a source may be away: restarts and upgrades of an API server are ordinary. */
const graceSeconds = 120;

/** A source has not been live for longer than a restart of an API server takes. */
export const sourceNotLive: Rule<SourceFacts> = {
  id: "source-not-live",
  about: "source",
  severity: "critical",
  name: "Source is not live",
  explanation:
    "Gatehouse does not receive changes of this kind from this cluster. Its pages are out of date, actions are off, and measurements may be lost for good.",
  advice: "Open Sources: the last error says what fails. Check the network, the credentials and the API server.",
  find: (facts) => {
    if (facts.isAnotherCluster) return [toFound(facts, "reaches another cluster than before", "critical")];
    const word = words[facts.state];
    if (word === undefined || secondsWithout(facts) < facts.staleAfterSeconds + graceSeconds) return [];
    return [toFound(facts, word, facts.isDecidedOn ? "critical" : "warning")];
  },
};

/** Infinite if there never was a contact. */
function secondsWithout({ now, lastContact }: SourceFacts): number {
  return lastContact === null ? Number.POSITIVE_INFINITY : (Date.parse(now) - Date.parse(lastContact)) / 1000;
}

function toFound(
  { kind, state, lastContact, lastError, now, id }: SourceFacts,
  word: string,
  severity: Found["severity"],
): Found {
  const evidence: Evidence[] = [
    { label: "State", value: state, link: { to: "source", id } },
    { label: "Last contact", value: lastContact ?? "never", ...(lastContact === null ? {} : { at: lastContact }) },
    ...(lastError === null ? [] : [{ label: "Last error", value: lastError }]),
  ];
  return { key: "source", severity, title: `Source ${kind} ${word}`, since: lastContact ?? now, evidence };
}

/** Many objects seem to be gone at once, but are kept until that is confirmed. */
export const disappearanceHeld: Rule<SourceFacts> = {
  id: "disappearance-held",
  about: "source",
  severity: "critical",
  name: "Mass disappearance held",
  explanation:
    "A list showed far fewer objects than before. Gatehouse keeps the recorded objects and turns actions off until two more complete reads agree, or an admin confirms it.",
  advice: "Check whether the objects are really gone. If they are, an admin confirms it on the page Sources.",
  find: ({ held, kind, objects, id }) =>
    held === null
      ? []
      : [
          {
            key: held.since,
            severity: "critical",
            title: `${held.count} objects of kind ${kind} seem to be gone`,
            since: held.since,
            evidence: [
              { label: "Held", value: `${held.count} of ${objects + held.count}`, link: { to: "source", id } },
              { label: "Why", value: held.reason === "empty" ? "the list was empty" : "most of the list was missing" },
            ],
          },
        ],
};

export const sourceRules: readonly Rule<SourceFacts>[] = [sourceNotLive, disappearanceHeld];

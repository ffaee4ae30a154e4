import { resourceOfKind } from "#components/ui/resource-of-kind.ts";

/** The words for a fault: what it plays, the fail-closed rule that it demonstrates, and the expected effect. */
export type FaultWords = { label: string; plays: string; rule: string; expect: string };

type Described = {
  label: string;
  /** For a fault with one way, or for its first way; the others are in `ways`. */
  plays: string;
  rule: string;
  expect: string;
  ways?: Record<string, Partial<FaultWords>>;
  seconds: number;
};

const catalogue: Readonly<Record<string, Described>> = {
  empty: {
    label: "Empty lists",
    plays: "Lists come back complete but empty.",
    rule: "FC-16",
    expect: "The source turns suspect and holds every object: none is marked gone, and no rollout advances.",
    seconds: 180,
  },
  shrink: {
    label: "Shrunk lists",
    plays: "More than half of the objects are missing from otherwise complete lists.",
    rule: "FC-17",
    expect: "Missing objects are held and cannot be advanced. The others can.",
    ways: { watches: { plays: "Watches report more than half of the objects deleted at once." } },
    seconds: 180,
  },
  "403": {
    label: "Rights withdrawn",
    plays: "Requests are answered with 403, as if a role had been removed.",
    rule: "FC-13",
    expect: "The source is denied and names the missing right. This does not count as a deletion: all records stay.",
    seconds: 60,
  },
  "404": {
    label: "Kind unknown",
    plays: "Requests are answered with 404, as if the definition of the kind had been removed.",
    rule: "FC-15",
    expect: "The source is absent. Gatehouse looks for it again after five minutes.",
    seconds: 60,
  },
  stall: {
    label: "Silence",
    plays: "Watches stay open and fall silent.",
    rule: "FC-09",
    expect: "A silent watch is replaced in time, or the source becomes stale.",
    ways: {
      requests: {
        plays: "Requests get no answer and have no effect.",
        expect: "After its limit the source is stale, and no rollout advances.",
      },
      answers: {
        plays: "Requests take effect but get no answer.",
        rule: "FC-24",
        expect:
          "An action's outcome is unknown at first. Gatehouse reads the object back and never repeats the action blindly.",
      },
    },
    seconds: 60,
  },
  drop: {
    label: "Connections cut",
    plays: "Every open watch and request is cut.",
    rule: "FC-08",
    expect:
      "The recorder retries with increasing delays. Then the watch resumes where it stopped, and nothing is lost.",
    seconds: 30,
  },
  "500": {
    label: "Server errors",
    plays: "Requests are answered with 500.",
    rule: "FC-09",
    expect:
      "The recorder retries with increasing delays. After its limit the source is stale, and no rollout advances.",
    seconds: 60,
  },
  "429": {
    label: "Too many requests",
    plays: "Requests are answered with 429.",
    rule: "FC-09",
    expect: "The recorder retries more slowly. After its limit the source is stale.",
    seconds: 60,
  },
  "410": {
    label: "Too old to resume",
    plays: "Resuming a watch or fetching the next page is answered with 410.",
    rule: "FC-10",
    expect: "The source is relisted and compared; it is syncing until that is complete.",
    seconds: 60,
  },
  partial: {
    label: "Broken lists",
    plays: "A list breaks off halfway through its second page.",
    rule: "FC-12",
    expect: "Gatehouse ignores the incomplete list and marks no object gone.",
    ways: {
      "500": { plays: "The second page of a list is answered with 500." },
      "410": { plays: "The second page of a list is answered with 410." },
    },
    seconds: 60,
  },
  "wrong-cluster": {
    label: "Another cluster",
    plays: "The namespace kube-system has another uid, as if another cluster answered under this name.",
    rule: "FC-19",
    expect: "Recording stops, and all actions are disabled there, even abort.",
    ways: {
      objects: { plays: "Every object has another uid, as in a rebuilt cluster." },
      backwards: { plays: "Versions go backwards, as in a cluster restored from a backup." },
    },
    seconds: 60,
  },
  skew: {
    label: "A clock ahead",
    plays: "The API server's clock is five minutes ahead.",
    rule: "FC-20",
    expect: "The source shows the difference. Events are ordered by Gatehouse's clock, and no duration is negative.",
    seconds: 120,
  },
  garbage: {
    label: "Nonsense",
    plays: "Watch lines and list items are not objects of the kind.",
    rule: "FC-11",
    expect: "They are dropped and counted, never recorded; then the source is relisted.",
    ways: {
      drift: {
        plays: "Objects have a spec and a status of another shape.",
        rule: "FC-22",
        expect: "Earlier records stay, the new object is quarantined, and all actions on it are off.",
      },
    },
    seconds: 60,
  },
};

/** Describes a fault in one of its ways. An unknown fault is shown by its name. */
export function describeFault(fault: string, how?: string): FaultWords {
  const known = catalogue[fault];
  if (known === undefined) return { label: fault, plays: `The cluster plays ${fault}.`, rule: "", expect: "" };
  const { label, plays, rule, expect, ways } = known;
  return { label, plays, rule, expect, ...(how === undefined ? {} : ways?.[how]) };
}

/** Returns how long a fault must last at least for its effect to be seen. */
export function suggestSeconds(fault: string): number {
  return catalogue[fault]?.seconds ?? 60;
}

/** The most instructive first. An object's own order would put numeric keys first. */
const order = ["empty", "shrink", "403", "404", "stall", "drop", "500", "429", "410", "partial"];

/** Orders faults for the page; `none` is not a fault. */
export function orderFaults(faults: readonly string[]): string[] {
  const known = [...order, ...Object.keys(catalogue)];
  const rank = (fault: string) => (known.includes(fault) ? known.indexOf(fault) : known.length);
  return faults.filter((fault) => fault !== "none").toSorted((left, right) => rank(left) - rank(right));
}

/** Describes where a fault applies: "rollouts, namespace payments". */
export function describeScope({
  resource,
  namespace,
  verb,
}: {
  resource?: string | undefined;
  namespace?: string | undefined;
  verb?: string | undefined;
}): string {
  const parts = [
    resource ?? "all resources",
    ...(namespace === undefined ? [] : [`requests in namespace ${namespace}`]),
    ...(verb === undefined ? [] : [`${verb} alone`]),
  ];
  return parts.join(", ");
}

/** Resources that can fail separately: those that the recorder watches. */
export const faultResources: readonly string[] = Object.values(resourceOfKind).map((name) => name.replace(/\..*/, ""));

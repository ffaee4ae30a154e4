/** Says in a sentence what a fault plays, and which fail-closed rule it demonstrates. */
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
    plays: "Lists come back complete, and without a single object.",
    rule: "FC-16",
    expect: "The source is suspect and holds them all: nothing is believed to be gone, nothing advances.",
    seconds: 180,
  },
  shrink: {
    label: "Shrunk lists",
    plays: "More than half of the objects are missing from lists that are complete otherwise.",
    rule: "FC-17",
    expect: "What is missing is held and cannot be advanced. The other objects can.",
    ways: { watches: { plays: "Watches report more than half of the objects deleted within a moment." } },
    seconds: 180,
  },
  "403": {
    label: "Rights withdrawn",
    plays: "Requests are refused with 403, as if a role had been taken away.",
    rule: "FC-13",
    expect: "The source is denied and says which right is missing. It is no deletion: all that was recorded stays.",
    seconds: 60,
  },
  "404": {
    label: "Kind unknown",
    plays: "Requests are answered with 404, as if the definition of the kind had been removed.",
    rule: "FC-15",
    expect: "The source is absent. It is looked for again after five minutes.",
    seconds: 60,
  },
  stall: {
    label: "Silence",
    plays: "Watches stay open and fall silent.",
    rule: "FC-09",
    expect: "A silent watch is replaced in time, or the source becomes stale.",
    ways: {
      requests: {
        plays: "Requests get no answer, and nothing is done.",
        expect: "After its limit the source is stale and nothing advances.",
      },
      answers: {
        plays: "Requests are carried out, and get no answer.",
        rule: "FC-24",
        expect: "What becomes of an action is unknown at first. It is read back, and never repeated blindly.",
      },
    },
    seconds: 60,
  },
  drop: {
    label: "Connections cut",
    plays: "Every open watch is cut, and requests with it.",
    rule: "FC-08",
    expect: "It is tried again with growing pauses. Then the watch goes on from where it was, and nothing is lost.",
    seconds: 30,
  },
  "500": {
    label: "Server errors",
    plays: "Requests are answered with 500.",
    rule: "FC-09",
    expect: "It is tried again with growing pauses; after its limit the source is stale and nothing advances.",
    seconds: 60,
  },
  "429": {
    label: "Too many requests",
    plays: "Requests are turned away with 429.",
    rule: "FC-09",
    expect: "It is tried again more slowly; after its limit the source is stale.",
    seconds: 60,
  },
  "410": {
    label: "Too old to resume",
    plays: "What a watch or a page goes on from is answered with 410.",
    rule: "FC-10",
    expect: "Everything is listed anew and compared; the source is syncing until that is complete.",
    seconds: 60,
  },
  partial: {
    label: "Broken lists",
    plays: "A list breaks off halfway through its second page.",
    rule: "FC-12",
    expect: "Nothing is concluded from half a list: nothing is marked gone.",
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
    expect: "Nothing is written any more, and all actions are disabled there, even abort.",
    ways: {
      objects: { plays: "Every object has another uid, as in a cluster that was built anew." },
      backwards: { plays: "Versions have gone back, as in a cluster restored from a backup." },
    },
    seconds: 60,
  },
  skew: {
    label: "A clock ahead",
    plays: "The API server's clock is five minutes ahead.",
    rule: "FC-20",
    expect: "The source says so. Order goes by our clock, and no duration is negative.",
    seconds: 120,
  },
  garbage: {
    label: "Nonsense",
    plays: "Lines of watches and items of lists are no objects of the kind.",
    rule: "FC-11",
    expect: "They are thrown away and counted, never recorded; everything is listed anew.",
    ways: {
      drift: {
        plays: "Objects come with a spec and a status of another shape.",
        rule: "FC-22",
        expect: "What was recorded before stays, the new text is set aside, and nothing is done to the object.",
      },
    },
    seconds: 60,
  },
};

/** Describes a fault in one of its ways. A fault that this page does not know is shown by its name. */
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
    ...(namespace === undefined ? [] : [`requests of the namespace ${namespace}`]),
    ...(verb === undefined ? [] : [`${verb} alone`]),
  ];
  return parts.join(", ");
}

/** Resources that can fail separately; the recorder watches these. */
export const faultResources = [
  "rollouts",
  "analysisruns",
  "analysistemplates",
  "clusteranalysistemplates",
  "experiments",
  "replicasets",
  "pods",
  "deployments",
  "events",
] as const;

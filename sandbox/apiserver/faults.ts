export const FAULTS = [
  "drop",
  "stall",
  "500",
  "410",
  "429",
  "partial",
  "empty",
  "shrink",
  "403",
  "404",
  "wrong-cluster",
  "skew",
  "garbage",
] as const;

export type Fault = (typeof FAULTS)[number];

/** The ways in which a fault can show; the first is the default. */
export const FAULT_WAYS: Partial<Record<Fault, readonly string[]>> = {
  /** Watches fall silent; requests get no response and do nothing; requests are carried out and get no response. */
  stall: ["watches", "requests", "answers"],
  /** A later page is cut off halfway; gets a 500; gets a 410. */
  partial: ["cut", "500", "410"],
  /** Lists miss objects; open watches also report their deletion. */
  shrink: ["lists", "watches"],
  /** kube-system has another uid; every object has another uid; resourceVersions have gone back. */
  "wrong-cluster": ["identity", "objects", "backwards"],
  /** Lines and items of another kind; known objects whose spec and status have another shape. */
  garbage: ["lines", "drift"],
};

export const FAULT_VERBS = ["get", "list", "watch", "create", "update", "patch", "delete"] as const;
export type FaultVerb = (typeof FAULT_VERBS)[number];

/** The scope of a fault; absent fields match everything. */
export type FaultScope = {
  resource?: string | undefined;
  /** Requests and watches of that one namespace; those of the whole cluster are not affected. */
  namespace?: string | undefined;
  verb?: FaultVerb | undefined;
};

export type FaultSettings = {
  /** One of FAULT_WAYS. */
  how?: string | undefined;
  /** Only for `drop`: cuts each open watch this many times a second on average, at random, and does nothing else. */
  rate?: number | undefined;
  /** Only for `skew`: how far the server's clock is ahead; 300 by default. */
  offsetSeconds?: number | undefined;
};

export type FaultRequest = FaultScope & FaultSettings & { fault: Fault | "none"; seconds?: number | undefined };

export type ActiveFault = FaultScope & FaultSettings & { fault: Fault; since: string; until?: string };

/** The fields of a request or a watch that are matched against the scopes. */
export type FaultTarget = { resource?: string | undefined; namespace?: string | undefined; verb?: string | undefined };

type Entry = { active: ActiveFault; timer?: NodeJS.Timeout };

export const DEFAULT_SKEW_SECONDS = 300;

/** The active faults. One per scope: a new one replaces the previous one; `none` without a scope ends all. */
export class FaultBoard {
  #entries: Entry[] = [];
  readonly #onChange: (active: ActiveFault, isOn: boolean) => void;
  readonly #now: () => Date;

  constructor(options: { onChange: (active: ActiveFault, isOn: boolean) => void; now: () => Date }) {
    this.#onChange = options.onChange;
    this.#now = options.now;
  }

  set(request: FaultRequest): void {
    const { fault, seconds, ...rest } = request;
    const isEverywhere =
      rest.resource === undefined && rest.namespace === undefined && rest.verb === undefined && fault === "none";
    this.#clear(({ active }) => isEverywhere || isSameScope(active, rest));
    if (fault === "none") return;
    const now = this.#now();
    const until = seconds === undefined ? undefined : new Date(now.getTime() + seconds * 1000).toISOString();
    const members = Object.entries(rest).filter(([, value]) => value !== undefined);
    const active: ActiveFault = {
      fault,
      ...(Object.fromEntries(members) as FaultScope & FaultSettings),
      since: now.toISOString(),
      ...(until === undefined ? {} : { until }),
    };
    const entry: Entry = { active };
    if (seconds !== undefined) {
      entry.timer = setTimeout(() => this.#clear((other) => other === entry), seconds * 1000);
      entry.timer.unref();
    }
    this.#entries.push(entry);
    this.#onChange(active, true);
  }

  /** Returns the fault of that kind that applies to the target, optionally only in one way. */
  find(fault: Fault, target: FaultTarget, how?: string): ActiveFault | undefined {
    if (this.#entries.length === 0) return undefined;
    return this.#entries.find(
      ({ active }) =>
        active.fault === fault && isConcerned(active, target) && (how === undefined || wayOf(active) === how),
    )?.active;
  }

  has(fault: Fault, target: FaultTarget, how?: string): boolean {
    return this.#entries.length > 0 && this.find(fault, target, how) !== undefined;
  }

  get isQuiet(): boolean {
    return this.#entries.length === 0;
  }

  list(): ActiveFault[] {
    return this.#entries.map(({ active }) => active);
  }

  #clear(isMeant: (entry: Entry) => boolean): void {
    const cleared = this.#entries.filter(isMeant);
    this.#entries = this.#entries.filter((entry) => !isMeant(entry));
    for (const { active, timer } of cleared) {
      clearTimeout(timer);
      this.#onChange(active, false);
    }
  }
}

/** Returns the way in which a fault shows. */
export function wayOf(active: ActiveFault): string | undefined {
  return active.how ?? FAULT_WAYS[active.fault]?.[0];
}

function isSameScope(left: FaultScope, right: FaultScope): boolean {
  return left.resource === right.resource && left.namespace === right.namespace && left.verb === right.verb;
}

function isConcerned(scope: FaultScope, target: FaultTarget): boolean {
  return (
    (scope.resource === undefined || scope.resource === target.resource) &&
    (scope.namespace === undefined || scope.namespace === target.namespace) &&
    (scope.verb === undefined || scope.verb === verbOf(target.verb))
  );
}

function verbOf(verb: string | undefined): string | undefined {
  return verb === "deletecollection" ? "delete" : verb;
}

export const FAULTS = [
  "drop",
  "stall",
  "500",
  "410",
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

export type FaultRequest = { fault: Fault | "none"; resource?: string; seconds?: number };

type ActiveFault = { fault: Fault; resource?: string; timer?: NodeJS.Timeout };

/** The faults that are on. One per resource (or for all of them): a new one takes the place of the one before. */
export class FaultBoard {
  #active: ActiveFault[] = [];
  readonly #onChange: (change: { fault: Fault; resource?: string; isOn: boolean }) => void;

  constructor(onChange: (change: { fault: Fault; resource?: string; isOn: boolean }) => void) {
    this.#onChange = onChange;
  }

  set(request: FaultRequest): void {
    const { fault, resource, seconds } = request;
    this.#clear((active) => (fault === "none" && resource === undefined) || active.resource === resource);
    if (fault === "none") return;
    const active: ActiveFault = { fault, ...(resource === undefined ? {} : { resource }) };
    if (seconds !== undefined) {
      active.timer = setTimeout(() => this.#clear((other) => other === active), seconds * 1000);
      active.timer.unref();
    }
    this.#active.push(active);
    this.#onChange({ fault, ...(resource === undefined ? {} : { resource }), isOn: true });
  }

  /** Whether a fault is on for a resource; undefined asks about requests that name none. */
  has(fault: Fault, resource: string | undefined): boolean {
    if (this.#active.length === 0) return false;
    return this.#active.some(
      (active) => active.fault === fault && (active.resource === undefined || active.resource === resource),
    );
  }

  list(): { fault: Fault; resource?: string }[] {
    return this.#active.map(({ fault, resource }) => ({ fault, ...(resource === undefined ? {} : { resource }) }));
  }

  #clear(isMeant: (active: ActiveFault) => boolean): void {
    const cleared = this.#active.filter(isMeant);
    this.#active = this.#active.filter((active) => !isMeant(active));
    for (const { fault, resource, timer } of cleared) {
      clearTimeout(timer);
      this.#onChange({ fault, ...(resource === undefined ? {} : { resource }), isOn: false });
    }
  }
}

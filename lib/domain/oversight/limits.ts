/** A threshold of the rules that the config may set for a scope. */
type Limit = { default: number; min: number; max: number; unit: string; about: string };

/** Every threshold, with its default; docs/findings.md is generated from these. */
export const oversightLimits = {
  inconclusiveMinutes: {
    default: 30,
    min: 1,
    max: 10_080,
    unit: "minutes",
    about: "how long an Inconclusive result may wait for a person",
  },
  waitingMinutes: {
    default: 240,
    min: 1,
    max: 43_200,
    unit: "minutes",
    about: "how long any other pause or gate may wait for a person",
  },
  trafficAfterAbortSeconds: {
    default: 60,
    min: 5,
    max: 3600,
    unit: "seconds",
    about: "how long an aborted version may still get traffic",
  },
  recreatedRuns: {
    default: 3,
    min: 2,
    max: 100,
    unit: "runs",
    about: "how often the controller may start the same analysis again without a person",
  },
  flips: {
    default: 6,
    min: 2,
    max: 90,
    unit: "changes",
    about: "how often a metric may change between good and bad within its newest 100 measurements",
  },
  lostMeasurements: {
    default: 1,
    min: 1,
    max: 100_000,
    unit: "measurements",
    about: "how many lost or overwritten measurements of a run are reported",
  },
  keepOpenHours: {
    default: 168,
    min: 1,
    max: 2160,
    unit: "hours",
    about: "after how long a finding about something that happened once closes by itself",
  },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof oversightLimits;
export type OversightLimits = Readonly<Record<LimitName, number>>;

export const limitNames = Object.keys(oversightLimits) as LimitName[];

export const defaultLimits = Object.fromEntries(
  limitNames.map((name) => [name, oversightLimits[name].default]),
) as OversightLimits;

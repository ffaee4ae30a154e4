/** A threshold of the rules that the config may set for a scope. */
type Limit = { default: number; min: number; max: number; unit: string; about: string };

/** The thresholds that depend on how a team works; docs/findings.md is generated from these. */
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
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof oversightLimits;
export type OversightLimits = Readonly<Record<LimitName, number>>;

export const limitNames = Object.keys(oversightLimits) as LimitName[];

export const defaultLimits = Object.fromEntries(
  limitNames.map((name) => [name, oversightLimits[name].default]),
) as OversightLimits;

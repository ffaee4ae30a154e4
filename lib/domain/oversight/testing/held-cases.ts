import { at, seen } from "./facts.ts";
import type { Case } from "./ignored-cases.ts";

const hold = { runKey: "new", step: 1, run: "app-new-2", at: at(20), outcome: "placed", message: null } as const;

/** A pause that Gatehouse set after an Inconclusive result: whether it stands, was lifted, refused, or never answered. */
export const heldCases: readonly Case[] = [
  {
    rule: "held-by-gatehouse",
    name: "a pause that stands",
    facts: { holds: [hold], observations: [seen(10), seen(21, { isPausedByPerson: true })] },
    found: ["warning: Gatehouse paused this rollout after an Inconclusive result"],
  },
  {
    rule: "held-by-gatehouse",
    name: "a pause that the watch has not shown yet",
    facts: { holds: [hold], observations: [seen(10)] },
    found: ["warning: Gatehouse paused this rollout after an Inconclusive result"],
  },
  {
    rule: "held-by-gatehouse",
    name: "a pause that somebody lifted",
    facts: { holds: [hold], observations: [seen(10), seen(21, { isPausedByPerson: true }), seen(30)] },
    found: ["warning: Gatehouse paused this rollout after an Inconclusive result (over)"],
  },
  {
    rule: "held-by-gatehouse",
    name: "a pause that the cluster refused",
    facts: { holds: [{ ...hold, outcome: "refused", message: "forbidden" }] },
    found: ["critical: Gatehouse could not pause this rollout after an Inconclusive result"],
  },
  {
    rule: "held-by-gatehouse",
    name: "a pause without an answer yet",
    facts: { holds: [{ ...hold, outcome: null }], now: at(79) },
    found: [],
  },
  {
    rule: "held-by-gatehouse",
    name: "a pause that never got an answer",
    facts: { holds: [{ ...hold, outcome: null }], now: at(80) },
    found: ["critical: It is not known whether Gatehouse paused this rollout after an Inconclusive result"],
  },
];

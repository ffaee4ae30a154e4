import { describe, expect, it } from "vitest";
import { parseCanary } from "#lib/domain/flagger/objects/canary-object.ts";
import { findStepGateWait } from "./step-gate-wait.ts";

const advance = (weight: number) => `Advance a.b canary weight ${weight}`;
const waiting = (hook = "gate") => `Halt a.b advancement waiting for traffic increase approval ${hook}`;
const passed = (hook = "gate") => `Confirm-traffic-increase check ${hook} passed`;
const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString();

function canaryOf(phase: string, since: string | undefined) {
  const conditions = since === undefined ? [] : [{ type: "Promoted", reason: phase, lastUpdateTime: since }];
  const parsed = parseCanary({
    apiVersion: "flagger.app/v1beta1",
    kind: "Canary",
    metadata: { name: "a", namespace: "b", uid: "u", resourceVersion: "1" },
    spec: { targetRef: { kind: "Deployment", name: "a" } },
    status: { phase, conditions },
  });
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

type Case = {
  name: string;
  /** Ten seconds apart. */
  texts: string[];
  phase?: string;
  since?: string;
  wait: ReturnType<typeof findStepGateWait>;
};

const cases: Case[] = [
  { name: "nothing said", texts: [], wait: undefined },
  { name: "a refusal after a step", texts: [advance(20), waiting()], wait: { hook: "gate", at: at(10), isCut: false } },
  {
    name: "repeated refusals begin with the first",
    texts: [advance(20), waiting(), "Rollback hook r not signaling a rollback", waiting()],
    wait: { hook: "gate", at: at(10), isCut: false },
  },
  {
    name: "at weight 0 every check says that the analysis starts",
    texts: [waiting(), "Starting canary analysis for a.b", waiting()],
    wait: { hook: "gate", at: at(0), isCut: true },
  },
  { name: "the weight was raised", texts: [advance(20), waiting(), advance(40)], wait: undefined },
  {
    name: "approved, and a metric halts",
    texts: [waiting(), passed(), "Halt a.b advancement x 1.00 > 0"],
    wait: undefined,
  },
  {
    name: "another hook of the gate agrees",
    texts: [waiting("two"), passed("one"), waiting("two")],
    wait: { hook: "two", at: at(0), isCut: true },
  },
  { name: "copying", texts: [waiting(), "Copying a.b template spec to a-primary.b"], wait: undefined },
  {
    name: "another revision",
    texts: [waiting(), "New revision detected! Restarting analysis for a.b"],
    wait: undefined,
  },
  { name: "rolled back", texts: [waiting(), "Rolling back a.b manual webhook invoked"], wait: undefined },
  { name: "a wait for the start", texts: ["Halt a.b advancement waiting for approval gate"], wait: undefined },
  { name: "another phase", texts: [waiting()], phase: "WaitingPromotion", wait: undefined },
  { name: "of an older run", texts: [waiting(), "unknown"], since: at(5), wait: undefined },
  {
    name: "folded by Kubernetes",
    texts: [advance(20), `(combined from similar events): ${waiting()}`],
    wait: { hook: "gate", at: at(10), isCut: false },
  },
  {
    name: "longer than what is known, which begins with another message of a check",
    texts: ["Starting canary analysis for a.b", waiting()],
    wait: { hook: "gate", at: at(10), isCut: true },
  },
  {
    name: "the first refusal of a run",
    texts: [waiting(), waiting()],
    since: at(5),
    wait: { hook: "gate", at: at(10), isCut: false },
  },
  { name: "longer than what is known", texts: [waiting(), waiting()], wait: { hook: "gate", at: at(0), isCut: true } },
];

describe("findStepGateWait", () => {
  it.each(cases)("$name", ({ texts, phase = "Progressing", since, wait }) => {
    const messages = texts.map((text, index) => ({ at: at(index * 10), text }));
    expect(findStepGateWait(canaryOf(phase, since), messages)).toEqual(wait);
  });
});

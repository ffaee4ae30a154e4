import { describe, expect, it } from "vitest";
import { findCause } from "./find-cause.ts";
import { advance, copying, halt, rolledBack, started, tellMessages, tickZero } from "./testing/run-messages.ts";

const threshold = "Rolling back a.b failed checks threshold reached 2";
const manual = "Rolling back a.b manual webhook invoked";
const fired = "Rollback check undo passed";
const late = 'canary deployment a.b not ready: deployment "a" exceeded its progress deadline';
const notYet = "canary deployment a.b not ready: waiting for rollout to finish: 1 old replicas are pending termination";
const primary = 'a-primary.b not ready: deployment "a-primary" exceeded its progress deadline';
const promotionFailed = `Promotion of a.b failed, primary not ready: ${primary}`;

describe("findCause", () => {
  it.each<{ name: string; texts: (string | [number, string])[]; cause: string | undefined }>([
    { name: "the last failed check", texts: [halt("x"), halt("y"), threshold, rolledBack], cause: halt("y") },
    { name: "not a wait for pods between", texts: [halt("x"), notYet, threshold, rolledBack], cause: halt("x") },
    { name: "a person, after failed checks", texts: [halt("x"), fired, manual, rolledBack], cause: manual },
    {
      name: "a person, although the threshold is announced too",
      texts: [halt("x"), [20, fired], [20, manual], [20, threshold], [20, rolledBack]],
      cause: manual,
    },
    {
      name: "a deadline, although the threshold is announced too",
      texts: [halt("x"), [20, late], [20, threshold]],
      cause: late,
    },
    { name: "a deadline", texts: [started, tickZero, late, rolledBack], cause: late },
    { name: "the primary, before 1.44.0", texts: [copying, primary, rolledBack, primary], cause: primary },
    {
      name: "the failed promotion",
      texts: [halt("x"), copying, primary, promotionFailed, primary],
      cause: promotionFailed,
    },
    {
      name: "the number of failed checks, if they were lost",
      texts: [advance(20), threshold, rolledBack],
      cause: threshold,
    },
    { name: "not what follows the end", texts: [halt("x"), threshold, rolledBack, late], cause: halt("x") },
    { name: "nothing", texts: [started, advance(20), rolledBack], cause: undefined },
    { name: "no messages", texts: [], cause: undefined },
  ])("$name", ({ texts, cause }) => {
    expect(findCause(tellMessages(texts))?.message.text).toBe(cause);
  });
});

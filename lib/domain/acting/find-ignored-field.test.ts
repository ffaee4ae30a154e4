import { describe, expect, it } from "vitest";
import { findIgnoredField } from "./find-ignored-field.ts";

describe("findIgnoredField", () => {
  it.each([
    { name: "value set", asked: { status: { abort: true } }, answered: { status: { abort: true } } },
    { name: "null, absent", asked: { status: { pauseConditions: null } }, answered: { status: {} } },
    { name: "null, no status left", asked: { status: { pauseConditions: null } }, answered: { metadata: {} } },
    {
      name: "null, empty list",
      asked: { status: { pauseConditions: null } },
      answered: { status: { pauseConditions: [] } },
    },
    { name: "false, left out", asked: { spec: { paused: false } }, answered: { spec: {} } },
    {
      name: "a list with what the server added",
      asked: { c: [{ name: "a", image: "x:1" }] },
      answered: { c: [{ image: "x:1", name: "a", imagePullPolicy: "Always" }] },
    },
    { name: "empty text, left out", asked: { a: "" }, answered: {} },
    { name: "zero, left out", asked: { status: { currentStepIndex: 0 } }, answered: { status: {} } },
  ])("finds nothing: $name", ({ asked, answered }) => {
    expect(findIgnoredField({ asked, answered })).toBeUndefined();
  });

  it.each([
    { name: "value missing", asked: { status: { abort: true } }, answered: { status: {} }, field: "status.abort" },
    { name: "no object", asked: { status: { abort: true } }, answered: undefined, field: "status.abort" },
    {
      name: "other value",
      asked: { status: { currentStepIndex: 3 } },
      answered: { status: { currentStepIndex: 2 } },
      field: "status.currentStepIndex",
    },
    { name: "zero against one", asked: { a: 0 }, answered: { a: 1 }, field: "a" },
    {
      name: "null, still there",
      asked: { status: { pauseConditions: null } },
      answered: { status: { pauseConditions: [{}] } },
      field: "status.pauseConditions",
    },
    { name: "in a list", asked: { c: [{ a: 1 }, { a: 2 }] }, answered: { c: [{ a: 1 }, { a: 3 }] }, field: "c[1].a" },
    { name: "a longer list", asked: { c: [1] }, answered: { c: [1, 2] }, field: "c" },
    { name: "a shorter list", asked: { c: [1, 2] }, answered: { c: [1] }, field: "c" },
    { name: "no list", asked: { c: [1] }, answered: { c: { 0: 1 } }, field: "c" },
    { name: "second field", asked: { a: 1, b: 2 }, answered: { a: 1, b: 3 }, field: "b" },
  ])("names the field: $name", ({ asked, answered, field }) => {
    expect(findIgnoredField({ asked, answered })).toBe(field);
  });
});

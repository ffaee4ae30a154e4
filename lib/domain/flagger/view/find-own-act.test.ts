import { expect, it } from "vitest";
import { findOwnAct } from "./find-own-act.ts";

it.each([
  { name: "nothing ends the wait", deadline: null, is: undefined },
  {
    name: "the wait for the primary ends",
    deadline: "2026-11-20T11:00:00.000Z",
    is: { text: "Flagger stops waiting for the primary by itself", at: "2026-11-20T11:00:00.000Z" },
  },
])("if $name", ({ deadline, is }) => {
  expect(findOwnAct({ deadline })).toEqual(is);
});

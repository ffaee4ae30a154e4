import { expect, it } from "vitest";
import { isUnwritableError } from "./is-unwritable-error.ts";

const withCode = (code: string) => Object.assign(new Error("x"), { code });

it.each([
  { name: "a standby", error: withCode("25006"), expected: true },
  { name: "a full disk", error: withCode("53100"), expected: true },
  { name: "a file that cannot be written", error: withCode("58030"), expected: true },
  {
    name: "the driver's error inside Prisma's",
    error: Object.assign(withCode("P2010"), {
      meta: { driverAdapterError: new Error("x", { cause: { originalCode: "25006", kind: "postgres" } }) },
    }),
    expected: true,
  },
  { name: "one inside another", error: new Error("outer", { cause: withCode("25006") }), expected: true },
  { name: "a server that is away", error: withCode("57P01"), expected: false },
  { name: "a duplicate key", error: withCode("23505"), expected: false },
  { name: "no error", error: { code: "25006" }, expected: false },
])("$name: $expected", ({ error, expected }) => {
  expect(isUnwritableError(error)).toBe(expected);
});

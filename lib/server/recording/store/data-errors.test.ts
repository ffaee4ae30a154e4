import { expect, it } from "vitest";
import { isDataError } from "#lib/server/recording/store/data-errors.ts";

/** An error of Prisma's client, with the driver's error as it keeps it. */
function prismaError(code: string, originalCode: string): Error {
  const meta = { driverAdapterError: { name: "DriverAdapterError", cause: { originalCode, originalMessage: "m" } } };
  return Object.assign(new Error("m"), { name: "PrismaClientKnownRequestError", code, meta });
}

it.each([
  { name: "a missing row", error: prismaError("P2003", "23503"), isData: true },
  { name: "a value of another type", error: prismaError("P2007", "22P02"), isData: true },
  { name: "a name that is too long for an index", error: prismaError("P2010", "54000"), isData: true },
  { name: "a lost connection", error: prismaError("P1017", "57P01"), isData: false },
  { name: "the driver's own", error: Object.assign(new Error("m"), { code: "22021" }), isData: true },
  { name: "the driver's own, of a deadlock", error: Object.assign(new Error("m"), { code: "40P01" }), isData: false },
  { name: "a mistake in our code", error: new TypeError("m"), isData: true },
])("tells whether rows are at fault: $name", ({ error, isData }) => {
  expect(isDataError(error)).toBe(isData);
});

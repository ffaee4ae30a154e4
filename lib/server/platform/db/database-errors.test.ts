import { expect, it } from "vitest";
import { asUnreachable, ClusterUnreachableError } from "#lib/server/clusters/kubernetes/cluster-errors.ts";
import { isConnectionError, isUnwritableError } from "./database-errors.ts";

const withCode = (code: string, message = "x") => Object.assign(new Error(message), { code });

it.each([
  { name: "a refused connection", error: withCode("ECONNREFUSED"), expected: true },
  {
    name: "a refused connection on both address families",
    error: new AggregateError([withCode("ECONNREFUSED")]),
    expected: true,
  },
  { name: "a server that shuts down", error: withCode("57P01"), expected: true },
  { name: "a server that starts", error: withCode("57P03"), expected: true },
  { name: "a session that was idle for too long", error: withCode("57P05"), expected: true },
  {
    name: "a socket that is not there",
    error: Object.assign(withCode("ENOENT"), { syscall: "connect" }),
    expected: true,
  },
  { name: "a file that is not there", error: Object.assign(withCode("ENOENT"), { syscall: "open" }), expected: false },
  {
    name: "a cluster that does not answer",
    error: new ClusterUnreachableError({
      cluster: "prod",
      sent: false,
      message: "connect ECONNREFUSED",
      cause: withCode("ECONNREFUSED"),
    }),
    expected: false,
  },
  {
    name: "what a cluster's silence led to",
    error: new Error("outer", { cause: asUnreachable({ cluster: "prod", error: withCode("ECONNRESET") }) }),
    expected: false,
  },
  { name: "a lost connection", error: new Error("Connection terminated unexpectedly"), expected: true },
  {
    name: "a database that takes nobody in",
    error: withCode("55000", 'database "x" is not currently accepting connections'),
    expected: true,
  },
  { name: "a silent line", error: new Error("Query read timeout"), expected: true },
  { name: "Prisma without a server", error: withCode("P1001"), expected: true },
  {
    name: "the driver's error inside Prisma's",
    error: Object.assign(withCode("P2010"), {
      meta: { driverAdapterError: new Error("x", { cause: { originalCode: "57P01", kind: "postgres" } }) },
    }),
    expected: true,
  },
  { name: "one inside another", error: new Error("outer", { cause: withCode("08006") }), expected: true },
  { name: "a wrong query", error: withCode("42601"), expected: false },
  { name: "a duplicate key", error: withCode("23505"), expected: false },
  { name: "a bug", error: new TypeError("x is undefined"), expected: false },
  { name: "no error", error: "ECONNREFUSED", expected: false },
])("the database is away: $name: $expected", ({ error, expected }) => {
  expect(isConnectionError(error)).toBe(expected);
});

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
])("the database refuses writes: $name: $expected", ({ error, expected }) => {
  expect(isUnwritableError(error)).toBe(expected);
});

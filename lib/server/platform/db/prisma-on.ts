import { AsyncLocalStorage } from "node:async_hooks";
import { PrismaPg } from "@prisma/adapter-pg";
import type { SqlQuery } from "@prisma/driver-adapter-utils";
import pg from "pg";
import { PrismaClient } from "./generated/client.ts";
import type { Connection } from "./run-query.ts";

const current = new AsyncLocalStorage<Connection>();

type Statement = { types?: pg.CustomTypesConfig };

/** Stands in for Prisma's pool. Each statement runs on the connection that its caller named. */
class NamedConnection extends pg.Pool {
  override query: pg.Pool["query"] = (...args: unknown[]) => {
    const connection = current.getStore();
    if (connection === undefined) throw new Error("a Prisma call without a connection: call it by prismaOn()");
    const [statement, ...rest] = args;
    return Reflect.apply(connection.query, connection, [withZones(statement as Statement), ...rest]);
  };

  /** Called for nested writes, for transactions of Prisma's own, and for calls of more than 32,766 parameters. */
  override connect(): never {
    throw new Error(
      "Prisma cannot open a transaction here: use inTransaction(), one call for each table, and at most 32,766 parameters a call",
    );
  }
}

/** Prisma's driver reads every time as UTC, whatever the zone of the session. */
function withZones(statement: Statement): Statement {
  const { types } = statement;
  if (types === undefined) return statement;
  const getTypeParser: typeof types.getTypeParser = (type, format) =>
    type === pg.types.builtins.TIMESTAMPTZ && format === "text" ? readTime : types.getTypeParser(type, format);
  return { ...statement, types: { getTypeParser } };
}

/** PostgreSQL writes whole hours of the zone as `+02`. */
function readTime(text: string): string {
  return text.replace(" ", "T").replace(/([+-]\d{2})$/, "$1:00");
}

/** It sends times without a zone, which PostgreSQL would read in the zone of the session. */
class ZonedPrismaPg extends PrismaPg {
  override async connect(): ReturnType<PrismaPg["connect"]> {
    const adapter = await super.connect();
    const [queryRaw, executeRaw] = [adapter.queryRaw.bind(adapter), adapter.executeRaw.bind(adapter)];
    adapter.queryRaw = (query) => queryRaw(sendZones(query));
    adapter.executeRaw = (query) => executeRaw(sendZones(query));
    return adapter;
  }
}

function sendZones(query: SqlQuery): SqlQuery {
  const isTime = (index: number) => query.argTypes[index]?.scalarType === "datetime";
  return {
    ...query,
    args: query.args.map((arg, index) =>
      isTime(index) && arg !== null ? new Date(arg as string | Date).toISOString() : arg,
    ),
    argTypes: query.argTypes.map((type) => (type.scalarType === "datetime" ? { ...type, scalarType: "string" } : type)),
  };
}

const create = () => {
  const base = new PrismaClient({ adapter: new ZonedPrismaPg(new NamedConnection()) });
  return (connection: Connection) =>
    base.$extends({
      query: {
        $allOperations({ model, operation, args, query }) {
          // Prisma puts all findUnique calls of one tick into one statement, of other connections too.
          if (operation.startsWith("findUnique")) throw new Error(`${model}.${operation}: use findFirst`);
          // Awaited inside: the call runs only when it is awaited.
          return current.run(connection, async () => await query(args));
        },
      },
    });
};

/** One for the process instead of one for each of Next's bundles: the query compiler and its tables take 20 MB. */
const handle = Symbol.for("gatehouse.prisma");
type Holder = { [handle]?: ReturnType<typeof create> };
const holder = globalThis as Holder;

const clients = new WeakMap<Connection, ReturnType<ReturnType<typeof create>>>();

/**
 * Returns Prisma's client on this pool, or in the transaction of this connection, where statements of Kysely run beside
 * its calls (docs/adr/0015). Its calls fail with errors that `isConnectionError` and `isUnwritableError` understand.
 */
export function prismaOn(connection: Connection) {
  let client = clients.get(connection);
  if (client === undefined) {
    holder[handle] ??= create();
    client = holder[handle](connection);
    clients.set(connection, client);
  }
  return client;
}

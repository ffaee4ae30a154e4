import { AsyncLocalStorage } from "node:async_hooks";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { PrismaClient } from "./generated/client.ts";
import type { Connection } from "./run-query.ts";

const current = new AsyncLocalStorage<Connection>();

/** The pool that Prisma believes to have. Each statement runs on the connection that its caller named. */
class NamedConnection extends pg.Pool {
  override query: pg.Pool["query"] = (...args: unknown[]) => {
    const connection = current.getStore();
    if (connection === undefined) throw new Error("a Prisma call without a connection: call it by prismaOn()");
    return Reflect.apply(connection.query, connection, args);
  };

  /** Prisma wants a transaction of its own for nested writes, and for interactive and batched transactions. */
  override connect(): never {
    throw new Error("Prisma cannot open a transaction here: use inTransaction(), and one call for each table");
  }
}

const create = () => {
  const base = new PrismaClient({ adapter: new PrismaPg(new NamedConnection()) });
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

let clientOn: ReturnType<typeof create> | undefined;
const clients = new WeakMap<Connection, ReturnType<ReturnType<typeof create>>>();

/**
 * Returns Prisma's client on this pool, or in the transaction of this connection, where statements of Kysely run beside
 * its calls (docs/adr/0015). Its calls fail with errors that `isConnectionError` and `isUnwritableError` understand.
 */
export function prismaOn(connection: Connection) {
  let client = clients.get(connection);
  if (client === undefined) {
    clientOn ??= create();
    client = clientOn(connection);
    clients.set(connection, client);
  }
  return client;
}

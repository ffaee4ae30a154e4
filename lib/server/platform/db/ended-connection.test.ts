import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRecorderPool } from "#lib/server/recording/store/recorder-pool.ts";
import { createWebPool } from "./pools.ts";

/** A server that accepts a client and ends its session at once, as in a failover. */
let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(Buffer.concat([authenticationOk, readyForQuery, adminShutdown])));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `postgresql://somebody:any@127.0.0.1:${(server.address() as AddressInfo).port}/gatehouse`;
});
afterAll(() => server.close());

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
const authenticationOk = message("R", Buffer.from([0, 0, 0, 0]));
const readyForQuery = message("Z", Buffer.from("I"));
const adminShutdown = message("E", Buffer.from("SFATAL\0C57P01\0Mterminating connection\0\0"));

const onError = () => {};

describe.each([
  { name: "web", create: (): Pool => createWebPool({ url, onError }) },
  { name: "the recorder", create: (): Pool => createRecorderPool({ url, onError }) },
])("a connection of $name that ends as it is handed out", ({ create }) => {
  it("is told by the query, and does not end the process", async () => {
    const pool = create();
    const uncaught: unknown[] = [];
    const note = (error: unknown) => uncaught.push(error);
    process.on("uncaughtException", note);
    try {
      const client = await pool.connect();
      await expect(client.query("SELECT 1")).rejects.toThrow();
      client.release(true);
      expect(uncaught).toEqual([]);
    } finally {
      process.off("uncaughtException", note);
      await pool.end();
    }
  });
});

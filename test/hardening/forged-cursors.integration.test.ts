import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Endpoint } from "#lib/contract/endpoint.ts";
import { endpoints } from "#lib/contract/endpoint-table.ts";
import type { RouteHandler } from "#lib/server/edge/http/endpoint.ts";
import { configOf, openSession } from "#test/hardening/people.ts";
import { plantSeed, type Seed } from "#test/hardening/seed.ts";
import { startTestWeb, type TestWeb, testOrigin } from "#test/web-runtime.ts";

let web: TestWeb;
let seed: Seed;
/** Requests are limited per person, so there are many people with the same name. */
let cookie: string;
let asked = 0;
beforeAll(async () => {
  web = await startTestWeb({ config: configOf({ clusters: [{ name: "demo", server: "http://127.0.0.1:1" }] }) });
  seed = await plantSeed(web);
});
afterAll(() => web.close());

type Entry = Omit<Endpoint, "status"> & { status?: number };
const lists = (Object.entries(endpoints) as [string, Entry][]).filter(
  ([, { query }]) => query instanceof z.ZodObject && "cursor" in query.shape,
);

/** Values that a sort key may contain, and values that must never reach a sort column. */
const parts: unknown[] = [
  ...["", "x", "\u0000", "a\u0000b", "\ud800", "%", "é", "7", "null", "infinity", "-infinity", "now"],
  ...[0, -1, 1, 1.5, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, -(2 ** 63), 1e308, null, true, [], {}, ["x"]],
  ...["2026-11-20 10:00:00+00", "2026-02-30 10:00:00+00", "9999-99-99 99:99:99+99", "294277-01-01 00:00:00+00"],
  ...["999999-12-31 23:59:59.999999+00", "0000-01-01 00:00:00+00", "2026-11-20 10:00:00+15:59"],
  ...["00000000-0000-4000-8000-000000000000", "00000000-0000-4000-8000-00000000000g"],
];
const few = ["2026-11-20 10:00:00+00", "999999-12-31 23:59:59+00", "00000000-0000-4000-8000-000000000000", "x\u0000"];
const fewNumbers = [1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53];

function* forgedKeys(): Generator<unknown> {
  yield* parts;
  for (const part of parts) yield [part];
  for (const one of few) for (const other of [...parts, ...fewNumbers]) yield [one, other];
  for (const number of fewNumbers) for (const other of few) yield [number, other];
  const some = [...few, 2 ** 31];
  for (const one of some) for (const two of some) for (const three of some) yield [one, two, three];
  yield ["x", "x", "x", "x"];
}

const textsOfNoKey = [
  "x",
  "....",
  "%00",
  "\u0000",
  "[]",
  Buffer.from("[").toString("base64url"),
  Buffer.from("null").toString("base64url"),
  Buffer.from([0xff, 0xfe, 0xed, 0xa0, 0x80]).toString("base64url"),
  ...Array.from({ length: 20 }, () => randomBytes(24).toString("base64url")),
  "A".repeat(500),
];

async function ask([, { path, method }]: [string, Entry], cursor: string): Promise<number> {
  const folder = path.replaceAll("{", "[").replaceAll("}", "]");
  const module = (await import(join(import.meta.dirname, "../../app", folder, "route.ts"))) as Record<
    string,
    RouteHandler
  >;
  const places: Record<string, string> = path.includes("{templateKind}") ? seed.template : seed.path;
  const params = Object.fromEntries(
    [...path.matchAll(/\{([^}]+)\}/g)].map(([, key = ""]) => [key, places[key] ?? seed.runUid]),
  );
  const url = new URL(path.replaceAll(/\{([^}]+)\}/g, "x"), testOrigin);
  url.searchParams.set("cursor", cursor);
  if (asked++ % 50 === 0) cookie = (await openSession(web, "admin", { subject: `admin-${asked}` })).cookie;
  const request = new Request(url, { headers: { cookie } });
  const response = await module[method]?.(request, { params: Promise.resolve(params) });
  const text = await response?.text();
  if (response?.status === 400) expect(JSON.parse(text ?? "")).toMatchObject({ code: "invalid_request" });
  return response?.status ?? 0;
}

describe("a forged cursor", () => {
  it("may be sent to many lists", () => {
    expect(lists.length).toBeGreaterThan(12);
  });

  it.each(lists)("that is no key at all is refused by %s", async (...list) => {
    for (const text of textsOfNoKey) expect([text, await ask(list, text)]).toEqual([text, 400]);
  });

  it.each(lists)("never breaks %s", async (...list) => {
    const answers = new Map<number, unknown>();
    for (const key of forgedKeys()) {
      const status = await ask(list, Buffer.from(JSON.stringify(key) ?? "").toString("base64url"));
      if (!answers.has(status)) answers.set(status, key);
    }
    expect(Object.fromEntries(answers)).not.toHaveProperty("500");
    expect([...answers.keys()].filter((status) => ![200, 400].includes(status))).toEqual([]);
  });
});

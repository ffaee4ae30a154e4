import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
// @ts-expect-error -- plain JavaScript without types: it runs before anything is installed.
import { findAdvisories } from "./ask-advisories.mjs";

type Query = { package: { name: string; ecosystem: string }; version: string; page_token?: string };
type Answer = { vulns?: { id: string }[]; next_page_token?: string };

let server: Server;
let api: string;
let batches: Query[][];
let answerOf: (query: Query) => Answer;
let advisories: Record<string, Record<string, unknown>>;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const end = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body));
    const [, id] = /^\/v1\/vulns\/(.+)$/.exec(request.url ?? "") ?? [];
    if (id !== undefined) return end(advisories[id] === undefined ? 404 : 200, advisories[id] ?? {});
    const { queries } = (await json(request)) as { queries: Query[] };
    batches.push(queries);
    return end(200, { results: queries.map(answerOf) });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  batches = [];
  answerOf = () => ({});
  advisories = {};
});

const lockOf = (names: string[]) => ({
  packages: {
    "": {},
    "packages/client": {},
    "node_modules/own": { link: true },
    ...Object.fromEntries(names.map((name) => [`node_modules/${name}`, { version: "1.0.0" }])),
  },
});
const answerFor = (name: string, ids: string[]) => {
  answerOf = (query) => (query.package.name === name ? { vulns: ids.map((id) => ({ id })) } : {});
};

describe("asking OSV", () => {
  it("names every package of the lock file once, as npm's", async () => {
    const lock = lockOf(["a", "@s/b", "a/node_modules/@s/b"]);
    expect(await findAdvisories({ lock, api })).toEqual({ asked: 2, lines: [] });
    expect(batches).toEqual([
      [
        { package: { name: "a", ecosystem: "npm" }, version: "1.0.0" },
        { package: { name: "@s/b", ecosystem: "npm" }, version: "1.0.0" },
      ],
    ]);
  });

  it("asks about so many at once as OSV takes", async () => {
    const names = Array.from({ length: 1001 }, (_, index) => `p${index}`);
    expect(await findAdvisories({ lock: lockOf(names), api })).toEqual({ asked: 1001, lines: [] });
    expect(batches.map(({ length }) => length)).toEqual([1000, 1]);
  });

  it("finds what is high, critical or without a severity, and leaves out what is not or was withdrawn", async () => {
    advisories = {
      "GHSA-high": { summary: "reads files", database_specific: { severity: "HIGH" } },
      "GHSA-low": { database_specific: { severity: "LOW" } },
      "GHSA-moderate": { database_specific: { severity: "MODERATE" } },
      "GHSA-gone": { withdrawn: "2026-01-01T00:00:00Z", database_specific: { severity: "CRITICAL" } },
      "MAL-2026-1": {},
    };
    answerFor("a", Object.keys(advisories));
    expect((await findAdvisories({ lock: lockOf(["a", "b"]), api })).lines).toEqual([
      "GHSA-high (HIGH): a@1.0.0: reads files",
      "MAL-2026-1 (of unknown severity): a@1.0.0: no summary",
    ]);
  });

  it("reads all pages of an answer", async () => {
    advisories = { one: {}, two: {} };
    answerOf = ({ page_token }) =>
      page_token === undefined ? { vulns: [{ id: "one" }], next_page_token: "p2" } : { vulns: [{ id: "two" }] };
    expect((await findAdvisories({ lock: lockOf(["a"]), api })).lines).toHaveLength(2);
    expect(batches.map(([query]) => query?.page_token)).toEqual([undefined, "p2"]);
  });

  it("fails if pages never end, an advisory cannot be read, or nobody answers", async () => {
    answerOf = () => ({ next_page_token: "again" });
    await expect(findAdvisories({ lock: lockOf(["a"]), api })).rejects.toThrow("does not come to an end for a");
    answerFor("a", ["GHSA-none"]);
    await expect(findAdvisories({ lock: lockOf(["a"]), api })).rejects.toThrow("answered 404");
    await expect(findAdvisories({ lock: lockOf(["a"]), api: "http://127.0.0.1:1" })).rejects.toThrow();
  });
});

import { describe, expect, it } from "vitest";
// @ts-expect-error -- plain JavaScript without types: it runs before anything is installed.
import { findProblems, rules } from "./conventions.mjs";
// @ts-expect-error -- as above.
import { findBrokenPaths, findUnlistedPages, listAnchors } from "./doc-paths.mjs";

type Problem = { rule: string; line: number; message: string };
type Case = { name: string; file: string; text: string; expected: string[] };

const service = "lib/server/pages/x.ts";
const cases: Case[] = [
  {
    name: "process.env in a service",
    file: service,
    text: "const a = process.env.HOME;",
    expected: ["env-only-in-config"],
  },
  { name: "process?.env", file: "components/ui/x.tsx", text: "process?.env", expected: ["env-only-in-config"] },
  { name: 'process["env"]', file: "sandbox/x.ts", text: 'process["env"]', expected: ["env-only-in-config"] },
  ...[
    "sql`SET statement_timeout = '1s'`",
    "sql`LISTEN gatehouse_change`",
    "sql`SELECT pg_advisory_lock(1)`",
    "sql`CREATE TEMP TABLE x (id int)`",
    "sql`SELECT set_config('role', 'x', false)`",
  ].map((text) => ({ name: `session state: ${text}`, file: service, text, expected: ["no-session-state"] })),
  ...[
    "sql`SET LOCAL lock_timeout = '1s'`",
    "sql`SELECT pg_advisory_xact_lock(1)`",
    "sql`UPDATE rollout SET step = 'x'`",
  ].map((text) => ({ name: `state of a transaction: ${text}`, file: service, text, expected: [] })),
  {
    name: "the connection that listens",
    file: "lib/server/process/change-bell.ts",
    text: "sql`LISTEN gatehouse_change`",
    expected: [],
  },
  {
    name: "env imported",
    file: "lib/util/x.ts",
    text: 'import { env } from "node:process";',
    expected: ["env-only-in-config"],
  },
  { name: "env in a route", file: "app/x/route.ts", text: "process.env.X", expected: ["env-only-in-config"] },
  { name: "env in the config folder", file: "lib/server/platform/config/x.ts", text: "process.env.X", expected: [] },
  { name: "env of a child", file: "bin/x.ts", text: "({ ...process.env })", expected: [] },
  { name: "the build's own constant", file: "instrumentation.ts", text: "process.env.NEXT_RUNTIME", expected: [] },
  {
    name: "another variable there",
    file: "instrumentation.ts",
    text: "process.env.NEXT_RUNTIMES",
    expected: ["env-only-in-config"],
  },
  {
    name: "a comment about it",
    file: service,
    text: "// process.env is not read here\n/* process.env */",
    expected: [],
  },
  {
    name: "an old word on a page",
    file: "components/ui/x.tsx",
    text: "<p>Nobody waits</p>",
    expected: ["interface-words"],
  },
  { name: "the same in a comment", file: "components/ui/x.tsx", text: "// nobody waits", expected: [] },
  { name: "new Response", file: service, text: "return new Response(x)", expected: ["services-without-response"] },
  { name: "Response.json", file: service, text: "return Response.json(x)", expected: ["services-without-response"] },
  {
    name: "a return type",
    file: service,
    text: "function a(): Promise<Response> {",
    expected: ["services-without-response"],
  },
  { name: "Response elsewhere", file: "lib/server/edge/http/x.ts", text: "new Response(x)", expected: [] },
  { name: "another word", file: service, text: "const x: ResponseLike = 1;", expected: [] },
  {
    name: "columns that nothing checks",
    file: service,
    text: "tables.updateTable(x).set(({ ref }) => ({ y: ref(z) })).where(w);",
    expected: ["columns-of-a-callback"],
  },
  {
    name: "columns that are checked",
    file: service,
    text: 'tables.updateTable(x).set(({ ref }) => ({ y: ref(z) }) satisfies Columns<"x">).where(w);',
    expected: [],
  },
  { name: "SQL as text", file: service, text: 'await pool.query("SELECT 1")', expected: ["queries-only-in-db"] },
  {
    name: "SQL with a type by hand",
    file: "bin/x.ts",
    text: "tx\n  .query<{ id: string }>(text)",
    expected: ["queries-only-in-db"],
  },
  { name: "SQL in its own room", file: "lib/server/platform/db/x.ts", text: "pool.query(text)", expected: [] },
  {
    name: "SQL before a schema exists",
    file: "lib/server/platform/embedded-postgres/x.ts",
    text: "c.query(x)",
    expected: [],
  },
  { name: "SQL in a test", file: "lib/server/x.integration.test.ts", text: "pool.query(text)", expected: [] },
  { name: "another property", file: service, text: "request.query.limit; useQuery(x)", expected: [] },
  {
    name: "an error by its class",
    file: service,
    text: "if (error instanceof ServiceError) return;",
    expected: ["errors-by-brand"],
  },
  {
    name: "the driver's class",
    file: "lib/x.ts",
    text: "e instanceof pg.DatabaseError",
    expected: ["errors-by-brand"],
  },
  {
    name: "a class of the language",
    file: "proxy.ts",
    text: "(e instanceof AggregateError, e instanceof Error)",
    expected: [],
  },
  { name: "in a test, which is one bundle", file: "lib/x.test.ts", text: "e instanceof ServiceError", expected: [] },
  {
    name: "an error without its name",
    file: "bin/x.ts",
    text: "class Stop extends Error {}",
    expected: ["errors-by-name"],
  },
  { name: "an error with its name", file: "bin/x.ts", text: "class StopError extends ServiceError {}", expected: [] },
  { name: "a test switched off", file: "lib/x.test.ts", text: 'it.skip("x", f)', expected: ["no-switched-off-tests"] },
  {
    name: "a test run alone",
    file: "e2e/x.spec.ts",
    text: 'test.describe.only("x", f)',
    expected: ["no-switched-off-tests"],
  },
  { name: "a test to be written", file: "lib/x.test.ts", text: 'test.todo("x")', expected: ["no-switched-off-tests"] },
  { name: "a table of tests", file: "lib/x.test.ts", text: 'it.each(cases)("x", f)', expected: [] },
  {
    name: "a module replaced for all files",
    file: "lib/x.integration.test.ts",
    text: "vi.mock(import(path), load)",
    expected: ["replaced-modules-isolated"],
  },
  {
    name: "a module replaced for its own file",
    file: "lib/x.isolated.integration.test.ts",
    text: "vi.mock(import(path), load)",
    expected: [],
  },
  { name: "a path of one machine", file: "lib/x.ts", text: 'read("/home/me/x")', expected: ["no-workplace-paths"] },
  { name: "exactly the longest file", file: "lib/x.ts", text: "x;\n".repeat(400), expected: [] },
  { name: "one line more", file: "lib/x.ts", text: "x;\n".repeat(401), expected: ["file-length"] },
  { name: "what is generated", file: "packages/a/src/generated/b.ts", text: "x;\n".repeat(401), expected: [] },
  { name: "a package's own file", file: "packages/a/src/b.ts", text: "x;\n".repeat(401), expected: ["file-length"] },
  { name: "data, not code", file: "test/fixtures/x.json", text: '"/home/me"', expected: [] },
];

describe("conventions", () => {
  it.each(cases)("$name", ({ file, text, expected }) => {
    expect((findProblems({ file, text }) as Problem[]).map(({ rule }) => rule)).toEqual(expected);
  });

  it("has a violation planted for every rule", () => {
    const planted = new Set(cases.flatMap(({ expected }) => expected));
    expect((rules as { name: string }[]).map(({ name }) => name).filter((name) => !planted.has(name))).toEqual([]);
  });

  it("names the line", () => {
    expect((findProblems({ file: service, text: "/*\n*/\nprocess.env" }) as Problem[])[0]?.line).toBe(3);
  });
});

describe("document paths", () => {
  const present = ["lib/util/duration.ts", "docs/guide.md", "app/(console)/page.tsx"];
  const docCases = [
    { name: "a file in backticks", text: "see `lib/util/duration.ts`", expected: [] },
    { name: "a missing one", text: "\nsee `lib/util/gone.ts`", expected: [{ line: 2, target: "lib/util/gone.ts" }] },
    { name: "a route group", text: "`app/(console)/page.tsx`", expected: [] },
    { name: "a link beside the document", text: "[a](guide.md#part)", expected: [] },
    { name: "a broken link", text: "[a](gone.md)", expected: [{ line: 1, target: "docs/gone.md" }] },
    { name: "a link to the outside", text: "[a](https://example.org/x.md)", expected: [] },
    { name: "a command", text: "`npm run demo`", expected: [] },
  ];
  it.each(docCases)("$name", ({ text, expected }) => {
    expect(findBrokenPaths({ file: "docs/a.md", text, exists: (path: string) => present.includes(path) })).toEqual(
      expected,
    );
  });

  const anchors: Record<string, string[]> = { "docs/guide.md": ["part"], "docs/a.md": ["here"] };
  const anchorCases = [
    { name: "an anchor of another document", text: "[a](guide.md#part)", expected: [] },
    { name: "a missing anchor", text: "\n[a](guide.md#gone)", expected: [{ line: 2, target: "docs/guide.md#gone" }] },
    { name: "an anchor of the same document", text: "[a](#here)", expected: [] },
    { name: "a missing one there", text: "[a](#part)", expected: [{ line: 1, target: "docs/a.md#part" }] },
    { name: "a missing document", text: "[a](gone.md#x)", expected: [{ line: 1, target: "docs/gone.md" }] },
    { name: "an anchor in the outside", text: "[a](https://example.org/#x)", expected: [] },
    {
      name: "a picture with a title",
      text: '![a](gone.png "A title")',
      expected: [{ line: 1, target: "docs/gone.png" }],
    },
    { name: "a line of a file that has no headings", text: "[a](../lib/util/duration.ts#L3)", expected: [] },
    { name: "a link in code", text: "`[a](gone.md)`\n```\n[a](gone.md)\n```", expected: [] },
  ];
  it.each(anchorCases)("$name", ({ text, expected }) => {
    const exists = (path: string) => present.includes(path) || Object.hasOwn(anchors, path);
    const anchorsOf = (path: string) => anchors[path];
    expect(findBrokenPaths({ file: "docs/a.md", text, exists, anchorsOf })).toEqual(expected);
  });

  it("finds a page that the index does not link to, and no other kind of document", () => {
    const files = ["docs/README.md", "docs/a.md", "docs/b.md", "docs/adr/0001-x.md", "README.md"];
    expect(findUnlistedPages({ files, index: "| [A](a.md#part) | `b.md` |" })).toEqual(["docs/b.md"]);
  });

  it("makes anchors as GitHub does", () => {
    const text =
      "# The `spec.paused` field, in short\n## See [the log](audit.md)\n## Twice\n## Twice\n```sh\n# no heading\n```";
    expect(listAnchors(text)).toEqual(["the-specpaused-field-in-short", "see-the-log", "twice", "twice-1"]);
  });
});

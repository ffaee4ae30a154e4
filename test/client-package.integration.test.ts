import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectRecorded, type Recorded } from "#test/recorded.ts";
import { serveRoutes } from "#test/route-server.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";
import type * as ClientPackage from "../packages/client/src/index.ts";
import { listBlocks } from "../scripts/doc-examples.ts";

/** The package as npm packs it: installed in a folder of its own, compiled against, and used with the real API. */

const root = join(import.meta.dirname, "..");
const readJson = (file: string) => JSON.parse(readFileSync(file, "utf8"));
let folder: string;
let installed: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-client-"));
  const packed = spawnSync(process.execPath, [join(root, "scripts/pack-client.mjs"), "--out", folder], {
    encoding: "utf8",
  });
  expect(packed.stderr).toBe("");
  installed = join(folder, "node_modules/@gatehouse/client");
  mkdirSync(installed, { recursive: true });
  const unpacked = spawnSync("tar", ["-xzf", packed.stdout.trim(), "--strip-components=1", "-C", installed]);
  expect(unpacked.status).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the package", () => {
  it("holds the compiled client, its types, its README and its licence, and nothing else", () => {
    const files = readdirSync(installed, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1));
    const sources = readdirSync(join(root, "packages/client/src"), { recursive: true })
      .map(String)
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
      .map((file) => `dist/${file.slice(0, -3)}`);
    const built = sources.flatMap((file) => [`${file}.js`, `${file}.d.ts`]);
    expect(files.toSorted()).toEqual(["LICENSE", "README.md", "package.json", ...built].toSorted());
  });

  it("has the version of Gatehouse, and depends on nothing", () => {
    const own = readJson(join(installed, "package.json"));
    expect(own.version).toBe(readJson(join(root, "package.json")).version);
    expect(Object.keys(own).filter((key) => /dependencies/i.test(key))).toEqual([]);
    const texts = readdirSync(join(installed, "dist")).filter((file) => file.endsWith(".js"));
    for (const file of texts)
      expect(readFileSync(join(installed, "dist", file), "utf8")).not.toMatch(/from "(?!\.)|\bprocess\.|\bBuffer\b/);
  });
});

const prelude = `import { createClient, each, follow, isGatehouseError } from "@gatehouse/client";
const gatehouse = createClient({ url: "https://gatehouse.example.com" });
const path = { cluster: "a", namespace: "b", kind: "Rollout", name: "c" } as const;
void [each, follow, isGatehouseError, path];
`;
const wrong = [
  { name: "an operation that there is not", code: "await gatehouse.listRolouts();", says: "listRolouts" },
  { name: "a missing path", code: "await gatehouse.getRollout();", says: "Expected 1 argument" },
  { name: "half a path", code: 'await gatehouse.getRollout({ path: { cluster: "a" } });', says: "namespace" },
  { name: "an unknown filter", code: "await gatehouse.listRollouts({ query: { nmespace: 1 } });", says: "nmespace" },
  {
    name: "a value out of its words",
    code: 'await gatehouse.listRollouts({ query: { phase: "Fine" } });',
    says: "Fine",
  },
  { name: "a missing body", code: "await gatehouse.planRolloutAction({ path });", says: "body" },
  {
    name: "an action that there is not",
    code: 'await gatehouse.planRolloutAction({ path, body: { action: "x" } });',
    says: '"x"',
  },
  { name: "a member that no answer has", code: "console.log((await gatehouse.getMe()).nme);", says: "nme" },
  { name: "null taken for a value", code: "(await gatehouse.getRollout({ path })).step + 1;", says: "null" },
  { name: "a code that there is not", code: 'isGatehouseError(new Error(""), "nope");', says: "nope" },
  { name: "pages of what is no list", code: "each(gatehouse.getMe, {} as never);", says: "items" },
];

describe("its types", () => {
  let output = "";
  beforeAll(() => {
    const blocks = listBlocks(readFileSync(join(installed, "README.md"), "utf8")).filter(({ info }) => info === "ts");
    expect(blocks.length).toBeGreaterThan(4);
    for (const { line, text } of blocks) writeFileSync(join(folder, `readme-${line}.mts`), text);
    for (const [index, { code }] of wrong.entries())
      writeFileSync(join(folder, `wrong-${index}.mts`), `${prelude}${code}\n`);
    const strict = { strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true };
    const compilerOptions = {
      ...{ target: "es2022", module: "nodenext", lib: ["es2023", "dom", "dom.iterable"], types: [] },
      ...{ ...strict, skipLibCheck: false, noEmit: true, verbatimModuleSyntax: true },
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.mts"] }));
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    output = spawnSync(process.execPath, [compiler, "-p", ".", "--pretty", "false"], {
      cwd: folder,
      encoding: "utf8",
    }).stdout;
  });

  it("fit every example of the README, and the package's own declarations", () => {
    expect(output.split("\n").filter((line) => line !== "" && !/^wrong-|^ /.test(line))).toEqual([]);
  });

  it.each(wrong.map((each, index) => ({ ...each, index })))("refuse $name", ({ index, says }) => {
    const lines = output.split("\n");
    const from = lines.findIndex((line) => line.startsWith(`wrong-${index}.mts(5,`));
    const rest = lines.slice(from + 1).findIndex((line) => !line.startsWith(" "));
    expect(from === -1 ? "" : lines.slice(from, from + 1 + Math.max(0, rest)).join("\n")).toContain(says);
  });
});

describe("with the real API", () => {
  let web: TestWeb;
  let recorded: Recorded;
  let server: Awaited<ReturnType<typeof serveRoutes>>;
  let client: typeof ClientPackage;
  let gatehouse: ClientPackage.Client;
  beforeAll(async () => {
    web = await startTestWeb();
    recorded = await connectRecorded(web.database.recorderUrl);
    await recorded.addSource({});
    for (const name of ["a", "b", "c"]) await recorded.addRollout({ namespace: "shop", name });
    server = await serveRoutes();
    client = await import(join(installed, "dist/index.js"));
    gatehouse = client.createClient({ url: server.url, token: () => web.tokens.operator });
  });
  afterAll(async () => {
    server?.close();
    await recorded?.close();
    await web?.close();
  });

  it("reads one object and every page of a list", async () => {
    expect((await gatehouse.getMe()).username).toBe("operator");
    const names: string[] = [];
    const query = { namespace: "shop", limit: 2 };
    for await (const rollout of client.each(gatehouse.listRollouts, { query })) names.push(rollout.name);
    expect(names).toEqual(["a", "b", "c"]);
    const path = { cluster: "demo", namespace: "shop", kind: "Rollout", name: "b" } as const;
    expect(await gatehouse.getRollout({ path })).toMatchObject({ name: "b" });
    expect(await (await gatehouse.exportRollouts({ query: { namespace: "shop" } })).text()).toMatch(/shop/);
  });

  it("throws with the code that decides", async () => {
    const path = { cluster: "demo", namespace: "shop", kind: "Rollout", name: "none" } as const;
    const missing = await gatehouse.getRollout({ path }).catch((error: unknown) => error);
    expect(client.isGatehouseError(missing, "not_found")).toBe(true);
    expect(missing).toHaveProperty("requestId", expect.stringMatching(/^[0-9a-f-]{36}$/));
    const unknown = client.createClient({ url: server.url, token: "ght_wrong" });
    await expect(unknown.getMe()).rejects.toMatchObject({ code: "unauthenticated", status: 401 });
    const invalid = gatehouse.listRollouts({ query: { limit: 9999 } });
    await expect(invalid).rejects.toMatchObject({
      code: "invalid_request",
      problem: { invalidParams: [expect.objectContaining({ name: "limit" })] },
    });
  });

  it("follows changes, and resumes after the last one", async () => {
    const stop = new AbortController();
    const events = client.follow(gatehouse, { signal: stop.signal });
    expect((await events.next()).value).toEqual({ type: "open", resumed: false });
    await recorded.addChange({ kind: "rollout", ref: "demo/shop/Rollout/a" });
    const seen = await nextChange(events);
    expect(seen.change).toEqual({ kind: "rollout", id: "demo/shop/Rollout/a", op: "upsert" });
    stop.abort();
    expect((await events.next()).done).toBe(true);

    await recorded.addChange({ kind: "rollout", ref: "demo/shop/Rollout/b" });
    const again = new AbortController();
    const resumed = client.follow(gatehouse, { signal: again.signal, lastEventId: seen.id });
    expect((await resumed.next()).value).toEqual({ type: "open", resumed: true });
    expect((await nextChange(resumed)).change.id).toBe("demo/shop/Rollout/b");
    again.abort();
    expect((await resumed.next()).done).toBe(true);
  });

  async function nextChange(events: AsyncGenerator<ClientPackage.StreamEvent>) {
    for (;;) {
      const { value, done } = await events.next();
      if (done === true) throw new Error("the stream ended");
      if (value.type === "change") return value;
    }
  }
});

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
// @ts-expect-error -- plain JavaScript without types, as all scripts that run before anything is installed.
import { removeEmptyManifests, shrinkChunks } from "./shrink-chunks.mjs";

let folder: string;
const load = createRequire(import.meta.url);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-chunks-"));
  mkdirSync(join(folder, "ssr"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("keeps one of equal chunks in a folder, and what each exports", async () => {
  const text = (name: string) => `module.exports=[1,()=>"one"];\n\n//# sourceMappingURL=${name}.map`;
  for (const name of ["a.js", "b.js", "ssr/a.js"]) writeFileSync(join(folder, name), text(name));
  writeFileSync(join(folder, "c.js"), 'module.exports=[2,()=>"two"];');
  await shrinkChunks(folder);
  expect(readFileSync(join(folder, "b.js"), "utf8")).toBe('module.exports=require("./a.js");\n');
  expect(readFileSync(join(folder, "ssr/a.js"), "utf8")).not.toContain("require");
  for (const name of ["b.js", "ssr/a.js"]) expect(load(join(folder, name))[1]()).toBe("one");
  expect(load(join(folder, "c.js"))[1]()).toBe("two");
});

it("minifies, escapes characters outside of ASCII, and changes no value", async () => {
  const code = 'module.exports = ["…😀é", /^[…–]$/u, `—`, { "ключ": 1 }, String.raw`a\\…`];';
  writeFileSync(join(folder, "a.js"), code);
  await shrinkChunks(folder);
  const [text, pattern, template, object, raw] = load(join(folder, "a.js"));
  expect([text, template, object, raw]).toEqual(["…😀é", "—", { ключ: 1 }, "a\\…"]);
  expect(pattern.test("–")).toBe(true);
  const minified = readFileSync(join(folder, "a.js"), "utf8");
  // Except in raw text, which cannot be escaped.
  expect(minified.replace("`a\\…`", "")).toMatch(/^module\.exports=[ -~]+\n?$/);
});

it("removes the lists of client components that are empty", () => {
  const write = (name: string, lists: object) =>
    writeFileSync(
      join(folder, `ssr/${name}_client-reference-manifest.js`),
      `globalThis.__RSC_MANIFEST = globalThis.__RSC_MANIFEST || {};\nglobalThis.__RSC_MANIFEST["/${name}"] = ${JSON.stringify({ moduleLoading: { prefix: "" }, ...lists })};\n`,
    );
  write("page", { clientModules: { "a.tsx": { id: 1 } }, entryCSSFiles: {} });
  write("route", { clientModules: {}, entryCSSFiles: {} });
  removeEmptyManifests(folder);
  expect(readdirSync(join(folder, "ssr"))).toEqual(["page_client-reference-manifest.js"]);
});

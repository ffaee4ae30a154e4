import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { fillIn } from "../bin/launcher/write-build.ts";
// @ts-expect-error -- plain JavaScript without types, as all scripts.
import { placeholder, takeOutBasePath, takeOutOf } from "./base-path.mjs";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-base-path-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const remove = `"removeBasePath",{enumerable:!0,get:()=>n});function n(e){return(e=e.slice(${placeholder.length})).startsWith("/")||(e=\`/\${e}\`),e}`;
const script = `let a="${placeholder}"||"";p("${placeholder}/_next/");${remove};q("${placeholder}");`;

describe("takeOutOf", () => {
  it("leaves a text without a base path, and the places of it", () => {
    const { text, ...places } = takeOutOf(script, "a.js");
    expect(text).toBe(script.replaceAll(placeholder, "").replace(`slice(${placeholder.length})`, "slice(0)"));
    expect(places.paths).toHaveLength(3);
    for (const basePath of ["/gatehouse", "/a", `/${"long".repeat(60)}/path`])
      expect(fillIn(text, places, basePath)).toBe(
        script.replaceAll(placeholder, basePath).replace(`slice(${placeholder.length})`, `slice(${basePath.length})`),
      );
    expect(fillIn(text, places, "")).toBe(text);
  });

  it("lets a length be that is computed in the browser", () => {
    const text = script.replace(`slice(${placeholder.length})`, "slice(a.length)");
    expect(takeOutOf(text, "a.js")).toMatchObject({ lengths: [], removes: true });
  });

  it("finds a length whose function has lost its name", () => {
    const text = `function p(e){return e=e.slice(${placeholder.length}),e.startsWith(\`/\`)||(e=\`/\${e}\`),e}`;
    expect(takeOutOf(text, "a.js")).toMatchObject({
      paths: [],
      lengths: [text.indexOf(".slice(") + 7],
      removes: false,
    });
  });

  it("leaves a text alone that has no base path", () => {
    expect(takeOutOf("let a=1", "a.js")).toBeUndefined();
  });

  it.each([
    { name: "an escaped slash", text: `/\\${placeholder}/` },
    { name: "an encoded slash", text: `a%2F${placeholder.slice(1)}` },
    { name: "a cut somewhere else", text: `x.slice(${placeholder.length})` },
    { name: "a removal that cuts in another way", text: remove.replace("slice", "substring") },
  ])("refuses $name, and names the file", ({ text }) => {
    expect(() => takeOutOf(text, "static/a.js")).toThrow(/^static\/a\.js /);
  });
});

it("changes a build's files in place, and writes down where", () => {
  mkdirSync(join(folder, "static/chunks"), { recursive: true });
  mkdirSync(join(folder, "cache"));
  // Bytes that are no text stay as they are.
  const bytes = Buffer.concat([Buffer.from([0xff, 0x00, 0xc3]), Buffer.from(script), Buffer.from("ü")]);
  for (const file of ["static/chunks/a.js", "static/chunks/a.js.map", "cache/a.js"])
    writeFileSync(join(folder, file), bytes);
  writeFileSync(join(folder, "other.json"), "{}");
  takeOutBasePath(folder);
  const { unread, files } = JSON.parse(readFileSync(join(folder, "base-path.json"), "utf8"));
  expect(unread).toContain("cache");
  expect(Object.keys(files)).toEqual(["static/chunks/a.js"]);
  const left = readFileSync(join(folder, "static/chunks/a.js"), "latin1");
  expect(left).not.toContain("gatehouse_base_path");
  expect(Buffer.from(fillIn(left, files["static/chunks/a.js"], placeholder), "latin1")).toEqual(bytes);
  expect(readFileSync(join(folder, "cache/a.js"))).toEqual(bytes);
});

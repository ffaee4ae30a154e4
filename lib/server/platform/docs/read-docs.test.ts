import { globSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listDecisions, listDocGroups, readDoc, readDocImage, titleOf } from "./read-docs.ts";

const folder = join(import.meta.dirname, "../../../../docs");

describe("the documentation", () => {
  it("lists every page in a group of its start page", async () => {
    const groups = await listDocGroups(folder);
    const listed = new Set(groups.flatMap(({ pages }) => pages.map(({ file }) => file)));
    const files = globSync("*.md", { cwd: folder }).filter((file) => file !== "README.md");
    expect(files.filter((file) => !listed.has(file))).toEqual([]);
    expect(groups.map(({ name }) => name)).toContain("On call");
    expect(groups.filter(({ pages }) => pages.length === 0)).toEqual([]);
    expect([...listed]).not.toContain("../SECURITY.md");
  });

  it("lists the pages of the decisions by number, with their headings", async () => {
    const decisions = await listDecisions(folder);
    expect(decisions).toHaveLength(globSync("adr/*.md", { cwd: folder }).length);
    expect(decisions[0]?.file).toMatch(/^adr\/0001-/);
    expect(decisions.every(({ title }) => /^\d+\. /.test(title))).toBe(true);
  });

  it("reads a page and a picture", async () => {
    expect(titleOf((await readDoc("inbox.md", folder)) ?? "")).toBe("Inbox");
    const [name = ""] = globSync("*.{png,webp}", { cwd: join(folder, "images") });
    expect((await readDocImage(name, folder))?.type).toMatch(/^image\//);
  });

  const long = "a".repeat(300);
  const noPages = ["../SECURITY.md", "adr/../inbox.md", "images/x.png", "gone.md", "adr", "", "INBOX.md", "a\0.md"];
  it.each([...noPages, `${long}.md`, `adr/${long}.md`, `${"a".repeat(5000)}.md`])("has no page %j", async (file) =>
    expect(await readDoc(file, folder)).toBeUndefined(),
  );

  const noPictures = ["../README.md", "inbox.md", "gone.png", "..png", ".png", `${long}.png`];
  it.each(noPictures)("has no picture %j", async (name) => expect(await readDocImage(name, folder)).toBeUndefined());

  it("is empty without its folder", async () => {
    const gone = join(folder, "gone");
    expect([await listDocGroups(gone), await listDecisions(gone), await readDoc("inbox.md", gone)]).toEqual([
      [],
      [],
      undefined,
    ]);
  });
});

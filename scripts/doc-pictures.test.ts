import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pictureSize } from "#components/docs/doc-blocks.tsx";
import { docPictures, pictureViewport } from "./doc-picture-table.ts";

const docs = join(import.meta.dirname, "../docs");
const images = join(docs, "images");

/** Width and height of an extended WebP (RFC 9649, section 2.7), as the browser writes it. */
function sizeOf(file: string): { width: number; height: number } {
  const bytes = readFileSync(file);
  expect(bytes.toString("latin1", 8, 16)).toBe("WEBPVP8X");
  return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
}

describe("the pictures of the documentation", () => {
  it.each(docPictures)("$name is on $page, says what is seen, and has the size of all", ({ name, page }) => {
    const text = readFileSync(join(docs, page), "utf8");
    const alt = new RegExp(`!\\[([^\\]]+)\\]\\(images/${name}\\.webp\\)`).exec(text)?.[1] ?? "";
    expect(alt.split(" ").length).toBeGreaterThan(5);
    expect(sizeOf(join(images, `${name}.webp`))).toEqual(pictureViewport);
  });

  it("are all made by the script, and small together", () => {
    const names = readdirSync(images);
    expect(names.toSorted()).toEqual(docPictures.map(({ name }) => `${name}.webp`).toSorted());
    const bytes = names.reduce((sum, name) => sum + statSync(join(images, name)).size, 0);
    expect(bytes).toBeLessThan(2_000_000);
  });

  it("are shown in the size that they have", () => expect(pictureSize).toEqual(pictureViewport));
});

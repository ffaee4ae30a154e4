import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pictureSize } from "#components/docs/doc-blocks.tsx";
import { docPictures, filmName, pictureFile, pictureViewport, schemesOf } from "./doc-picture-table.ts";

const docs = join(import.meta.dirname, "../docs");
const images = join(docs, "images");
const readme = readFileSync(join(docs, "../README.md"), "utf8");
const pictures = docPictures.flatMap((picture) =>
  schemesOf(picture).map((scheme) => ({ picture, file: pictureFile(picture.name, scheme) })),
);

/** Width and height of an extended WebP (RFC 9649, section 2.7), as the browser writes it. */
function sizeOf(file: string): { width: number; height: number } {
  const bytes = readFileSync(file);
  expect(bytes.toString("latin1", 8, 16)).toBe("WEBPVP8X");
  return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
}

function expectWords(alt = ""): void {
  expect(alt.split(" ").length).toBeGreaterThan(5);
}

describe("the pictures of the documentation", () => {
  it.each(pictures)("$file has the size of all", ({ file, picture: { scale = 1 } }) => {
    const { width, height } = pictureViewport;
    expect(sizeOf(join(images, file))).toEqual({ width: width * scale, height: height * scale });
  });

  it.each(docPictures.filter(({ page }) => page !== undefined))("$name is on $page, in words too", ({ name, page }) => {
    const text = readFileSync(join(docs, page ?? ""), "utf8");
    expectWords(new RegExp(`!\\[([^\\]]+)\\]\\(images/${name}\\.webp\\)`).exec(text)?.[1]);
  });

  it.each(docPictures.filter(({ isInReadme }) => isInReadme))(
    "$name is in the README, in light and dark",
    ({ name }) => {
      const dark = `<source media="(prefers-color-scheme: dark)" srcset="docs/images/${name}-dark.webp">`;
      const light = new RegExp(`^\\s+<img src="docs/images/${name}\\.webp" alt="([^"]+)">`);
      expectWords(light.exec(readme.split(dark)[1] ?? "")?.[1]);
    },
  );

  it("show on the README how a result is accepted, in less than 2 MB", () => {
    expectWords(new RegExp(`!\\[([^\\]]+)\\]\\(docs/images/${filmName}\\.webp\\)`).exec(readme)?.[1]);
    expect(sizeOf(join(images, `${filmName}.webp`))).toEqual(pictureViewport);
    expect(statSync(join(images, `${filmName}.webp`)).size).toBeLessThan(2_000_000);
  });

  it("are all made by the script, and small together", () => {
    const names = readdirSync(images);
    expect(names.toSorted()).toEqual([...pictures.map(({ file }) => file), `${filmName}.webp`].toSorted());
    const bytes = names.reduce((sum, name) => sum + statSync(join(images, name)).size, 0);
    expect(bytes).toBeLessThan(4_000_000);
  });

  it("are shown in the size that they have", () => expect(pictureSize).toEqual(pictureViewport));
});

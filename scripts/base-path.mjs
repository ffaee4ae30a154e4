// One build serves any path (docs/adr/0017): Next builds with a placeholder as its base path. It is then cut out, and a
// table keeps its positions. bin/launcher/write-build.ts fills them in.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Nothing has to be escaped in it. No other text of a build has its length, which the minifier writes as a number. */
export const placeholder = `/${"gatehouse_base_path_".repeat(5)}`;

const tableFile = "base-path.json";
/** Entries of the build's folder that no server reads. */
const unread = ["cache", "dev", "diagnostics", "trace", "trace-build", "types"];
const word = placeholder.slice(1);
/** Next's removeBasePath: the only function that cuts the base path off by its length. */
const definition = /"removeBasePath",\{enumerable/g;
/** The length may have become a number. */
const cut = new RegExp(`\\.slice\\(${placeholder.length}\\)`, "g");
/** The same function where the bundler has dropped its name. */
const unnamed = new RegExp(`${cut.source}\\)?(?:,\\w+)?\\.startsWith\\(["'\`]/["'\`]\\)\\|\\|`, "g");
const anyCut = new RegExp(`${cut.source}|\\.slice\\(\\w+\\.length\\)`, "g");
/** Characters that a definition and its cut are at most apart. */
const reach = 800;

/**
 * Takes the placeholder out of a build, which then has no base path, and writes `base-path.json`: the entries that no
 * server reads (`unread`), and by file (`files`) the positions (in bytes) of the base path (`paths`) and of its length,
 * now 0 (`lengths`). Throws if the build contains the placeholder in any other form.
 */
export function takeOutBasePath(folder) {
  const files = {};
  let isRemovedByScript = false;
  for (const file of listFiles(folder)) {
    const path = join(folder, file);
    // One character per byte, whatever the file is.
    const found = takeOutOf(readFileSync(path, "latin1"), file);
    if (found === undefined) continue;
    isRemovedByScript ||= found.removes && file.startsWith("static/");
    files[file] = { paths: found.paths, lengths: found.lengths };
    writeFileSync(path, found.text, "latin1");
  }
  if (!isRemovedByScript)
    throw new Error("no script of the build removes the base path: see scripts/base-path.mjs and docs/adr/0017");
  writeFileSync(join(folder, tableFile), `${JSON.stringify({ unread, files })}\n`);
}

/** Returns the text without the placeholder, and where it was; undefined if it has none. */
export function takeOutOf(text, file) {
  const cuts = placesOf(text, cut);
  const definitions = placesOf(text, definition);
  const known = placesOf(text, unnamed);
  const isNear = (place, others) => others.some((other) => Math.abs(other - place) < reach);
  if (!cuts.every((place) => known.includes(place) || isNear(place, definitions)))
    throw new Error(`${file} cuts off ${placeholder.length} characters outside of Next's removeBasePath`);
  const anyCuts = placesOf(text, anyCut);
  if (!definitions.every((place) => isNear(place, anyCuts)))
    throw new Error(`${file} defines removeBasePath in an unknown way`);
  if (!text.includes(word) && cuts.length === 0) return undefined;
  const pattern = new RegExp(`${placeholder}|${cut.source}`, "g");
  const paths = [];
  const lengths = [];
  let plain = "";
  let from = 0;
  for (const { 0: match, index } of text.matchAll(pattern)) {
    plain += text.slice(from, index);
    if (match === placeholder) {
      if (plain.endsWith("\\")) throw new Error(`${file} has the base path with an escaped slash`);
      paths.push(plain.length);
    } else {
      plain += ".slice(";
      lengths.push(plain.length);
      plain += "0)";
    }
    from = index + match.length;
  }
  plain += text.slice(from);
  if (plain.includes(word)) throw new Error(`${file} has the base path in a form that cannot be replaced`);
  return { text: plain, paths, lengths, removes: definitions.length > 0 };
}

const placesOf = (text, pattern) => [...text.matchAll(pattern)].map(({ index }) => index);

function listFiles(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !unread.includes(name))
    .flatMap((entry) => {
      // Links of the build lead to packages.
      if (entry.isSymbolicLink()) return [];
      if (!entry.isDirectory()) return [entry.name];
      return readdirSync(join(folder, entry.name), { recursive: true, withFileTypes: true })
        .filter((inner) => inner.isFile())
        .map((inner) => join(inner.parentPath ?? inner.path, inner.name).slice(folder.length + 1));
    })
    .filter((file) => !/\.(map|nft\.json)$/.test(file));
}

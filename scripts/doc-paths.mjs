// Checks that the targets in the documents exist: relative links, their anchors, and paths of this project in backticks;
// and that the index has each page.
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { createHeadingAnchors } from "../lib/util/heading-anchors.ts";

const codePath =
  /`((?:app|bench|bin|components|demo|deploy|docs|e2e|lib|prisma|public|sandbox|scripts|test)\/[\w./()@[\]-]*[\w)\]/])`/g;
const link = /\]\(([^)\s#]*)(?:#([^)\s]*))?(?:\s[^)]*)?\)/g;
const fence = /^\s*(```|~~~)/;

/**
 * Returns missing targets as `{ line, target }`. `exists` takes a path relative to the project's root, `anchorsOf` gives
 * the anchors of a document there, or undefined if it is not one.
 */
export function findBrokenPaths({ file, text, exists, anchorsOf = () => undefined }) {
  return markCode(text).flatMap(({ content, line, isCode }) => {
    const paths = [...content.matchAll(codePath)].map((match) => match[1]);
    // Text in backticks links nowhere, and may show how a link is written.
    const links = isCode ? [] : [...content.replaceAll(/`[^`]*`/g, "``").matchAll(link)];
    const anchors = [];
    for (const [, target, anchor] of links) {
      if (/^[a-z]+:/i.test(target)) continue;
      const path = target === "" ? file : pathOf(file, target);
      if (target !== "") paths.push(path);
      if (anchor !== undefined && exists(path) && anchorsOf(path)?.includes(anchor) === false)
        anchors.push(`${path}#${anchor}`);
    }
    return [...paths.filter((path) => !exists(path)), ...anchors].map((target) => ({ line, target }));
  });
}

/** Returns the anchors of a document's headings, as GitHub and `/docs` make them. */
export function listAnchors(text) {
  const nameHeading = createHeadingAnchors();
  return markCode(text).flatMap(({ content, isCode }) => {
    const heading = isCode ? null : /^#{1,6}\s+(.*?)\s*#*$/.exec(content);
    return heading === null ? [] : [nameHeading(heading[1])];
  });
}

const indexFile = "docs/README.md";

/** Returns the pages beside the index that it does not link to. */
export function findUnlistedPages({ files, index }) {
  const linked = [...index.matchAll(link)].map(([, target]) => pathOf(indexFile, target));
  return files.filter((file) => /^docs\/[^/]+\.md$/.test(file) && file !== indexFile && !linked.includes(file));
}

/** Returns the lines to print for the given documents of a tree. */
export function checkDocuments({ root, files }) {
  const read = (path) => readFileSync(join(root, path), "utf8");
  const known = new Map();
  const anchorsOf = (path) => {
    if (!path.endsWith(".md") || !statSync(join(root, path)).isFile()) return undefined;
    if (!known.has(path)) known.set(path, listAnchors(read(path)));
    return known.get(path);
  };
  const exists = (path) => existsSync(join(root, path));
  const broken = files.flatMap((file) =>
    findBrokenPaths({ file, text: read(file), exists, anchorsOf }).map(
      ({ line, target }) => `${file}:${line}: ${target} does not exist`,
    ),
  );
  const unlisted = exists(indexFile) ? findUnlistedPages({ files, index: read(indexFile) }) : [];
  return [...broken, ...unlisted.map((file) => `${indexFile}: no link to ${file}: add a row for it`)];
}

function pathOf(file, target) {
  return normalize(target.startsWith("/") ? target.slice(1) : join(dirname(file), target));
}

function markCode(text) {
  let isOpen = false;
  return text.split("\n").map((content, index) => {
    const isFence = fence.test(content);
    if (isFence) isOpen = !isOpen;
    return { content, line: index + 1, isCode: isOpen || isFence };
  });
}

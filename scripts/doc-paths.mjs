// Checks that the targets in the documents exist: relative links, and paths of this project in backticks.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const codePath =
  /`((?:app|bench|bin|components|deploy|docs|e2e|lib|prisma|public|sandbox|scripts|test)\/[\w./()@[\]-]*[\w)\]/])`/g;
const link = /\]\(([^)\s#]+)(?:#[^)]*)?\)/g;

/** Returns missing targets as `{ line, target }`. `exists` takes a path relative to the project's root. */
export function findBrokenPaths({ file, text, exists }) {
  return text.split("\n").flatMap((content, index) => {
    const targets = [...content.matchAll(codePath)].map((match) => match[1]);
    for (const [, target] of content.matchAll(link)) {
      if (!/^[a-z]+:/i.test(target))
        targets.push(normalize(target.startsWith("/") ? target.slice(1) : join(dirname(file), target)));
    }
    return targets.filter((target) => !exists(target)).map((target) => ({ line: index + 1, target }));
  });
}

/** Returns the lines to print for the given documents of a tree. */
export function checkDocuments({ root, files }) {
  return files.flatMap((file) =>
    findBrokenPaths({
      file,
      text: readFileSync(join(root, file), "utf8"),
      exists: (path) => existsSync(join(root, path)),
    }).map(({ line, target }) => `${file}:${line}: ${target} does not exist`),
  );
}

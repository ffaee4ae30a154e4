import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** The folder of package.json, from a source as well as from the bundle. */
export const projectRoot = findRoot(import.meta.dirname);

function findRoot(folder: string): string {
  return existsSync(join(folder, "package.json")) ? folder : findRoot(dirname(folder));
}

/** Returns the file that starts an entry of scripts/bundle.mjs: the source, or in a bundle the file beside this one. */
export function entryFile(source: string): string {
  if (import.meta.filename.endsWith(".ts")) return join(projectRoot, source);
  return join(import.meta.dirname, `${basename(source, ".ts")}.mjs`);
}

/** The evaluation pool's threads. The web application's build has a copy, because no bundle of Next contains it. */
export const evaluationWorker = entryFile("lib/server/platform/evaluation/evaluation-worker.ts");

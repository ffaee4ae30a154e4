import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Returns the Node that runs our TypeScript files: this process's own if it is new enough (22.19), else the pinned one
 * of node_modules. Tests may run under the host's older Node.
 */
export function nodeForTypeScript(): string {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return process.execPath;
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const pinned = join(folder, "node_modules/.bin/node");
    if (existsSync(pinned)) return pinned;
    if (folder === dirname(folder)) return process.execPath;
  }
}

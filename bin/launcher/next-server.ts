import { createRequire } from "node:module";
import { projectRoot } from "./project-task.ts";

/**
 * Returns arguments for node that serve the built web application; its working directory must be the project's root.
 */
export function nextStartArgs({ host, port }: { host: string; port: number }): string[] {
  const next = createRequire(import.meta.url).resolve("next/dist/bin/next");
  return [next, "start", projectRoot, "-H", host, "-p", String(port)];
}

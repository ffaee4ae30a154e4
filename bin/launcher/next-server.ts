import { createRequire } from "node:module";

/**
 * Returns arguments for node that serve the built web application of a folder. The working directory must be the
 * project's root, and GATEHOUSE_BASE_PATH the path below which the folder's build is served.
 */
export function nextStartArgs({ host, port, folder }: { host: string; port: number; folder: string }): string[] {
  const next = createRequire(import.meta.url).resolve("next/dist/bin/next");
  return [next, "start", folder, "-H", host, "-p", String(port)];
}

import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { projectRoot } from "#lib/server/platform/config/program-files.ts";
import { CommandError } from "../command-line.ts";
import { signalGroup } from "./process-identity.ts";
import type { ServiceStack } from "./service-stack.ts";

/** Runs a script of this project to its end, output on stderr; a stop request ends it and everything it started. */
export async function runProjectTask(stack: ServiceStack, [script = "", ...args]: string[]): Promise<void> {
  const child = spawn(process.execPath, [join(projectRoot, script), ...args], {
    cwd: projectRoot,
    detached: true,
    stdio: ["ignore", 2, 2],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code));
  });
  stack.add({
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      signalGroup(child.pid, "SIGTERM");
      await ended;
    },
  });
  if ((await ended) !== 0) throw new CommandError(`${script} failed`);
}

/**
 * Returns arguments for node that serve the built web application of a folder. The working directory must be the
 * project's root, and GATEHOUSE_BASE_PATH the path below which the folder's build is served.
 */
export function nextStartArgs({ host, port, folder }: { host: string; port: number; folder: string }): string[] {
  const next = createRequire(import.meta.url).resolve("next/dist/bin/next");
  return [next, "start", folder, "-H", host, "-p", String(port)];
}

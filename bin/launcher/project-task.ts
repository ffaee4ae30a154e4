import { spawn } from "node:child_process";
import { join } from "node:path";
import { CommandError } from "../command-line.ts";
import { signalGroup } from "./process-identity.ts";
import type { ServiceStack } from "./service-stack.ts";

/** The root of the checkout: children run there, regardless of the user's working directory. */
export const projectRoot = join(import.meta.dirname, "../..");

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

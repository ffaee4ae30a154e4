import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** Builds the application if its build is stale. */
export function buildApplication(): void {
  const script = join(import.meta.dirname, "../../scripts/build.mjs");
  const { status } = spawnSync(process.execPath, [script, "--if-stale"], { stdio: ["ignore", 2, 2] });
  if (status !== 0) throw new Error("the application could not be built");
}

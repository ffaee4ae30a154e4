// Imported before anything is installed, on the host's Node (20 or newer): node builtins only.
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { projectRoot } from "./install.mjs";

/**
 * Locks the build: two launchers in one clone must not build into the same folder at the same time. Returns what
 * releases it.
 */
export async function lockBuild() {
  const lock = join(projectRoot, "node_modules/.gatehouse-build-lock");
  mkdirSync(join(projectRoot, "node_modules"), { recursive: true });
  for (;;) {
    try {
      const file = openSync(lock, "wx");
      writeSync(file, String(process.pid));
      closeSync(file);
      return () => rmSync(lock, { force: true });
    } catch (error) {
      if (error.code !== "EEXIST") throw new Error(`cannot write ${lock}: ${error.code}`);
      const holder = readHolder(lock);
      if (holder === undefined) continue;
      if (!isAlive(holder)) rmSync(lock, { force: true });
      else await sleep(500);
    }
  }
}

/** Returns the process that has the lock; undefined if it was released meanwhile. */
function readHolder(lock) {
  try {
    return Number(readFileSync(lock, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

export function isAlive(pid) {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

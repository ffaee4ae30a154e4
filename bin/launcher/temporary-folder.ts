import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { CommandError } from "../command-line.ts";

/**
 * Creates a folder for the copy of the build, which is removed when this process ends. Also removes those of processes
 * that could not: a container that is restarted keeps its temporary folder, and has the same process id.
 */
export function makeTemporaryFolder(directory = tmpdir()): string {
  const prefix = `gatehouse-web-${hostname().replaceAll(/[^\w.-]/g, "")}-`;
  try {
    for (const name of readdirSync(directory)) {
      const pid = name.startsWith(prefix) ? /^(\d+)-\w+$/.exec(name.slice(prefix.length))?.[1] : undefined;
      if (pid !== undefined && (Number(pid) === process.pid || !isAlive(Number(pid)))) remove(join(directory, name));
    }
    const folder = mkdtempSync(join(directory, `${prefix}${process.pid}-`));
    process.once("exit", () => remove(folder));
    return folder;
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new CommandError(
      `publicUrl has a path, and the pages for it cannot be written below ${directory} (${reason}): make it writable, or set TMPDIR`,
    );
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The folder may be somebody else's, or be gone. */
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // It stays, and takes space.
  }
}

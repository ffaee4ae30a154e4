import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isRecord, parseJson } from "#lib/util/json.ts";
import { CommandError } from "../command-line.ts";
import { isSameProcessAlive, type ProcessIdentity, readStartTime, signalGroup } from "./process-identity.ts";

export type DataDirectory = {
  path: string;
  /** The previous launcher was killed: processes that it started may still be ending. */
  wasAbandoned: boolean;
  file(name: string): string;
  logFile(name: string): string;
  /** Records a started process, so that the next launcher can end it if it outlives this one. */
  noteProcess(name: string, pid: number): void;
  release(): void;
};

/** Creates the directory if missing, checks that it is writable, and locks it against a second launcher. */
export async function openDataDirectory(directory: string): Promise<DataDirectory> {
  const path = resolve(directory);
  try {
    mkdirSync(join(path, "logs"), { recursive: true, mode: 0o700 });
    accessSync(path, constants.W_OK | constants.X_OK);
    accessSync(join(path, "logs"), constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "error";
    throw new CommandError(`the data directory ${path} is not writable (${code}): choose another with --data-dir`);
  }
  const lockFile = join(path, "launcher.lock");
  const wasAbandoned = takeLock(path, lockFile);
  const processFile = join(path, "processes.json");
  await endLeftovers(processFile);
  const noted: Record<string, ProcessIdentity> = {};
  return {
    path,
    wasAbandoned,
    file: (name) => join(path, name),
    logFile: (name) => join(path, "logs", `${name}.log`),
    noteProcess: (name, pid) => {
      const startTime = readStartTime(pid);
      if (startTime !== undefined) noted[name] = { pid, startTime };
      try {
        writeFileAtomically(processFile, `${JSON.stringify(noted)}\n`);
      } catch (error) {
        // Only the next launcher needs this file; a running process is worth more than a record of it.
        process.stderr.write(`gatehouse: processes.json could not be written: ${(error as Error).message}\n`);
      }
    },
    release: () => {
      rmSync(processFile, { force: true });
      rmSync(lockFile, { force: true });
    },
  };
}

/** Writes a file with mode 0600 atomically: a reader sees the old content or the new, never half of it. */
export function writeFileAtomically(file: string, text: string): void {
  const temporary = `${file}.${process.pid}`;
  try {
    writeFileSync(temporary, text, { mode: 0o600 });
    chmodSync(temporary, 0o600);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Takes the lock; returns whether a dead launcher had left it behind. */
function takeLock(path: string, lockFile: string): boolean {
  let wasAbandoned = false;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      const handle = openSync(lockFile, "wx", 0o600);
      writeSync(handle, JSON.stringify({ pid: process.pid, startTime: readStartTime(process.pid) ?? "" }));
      closeSync(handle);
      return wasAbandoned;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const holder = readIdentity(readIfPresent(lockFile));
    if (holder !== undefined && isSameProcessAlive(holder)) {
      throw new CommandError(`the data directory ${path} is in use by another gatehouse (process ${holder.pid})`);
    }
    wasAbandoned = true;
    rmSync(lockFile, { force: true });
  }
  throw new CommandError(`cannot lock the data directory ${path}: another gatehouse is starting on it`);
}

/** Ends leftover children. Children end by themselves when their launcher dies, but one may hang. */
async function endLeftovers(processFile: string): Promise<void> {
  const text = readIfPresent(processFile);
  const leftovers = Object.values(parseObject(text)).flatMap((value) => {
    const identity = readIdentity(JSON.stringify(value));
    return identity !== undefined && isSameProcessAlive(identity) ? [identity] : [];
  });
  for (const { pid } of leftovers) signalGroup(pid, "SIGTERM");
  for (let waitedMs = 0; leftovers.some(isSameProcessAlive); waitedMs += 100) {
    if (waitedMs === 5000) for (const { pid } of leftovers.filter(isSameProcessAlive)) signalGroup(pid, "SIGKILL");
    if (waitedMs > 7000)
      throw new CommandError("a process of an earlier start has not ended; see processes.json in the data directory");
    await sleep(100);
  }
}

function readIfPresent(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  const value = parseJson(text);
  return isRecord(value) ? value : {};
}

function readIdentity(text: string): ProcessIdentity | undefined {
  const { pid, startTime } = parseObject(text);
  return typeof pid === "number" && typeof startTime === "string" ? { pid, startTime } : undefined;
}

import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import type { KubeObject } from "./store-types.ts";

export type LogRecord =
  | { op: "put"; rv: number; resource: string; object: KubeObject }
  | { op: "delete"; rv: number; resource: string; key: string };

type Snapshot = { version: 1; rv: number; log: number };

const SNAPSHOT = "objects.snapshot.jsonl";
const LOG = /^objects\.log\.(\d+)\.jsonl$/;
const logName = (number: number): string => `objects.log.${number}.jsonl`;
const CHUNK_BYTES = 1 << 20;

/** Durable storage: a snapshot and the numbered logs written since; each start opens a new log. */
export type ObjectLog = {
  /** Appends lines in one write, so that they survive a kill -9 together. */
  append(lines: readonly string[]): void;
  /** Writes a snapshot next to the running log once the logs exceed the limit. */
  compactIfLarge(capture: () => { rv: number; lines: Iterable<string> }): void;
  close(): Promise<void>;
};

/**
 * Opens the log in `directory` (created if missing) and replays every record in order. A last line without its newline
 * was left by a kill and is ignored; any other unreadable line fails the start.
 */
export function openObjectLog(options: {
  directory: string;
  maxLogBytes: number;
  onRecord: (record: LogRecord) => void;
  /** Called with the resourceVersion of the snapshot. */
  onVersion: (rv: number) => void;
  onError: (error: unknown) => void;
}): ObjectLog {
  const { directory, onRecord } = options;
  mkdirSync(directory, { recursive: true });
  const from = readSnapshot(join(directory, SNAPSHOT), options);
  const numbers = logNumbers(directory);
  let bytes = 0;
  /** Below this, a compaction writes more than it saves. */
  let snapshotBytes = sizeOf(join(directory, SNAPSHOT));
  for (const number of numbers) {
    const path = join(directory, logName(number));
    if (number < from) unlinkSync(path);
    else bytes += readLog(path, onRecord);
  }
  let current = Math.max(from, ...numbers) + 1;
  let file = openSync(join(directory, logName(current)), "a", 0o600);
  let compaction: Promise<void> | undefined;

  const startCompaction = (captured: { rv: number; lines: Iterable<string> }): void => {
    closeSync(file);
    current += 1;
    file = openSync(join(directory, logName(current)), "a", 0o600);
    bytes = 0;
    const head: Snapshot = { version: 1, rv: captured.rv, log: current };
    compaction = writeSnapshot({ directory, head, lines: captured.lines })
      .then(() => {
        snapshotBytes = sizeOf(join(directory, SNAPSHOT));
      })
      .catch(options.onError)
      .finally(() => {
        compaction = undefined;
      });
  };

  return {
    append(lines) {
      const text = `${lines.join("\n")}\n`;
      writeSync(file, text);
      bytes += text.length;
    },
    compactIfLarge(capture) {
      if (bytes < Math.max(options.maxLogBytes, snapshotBytes) || compaction !== undefined) return;
      const captured = capture();
      startCompaction(captured);
    },
    async close() {
      closeSync(file);
      await compaction;
    },
  };
}

function sizeOf(path: string): number {
  return existsSync(path) ? statSync(path).size : 0;
}

function logNumbers(directory: string): number[] {
  const numbers = readdirSync(directory).flatMap((name) => {
    const match = LOG.exec(name);
    return match === null ? [] : [Number(match[1])];
  });
  return numbers.sort((left, right) => left - right);
}

/** Reads the snapshot; returns the number of the first log that it does not include. */
function readSnapshot(
  path: string,
  to: { onRecord: (record: LogRecord) => void; onVersion: (rv: number) => void },
): number {
  if (!existsSync(path)) return 0;
  const lines = readFileSync(path, "utf8").split("\n");
  let head: Snapshot | undefined;
  lines.forEach((line, i) => {
    if (line === "") return;
    const parsed = parseLine(path, i, line);
    if (i === 0) head = parsed as Snapshot;
    else to.onRecord(parsed as LogRecord);
  });
  if (head?.version !== 1)
    throw new Error(`${path}:1: not a snapshot this sandbox can read; remove the folder to start anew`);
  to.onVersion(head.rv);
  return head.log;
}

function readLog(path: string, onRecord: (record: LogRecord) => void): number {
  const lines = readFileSync(path, "utf8").split("\n");
  lines.slice(0, -1).forEach((line, i) => {
    onRecord(parseLine(path, i, line) as LogRecord);
  });
  return statSync(path).size;
}

function parseLine(path: string, index: number, line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new Error(`${path}:${index + 1}: unreadable line; remove the folder to start anew`);
  }
}

async function writeSnapshot(parts: { directory: string; head: Snapshot; lines: Iterable<string> }): Promise<void> {
  const target = join(parts.directory, SNAPSHOT);
  const file = await open(`${target}.tmp`, "w", 0o600);
  try {
    let chunk = `${JSON.stringify(parts.head)}\n`;
    for (const line of parts.lines) {
      chunk += `${line}\n`;
      if (chunk.length < CHUNK_BYTES) continue;
      await file.write(chunk);
      chunk = "";
    }
    await file.write(chunk);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${target}.tmp`, target);
  for (const number of logNumbers(parts.directory)) {
    if (number < parts.head.log) unlinkSync(join(parts.directory, logName(number)));
  }
}

/** A list as it was at a resourceVersion. */
export type KeptList = {
  resource: string;
  namespace: string | undefined;
  rv: number;
  objects: readonly KubeObject[];
};

const MAX_KEPT = 8;

/** The lists that later pages are cut from; the least recently used ones are dropped first. */
export class KeptLists {
  readonly #lists = new Map<string, readonly KubeObject[]>();

  find(at: Omit<KeptList, "objects">): readonly KubeObject[] | undefined {
    return this.#lists.get(keyOf(at));
  }

  keep(list: KeptList): void {
    // Re-inserted, so that the list moves behind those that were not used since.
    this.#lists.delete(keyOf(list));
    this.#lists.set(keyOf(list), list.objects);
    const [oldest] = this.#lists.keys();
    if (this.#lists.size > MAX_KEPT && oldest !== undefined) this.#lists.delete(oldest);
  }

  clear(): void {
    this.#lists.clear();
  }
}

function keyOf({ resource, namespace, rv }: Omit<KeptList, "objects">): string {
  return `${resource} ${namespace ?? ""} ${rv}`;
}

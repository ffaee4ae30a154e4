import { type FileHandle, open, readdir, stat } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { sha256Hex } from "#lib/util/sha256.ts";

/** How far a log was read: which file, and how many of its bytes. */
export type FilePlace = {
  inode: string;
  readUpTo: number;
  /** Of the first bytes: another file may get the same inode. */
  headLength: number;
  headDigest: string;
  /** Milliseconds since 1970. */
  readAt: number;
};

export type LogPart = {
  lines: string[];
  place: FilePlace;
  readAt: number;
  /** Whether there may be more to read at once. */
  hasMore: boolean;
  /** The log was truncated without a copy: lines that followed the place may be lost. */
  hasGap: boolean;
};

const maxHead = 256;
const defaultPartBytes = 4 * 1024 * 1024;

/**
 * Reads the complete lines that follow a place in a log that is rotated: by renaming (the API server's own rotation and
 * logrotate), or by copying and truncating the file (logrotate's `copytruncate`). The rest of a renamed or copied file
 * is read first, then any files that were made after it, and then the new one. Undefined if there is nothing new.
 * Throws if the log does not exist.
 */
export async function readNextLines({
  path,
  place,
  partBytes = defaultPartBytes,
}: {
  path: string;
  place: FilePlace | undefined;
  partBytes?: number;
}): Promise<LogPart | undefined> {
  const files = await listFiles(path);
  const from: Start = place === undefined ? { index: 0, offset: 0 } : await findStart(files, place);
  const hasGap = from.truncated === "without-copy";
  for (let { index, offset } = from; index < files.length; index += 1, offset = 0) {
    const file = files[index];
    if (file === undefined) break;
    const part = await readPart({ file, offset, partBytes, isLast: index === files.length - 1 });
    if (part !== undefined) return { ...part, hasMore: part.hasMore || index < files.length - 1, hasGap };
  }
  return from.truncated === "with-copy" ? beginCurrent(files) : undefined;
}

/** Begins the current log: its copy was read to the end, and no longer matters. */
function beginCurrent(files: readonly LogFile[]): LogPart | undefined {
  const current = files.at(-1);
  if (current === undefined) return undefined;
  const readAt = Date.now();
  const place = { inode: current.inode, readUpTo: 0, headLength: 0, headDigest: sha256Hex(""), readAt };
  return { lines: [], place, readAt, hasMore: false, hasGap: false };
}

type LogFile = { path: string; inode: string; modifiedAt: number; size: number };

/** Lists the log and its rotated files, oldest first; the log itself is the last. */
async function listFiles(path: string): Promise<LogFile[]> {
  const current = await describeFile(path);
  const [folder, name] = [dirname(path), basename(path)];
  const extension = extname(name);
  const stem = extension === "" ? name : name.slice(0, -extension.length);
  const names = (await readdir(folder)).filter(
    (other) => other !== name && isRotated(other, { name, stem, extension }),
  );
  const rotated = await Promise.all(
    // It may be deleted or renamed meanwhile: the next pass finds it under its new name.
    names.map((other) => describeFile(join(folder, other)).catch(() => undefined)),
  );
  const known = rotated.filter((file) => file !== undefined).filter(({ inode }) => inode !== current.inode);
  return [...known.sort((a, b) => a.modifiedAt - b.modifiedAt), current];
}

/** `audit-2026-11-23T06-00-00.000.log` (the API server), `audit.log.1` and `audit.log-20261123` (logrotate). */
function isRotated(
  other: string,
  { name, stem, extension }: { name: string; stem: string; extension: string },
): boolean {
  if (other.endsWith(".gz")) return false;
  return /^[.-]\d/.test(other.slice(name.length)) && other.startsWith(name)
    ? true
    : other.startsWith(`${stem}-`) &&
        other.endsWith(extension) &&
        /^\d{4}-\d\d-\d\dT/.test(other.slice(stem.length + 1));
}

async function describeFile(path: string): Promise<LogFile> {
  const { ino, mtimeMs, size } = await stat(path, { bigint: true });
  return { path, inode: String(ino), modifiedAt: Number(mtimeMs), size: Number(size) };
}

type Start = { index: number; offset: number; truncated?: "with-copy" | "without-copy" };

/**
 * Finds the place to continue. A file that was truncated, or replaced under the same inode, is read from its start,
 * after the rest of its copy. If the file is gone, all files written since the last read are read.
 */
async function findStart(files: readonly LogFile[], place: FilePlace): Promise<Start> {
  const index = files.findIndex(({ inode }) => inode === place.inode);
  const file = files[index];
  if (file === undefined) {
    const later = files.findIndex(({ modifiedAt }) => modifiedAt >= place.readAt);
    return { index: later === -1 ? files.length - 1 : later, offset: 0 };
  }
  const { readUpTo } = place;
  if (file.size >= readUpTo && (await beginsAlike(file, place))) return { index, offset: readUpTo };
  const copy = await findCopy(files, place);
  return copy === -1
    ? { index, offset: 0, truncated: "without-copy" }
    : { index: copy, offset: readUpTo, truncated: "with-copy" };
}

async function beginsAlike({ path, size }: LogFile, { headLength, headDigest }: FilePlace): Promise<boolean> {
  return size >= headLength && (await digestHead(path, headLength)) === headDigest;
}

/** Returns the index of the newest other file that begins with the bytes already read; -1 without one. */
async function findCopy(files: readonly LogFile[], place: FilePlace): Promise<number> {
  for (const [index, file] of [...files.entries()].reverse()) {
    // It may be compressed or renamed meanwhile.
    if (file.inode !== place.inode && (await beginsAlike(file, place).catch(() => false))) return index;
  }
  return -1;
}

async function readPart({
  file,
  offset,
  partBytes,
  isLast,
}: {
  file: LogFile;
  offset: number;
  partBytes: number;
  isLast: boolean;
}): Promise<Omit<LogPart, "hasGap"> | undefined> {
  const readAt = Date.now();
  const length = Math.min(partBytes, file.size - offset);
  if (length <= 0) return undefined;
  const handle = await open(file.path, "r");
  try {
    const bytes = await readBytes(handle, { offset, length });
    if (bytes.length === 0) return undefined;
    const end = bytes.lastIndexOf(0x0a) + 1;
    const isFull = bytes.length === partBytes;
    // A rotated file's last line, and a line that is longer than a part, will not be completed any more.
    const used = end > 0 ? end : isFull || !isLast ? bytes.length : 0;
    if (used === 0) return undefined;
    const lines = bytes.subarray(0, used).toString("utf8").split("\n");
    const readUpTo = offset + used;
    const headLength = Math.min(maxHead, readUpTo);
    const head = await readBytes(handle, { offset: 0, length: headLength });
    return {
      lines: lines.filter((line) => line.trim() !== ""),
      place: { inode: file.inode, readUpTo, headLength, headDigest: sha256Hex(head.toString("latin1")), readAt },
      readAt,
      hasMore: isFull,
    };
  } finally {
    await handle.close();
  }
}

async function digestHead(path: string, length: number): Promise<string> {
  const handle = await open(path, "r");
  try {
    return sha256Hex((await readBytes(handle, { offset: 0, length })).toString("latin1"));
  } finally {
    await handle.close();
  }
}

async function readBytes(handle: FileHandle, { offset, length }: { offset: number; length: number }): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

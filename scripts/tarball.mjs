import { createWriteStream, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

const block = 512;

/**
 * Writes a folder as `.tar.gz` (POSIX ustar, with pax headers for long paths). The same files give the same bytes: sorted
 * by name, one time, owner 0, and of the modes only whether a file is executable.
 */
export async function writeTarball({ tree, file, prefix, mtimeSeconds, level = 9 }) {
  await pipeline(
    Readable.from(blocksOf({ tree, prefix, mtimeSeconds })),
    createGzip({ level }),
    createWriteStream(file),
  );
}

function* blocksOf({ tree, prefix, mtimeSeconds }) {
  const entry = (fields) => headerOf({ mtimeSeconds, ...fields });
  yield entry({ path: `${prefix}/`, mode: 0o755, type: "5" });
  for (const path of listPaths(tree, "")) {
    const full = join(tree, path);
    const found = lstatSync(full);
    const name = `${prefix}/${path}`;
    if (found.isDirectory()) yield entry({ path: `${name}/`, mode: 0o755, type: "5" });
    else if (found.isSymbolicLink()) yield entry({ path: name, mode: 0o777, type: "2", link: readlinkSync(full) });
    else {
      const content = readFileSync(full);
      yield entry({ path: name, mode: (found.mode & 0o111) === 0 ? 0o644 : 0o755, type: "0", size: content.length });
      yield padded(content);
    }
  }
  yield Buffer.alloc(2 * block);
}

/** Sorted by bytes, which no locale changes; a folder before what it holds. */
function listPaths(tree, folder) {
  const entries = readdirSync(join(tree, folder), { withFileTypes: true });
  const names = entries.toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
  return names.flatMap((entry) => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    return entry.isDirectory() ? [path, ...listPaths(tree, path)] : [path];
  });
}

function headerOf({ path, link = "", ...fields }) {
  const records = [];
  if (Buffer.byteLength(path) > 100) records.push(paxRecord("path", path));
  if (Buffer.byteLength(link) > 100) records.push(paxRecord("linkpath", link));
  const header = ustarHeader({ path, link, ...fields });
  if (records.length === 0) return header;
  const content = Buffer.from(records.join(""));
  const { mtimeSeconds } = fields;
  const pax = ustarHeader({ path: "pax", link: "", mode: 0o644, type: "x", size: content.length, mtimeSeconds });
  return Buffer.concat([pax, padded(content), header]);
}

/** The length counts itself. */
function paxRecord(key, value) {
  const rest = ` ${key}=${value}\n`;
  const bytes = Buffer.byteLength(rest);
  const guess = bytes + String(bytes).length;
  return `${bytes + String(guess).length}${rest}`;
}

function ustarHeader({ path, link, mode, type, size = 0, mtimeSeconds }) {
  const header = Buffer.alloc(block);
  const octal = (value, length) => `${value.toString(8).padStart(length - 1, "0")}\0`;
  header.write(Buffer.from(path).subarray(0, 100).toString("latin1"), 0, "latin1");
  header.write(octal(mode, 8) + octal(0, 8) + octal(0, 8) + octal(size, 12) + octal(mtimeSeconds, 12), 100);
  header.write(`        ${type}`, 148);
  header.write(Buffer.from(link).subarray(0, 100).toString("latin1"), 157, "latin1");
  header.write("ustar\x0000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

function padded(content) {
  return Buffer.concat([content, Buffer.alloc((block - (content.length % block)) % block)]);
}

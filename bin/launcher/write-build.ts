import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { projectRoot } from "#lib/server/platform/config/program-files.ts";
import { CommandError } from "../command-line.ts";

/** Positions in a file of a build, in bytes: of the base path (`paths`), and of its length (`lengths`). */
type Places = { paths: number[]; lengths: number[] };

/**
 * The table that scripts/base-path.mjs writes for a build. `unread`: entries of the build's folder that no server
 * reads.
 */
type Table = { unread: string[]; files: Record<string, Places> };

/**
 * Writes a copy of the built application that is served below a base path such as `/gatehouse`; earlier content of the
 * folder is removed. Besides the build, the folder gets links to packages and public files. Takes 25 MB.
 */
export function writeBuild({
  basePath,
  folder,
  from = projectRoot,
}: {
  basePath: string;
  folder: string;
  from?: string;
}): void {
  const { unread, files } = readTable(from);
  try {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
    for (const name of readdirSync(from)) if (!name.startsWith(".")) symlinkSync(join(from, name), join(folder, name));
    copyFolder(join(from, ".next"), join(folder, ".next"), (name) => !unread.includes(name));
    for (const [file, found] of Object.entries(files)) {
      const target = join(folder, ".next", file);
      const text = fillIn(readFileSync(join(from, ".next", file), "latin1"), found, basePath);
      // The copy may be read-only, like its original.
      rmSync(target);
      writeFileSync(target, text, "latin1");
    }
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new CommandError(
      `publicUrl has the path ${basePath}, and the pages for it cannot be written to ${folder} (${reason}): 25 MB are needed there, or below another TMPDIR`,
    );
  }
}

function readTable(from: string): Table {
  try {
    return JSON.parse(readFileSync(join(from, ".next/base-path.json"), "utf8")) as Table;
  } catch {
    throw new CommandError("this build cannot be served below a path: it was not made by scripts/build.mjs");
  }
}

/** Puts the base path into a text that has one character per byte. */
export function fillIn(text: string, { paths, lengths }: Places, basePath: string): string {
  const insertions = [
    ...paths.map((at) => ({ at, skip: 0, text: basePath })),
    ...lengths.map((at) => ({ at, skip: 1, text: String(basePath.length) })),
  ].sort((a, b) => a.at - b.at);
  let filled = "";
  let from = 0;
  for (const { at, skip, text: inserted } of insertions) {
    filled += text.slice(from, at) + inserted;
    from = at + skip;
  }
  return filled + text.slice(from);
}

/** Copies a folder. Folders get a mode of their own, because files in a read-only folder cannot be removed. */
function copyFolder(from: string, to: string, isWanted: (name: string) => boolean = () => true): void {
  mkdirSync(to, { mode: 0o700 });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const { name } = entry;
    if (!isWanted(name) || /\.(map|nft\.json)$/.test(name)) continue;
    const [source, target] = [join(from, name), join(to, name)];
    if (entry.isDirectory()) copyFolder(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else copyFileSync(source, target);
  }
}

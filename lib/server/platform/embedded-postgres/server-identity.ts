import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * How to start a PostgreSQL program: the command that precedes it, and the user that runs it. `owner` is undefined if
 * the server runs as the current user.
 */
export type ServerIdentity = {
  wrap(command: string[]): string[];
  owner: { uid: number; gid: number } | undefined;
};

/** The whole environment of a PostgreSQL program: its messages are parsed, so it must not get the user's locale. */
export const serverEnvironment: NodeJS.ProcessEnv = {
  NODE_ENV: "production",
  LC_ALL: "C",
  TZ: "UTC",
  PATH: "/usr/bin:/bin",
};

const setprivPaths = ["/usr/bin/setpriv", "/bin/setpriv"];
const capabilityBits = { dac_override: 1, dac_read_search: 2, setpcap: 8 } as const;

/**
 * Chooses the user for the server, since PostgreSQL refuses to run as root. Under root, it gets the uid of an
 * unprivileged user. If a parent folder of its data or its binaries is closed to that user (a clone in /root), it also
 * gets the single right to search folders, as an ambient capability from setpriv. SECBIT_NO_SETUID_FIXUP makes
 * access(2), with which PostgreSQL checks its own executable, respect that right.
 */
export function chooseServerIdentity({ paths }: { paths: string[] }): ServerIdentity {
  const setpriv = setprivPaths.find((path) => existsSync(path));
  // The kernel stops the server even if both its warden and the launcher were killed.
  const deathSignal = setpriv === undefined ? [] : [setpriv, "--pdeathsig", "INT"];
  if (process.getuid?.() !== 0) {
    const prefix = deathSignal.length === 0 ? [] : [...deathSignal, "--"];
    return { wrap: (command) => [...prefix, ...command], owner: undefined };
  }
  const owner = findUnprivilegedUser();
  if (setpriv === undefined) {
    assertReachable(paths, "the program setpriv (package util-linux) is missing");
    return { wrap: (command) => command, owner };
  }
  const prefix = [...deathSignal, `--reuid=${owner.uid}`, `--regid=${owner.gid}`, "--clear-groups"];
  if (closedParents(paths).length > 0) prefix.push(...searchRight(paths));
  return { wrap: (command) => [...prefix, "--no-new-privs", "--", ...command], owner };
}

function searchRight(paths: string[]): string[] {
  const held = effectiveCapabilities();
  const has = (name: keyof typeof capabilityBits) => (held >> BigInt(capabilityBits[name])) % 2n === 1n;
  const right = (["dac_read_search", "dac_override"] as const).find(has);
  if (right === undefined || !has("setpcap")) {
    assertReachable(paths, "root lacks the capabilities dac_read_search and setpcap here");
    return [];
  }
  const set = `-all,+${right}`;
  return [`--inh-caps=${set}`, `--ambient-caps=${set}`, "--securebits=+no_setuid_fixup"];
}

function effectiveCapabilities(): bigint {
  const line = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8"));
  return line?.[1] === undefined ? 0n : BigInt(`0x${line[1]}`);
}

function findUnprivilegedUser(): { uid: number; gid: number } {
  const lines = existsSync("/etc/passwd") ? readFileSync("/etc/passwd", "utf8").split("\n") : [];
  for (const name of ["postgres", "nobody"]) {
    const fields = lines.map((line) => line.split(":")).find((parts) => parts[0] === name);
    const uid = Number(fields?.[2]);
    const gid = Number(fields?.[3]);
    if (uid > 0 && gid > 0) return { uid, gid };
  }
  throw new Error(
    "the embedded PostgreSQL cannot run as root, and there is no user postgres or nobody to run it as: start as an ordinary user, or set DATABASE_URL",
  );
}

function assertReachable(paths: string[], why: string): void {
  const closed = closedParents(paths)[0];
  if (closed === undefined) return;
  throw new Error(
    `the embedded PostgreSQL runs as an unprivileged user, which cannot enter ${closed} (${why}): use --data-dir and a clone elsewhere, start as an ordinary user, or set DATABASE_URL`,
  );
}

/** Returns the folders above the given paths that other users cannot enter. */
function closedParents(paths: string[]): string[] {
  const closed = new Set<string>();
  for (const path of paths) {
    for (let folder = dirname(resolve(path)); ; folder = dirname(folder)) {
      if (existsSync(folder) && (statSync(folder).mode & 0o001) === 0) closed.add(folder);
      if (folder === dirname(folder)) break;
    }
  }
  return [...closed];
}

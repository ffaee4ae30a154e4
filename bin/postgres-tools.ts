import { spawn } from "node:child_process";
import { CommandError } from "./command-line.ts";

/**
 * Splits a connection URL into an argument, which all users of the machine can see, and the password for a variable.
 * Throws a one-line error if it is not a URL.
 */
export function hidePassword(databaseUrl: string): { dbname: string; password: string | undefined } {
  if (!URL.canParse(databaseUrl)) throw new CommandError("the database's connection is not a URL: postgresql://...");
  const url = new URL(databaseUrl);
  const password = url.searchParams.get("password") ?? decodeURIComponent(url.password);
  url.password = "";
  url.searchParams.delete("password");
  return { dbname: url.href, password: password === "" ? undefined : password };
}

type Tool = {
  /** Its name on PATH, or the path that a flag gave. */
  program: string;
  args: readonly string[];
  databaseUrl: string;
};

/** Runs a client program of PostgreSQL to its end. Throws its own words in one line if it fails. */
export async function runTool({ program, args, databaseUrl }: Tool): Promise<void> {
  const { dbname, password } = hidePassword(databaseUrl);
  const { status, stderr } = await collect(program, [...args, "--no-password", `--dbname=${dbname}`], password);
  if (status !== 0) throw new CommandError(`${program}: ${stderr.trim() || `it ended with ${status}`}`);
}

/**
 * Checks that a client program of PostgreSQL is installed and not older than the server: an older one fails half way.
 * `flag` selects another program. Throws a one-line error that says what to install.
 */
export async function assertTool(tool: { program: string; flag: string; serverMajor: number }): Promise<void> {
  const { program, flag, serverMajor } = tool;
  const mend = `install PostgreSQL's client programs of version ${serverMajor} (Debian: postgresql-client-${serverMajor}), or name one with ${flag}`;
  const { status, stdout } = await collect(program, ["--version"]);
  const major = Number(/\b(\d+)(\.|beta|rc|devel)/.exec(stdout)?.[1] ?? Number.NaN);
  if (status !== 0 || Number.isNaN(major)) throw new CommandError(`${program} cannot be run: ${mend}`);
  if (major < serverMajor)
    throw new CommandError(`${program} is of version ${major}, and the server of ${serverMajor}: ${mend}`);
}

type Ended = { status: number | null; stdout: string; stderr: string };

function collect(program: string, args: readonly string[], password?: string): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      stdio: ["ignore", "pipe", "pipe"],
      // Its output is parsed, and matched by tests.
      env: { ...process.env, LC_ALL: "C", ...(password === undefined ? {} : { PGPASSWORD: password }) },
    });
    const ended: Ended = { status: null, stdout: "", stderr: "" };
    child.stdout.on("data", (chunk) => (ended.stdout += String(chunk)));
    child.stderr.on("data", (chunk) => (ended.stderr += String(chunk)));
    child.on("error", (error) => resolve({ ...ended, stderr: error.message }));
    child.on("close", (status) => resolve({ ...ended, status }));
  });
}

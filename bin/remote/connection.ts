import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import { parseJson } from "#lib/util/json.ts";
import { CommandError, UsageError } from "../command-line.ts";
import { programName } from "../program-name.ts";

/** Where Gatehouse answers, and the API token of the person who asks. */
export type Connection = { url: string; token: string };

const Login = z.object({ url: z.string(), token: z.string() });

function loginFile(): string {
  const base = process.env.XDG_CONFIG_HOME;
  return join(base === undefined || base === "" ? join(homedir(), ".config") : base, "gatehouse", "login.json");
}

/** Reads the connection from GATEHOUSE_URL and GATEHOUSE_TOKEN, else from what `gatehouse login` stored. */
export function readConnection(): Connection {
  const { GATEHOUSE_URL: url = "", GATEHOUSE_TOKEN: token = "" } = process.env;
  if (url !== "" && token !== "") return { url: checkUrl(url, "GATEHOUSE_URL"), token };
  if (url !== "" || token !== "")
    throw new UsageError(`${url === "" ? "GATEHOUSE_URL" : "GATEHOUSE_TOKEN"} is not set: set both, or neither`);
  const file = loginFile();
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new CommandError(`not signed in: run ${programName} login URL, or set GATEHOUSE_URL and GATEHOUSE_TOKEN`);
  }
  const login = Login.safeParse(parseJson(text));
  if (!login.success) throw new CommandError(`${file} is not readable: run ${programName} login URL again`);
  return login.data;
}

/** Returns the origin and path of a URL without a slash at its end. Throws `UsageError` if it is none. */
export function checkUrl(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${name} must be an http or https address, not ${JSON.stringify(text)}`);
  return `${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, "");
}

/** Stores the connection for the next commands, readable by this user alone. Returns the file. */
export function storeConnection(connection: Connection): string {
  const file = loginFile();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // Writing to an existing file would keep its mode.
  rmSync(file, { force: true });
  writeFileSync(file, `${JSON.stringify(connection)}\n`, { mode: 0o600, flag: "wx" });
  return file;
}

/** Forgets the stored connection. Returns whether there was one. */
export function forgetConnection(): boolean {
  const file = loginFile();
  try {
    rmSync(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

import { createInterface } from "node:readline/promises";
import { isApiError } from "#lib/client/api-error.ts";
import type { Me } from "#lib/contract/system.ts";
import { cleanText } from "../clean-text.ts";
import { CommandError, parseFlags, UsageError } from "../command-line.ts";
import { connectApi } from "../remote/api.ts";
import { checkUrl, storeConnection } from "../remote/connection.ts";

/**
 * Runs `gatehouse login`: asks for an API token, tries it, and stores it for this user. A token is never an argument:
 * others on the machine can read those.
 */
export async function runLogin(args: string[]): Promise<number> {
  const flags = parseFlags(args, { url: { type: "string" } });
  if (flags.url === undefined) throw new UsageError("--url is missing: give the address of Gatehouse");
  const url = checkUrl(flags.url, "--url");
  const token = await readToken(url);
  if (token === "") throw new CommandError("no token given");
  const me = await readMe({ url, token });
  const file = storeConnection({ url, token });
  process.stdout.write(
    `signed in to ${url} as ${cleanText(me.username)}, role ${cleanText(me.role)}; stored in ${file}\n`,
  );
  return 0;
}

async function readMe(connection: { url: string; token: string }): Promise<Me> {
  try {
    return await connectApi(connection).get<Me>("/api/v1/me");
  } catch (error) {
    if (isApiError(error) && error.code === "unauthenticated")
      throw new CommandError(`${connection.url} does not know this token, or it has expired`);
    throw error;
  }
}

async function readToken(url: string): Promise<string> {
  const isTyped = process.stdin.isTTY === true;
  if (isTyped) process.stderr.write(`Create an API token at ${url}/settings, and paste it here.\nToken (not shown): `);
  // Without an output, what is typed is not shown.
  const lines = createInterface({ input: process.stdin, terminal: isTyped });
  const line = await new Promise<string>((resolve) => {
    lines.once("line", resolve);
    lines.once("close", () => resolve(""));
  });
  lines.close();
  if (isTyped) process.stderr.write("\n");
  return line.trim();
}

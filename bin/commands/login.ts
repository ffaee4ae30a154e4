import { createInterface } from "node:readline/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Me } from "#lib/contract/system.ts";
import { isGatehouseError } from "#packages/client/src/gatehouse-error.ts";
import { cleanText } from "../clean-text.ts";
import { CommandError, parseFlags, UsageError } from "../command-line.ts";
import { programName } from "../program-name.ts";
import { connectApi } from "../remote/api.ts";
import { checkUrl, storeConnection } from "../remote/connection.ts";
import { signInDevice } from "../remote/device-sign-in.ts";

/**
 * Runs `gatehouse login URL`: signs in through a browser, or with a token that is typed or piped in, tries the token, and
 * stores it for this user. A token is never an argument: others on the machine can read those.
 */
export async function runLogin(args: string[]): Promise<number> {
  const [first = "", ...rest] = args;
  const isNamed = first !== "" && !first.startsWith("-");
  const flags = parseFlags(isNamed ? rest : args, {
    url: { type: "string" },
    device: { type: "boolean" },
    "with-token": { type: "boolean" },
  });
  if (isNamed && flags.url !== undefined) throw new UsageError("give the address once: as URL or with --url");
  const given = isNamed ? first : flags.url;
  if (given === undefined) throw new UsageError(`the address of Gatehouse is missing: ${programName} login URL`);
  if (flags.device && flags["with-token"]) throw new UsageError("--device and --with-token exclude each other");
  const url = checkUrl(given, isNamed ? "URL" : "--url");
  // Without a terminal, no one can read a code: a script pipes a token in.
  const isDevice = flags.device || (!flags["with-token"] && process.stdin.isTTY === true);
  const token = isDevice ? await signInDevice({ url, tell, sleep, now: Date.now }) : await readToken(url);
  if (token === "") throw new CommandError("no token given");
  const me = await readMe({ url, token });
  const file = storeConnection({ url, token });
  process.stdout.write(
    `signed in to ${url} as ${cleanText(me.username)}, role ${cleanText(me.role)}; stored in ${file}\n`,
  );
  return 0;
}

function tell(text: string): void {
  process.stderr.write(text);
}

async function readMe(connection: { url: string; token: string }): Promise<Me> {
  try {
    return await connectApi(connection).get<Me>("/api/v1/me");
  } catch (error) {
    if (isGatehouseError(error, "unauthenticated"))
      throw new CommandError(`${connection.url} does not know this token, or it has expired`);
    throw error;
  }
}

async function readToken(url: string): Promise<string> {
  const isTyped = process.stdin.isTTY === true;
  if (isTyped) process.stderr.write(`Create an API token at ${url}/settings, and paste it here.\nToken (not shown): `);
  // Without an output, the typed text is not shown.
  const lines = createInterface({ input: process.stdin, terminal: isTyped });
  const line = await new Promise<string>((resolve) => {
    lines.once("line", resolve);
    lines.once("close", () => resolve(""));
  });
  lines.close();
  if (isTyped) process.stderr.write("\n");
  return line.trim();
}

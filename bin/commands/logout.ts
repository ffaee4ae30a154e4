import { parseFlags } from "../command-line.ts";
import { forgetConnection } from "../remote/connection.ts";

/** Runs `gatehouse logout`: forgets the stored token. It stays valid until it is revoked. */
export async function runLogout(args: string[]): Promise<number> {
  parseFlags(args, {});
  const hadOne = forgetConnection();
  process.stdout.write(
    hadOne ? "signed out; the token stays valid until you revoke it in the settings\n" : "not signed in\n",
  );
  return 0;
}

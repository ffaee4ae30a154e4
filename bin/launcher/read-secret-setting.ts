import { readEnvironment } from "#lib/server/platform/config/environment.ts";
import { CommandError } from "../command-line.ts";

/** Reads GATEHOUSE_SECRET, which signs session cookies; throws a one-line error if it is missing or too short. */
export function readSecretSetting(): string {
  const { secret } = readEnvironment();
  if (secret === undefined || secret === "") {
    throw new CommandError(
      "GATEHOUSE_SECRET is not set: give at least 32 random characters, for example from openssl rand -base64 32",
    );
  }
  if (secret.length < 32) throw new CommandError(`GATEHOUSE_SECRET has ${secret.length} characters: give at least 32`);
  return secret;
}

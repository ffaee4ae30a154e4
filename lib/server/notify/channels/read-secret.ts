import { readFile } from "node:fs/promises";
import { readNamedVariable } from "#lib/server/config/environment.ts";
import { hasBrand } from "#lib/util/has-brand.ts";

/** A secret is missing or empty. Its message names the place, never the value. */
class MissingSecretError extends Error {
  readonly brand = "missing-secret";
}

export function isMissingSecret(error: unknown): error is MissingSecretError {
  return hasBrand(error, "missing-secret");
}

/**
 * Reads a secret from the file or the environment variable that the config names; undefined if it names neither. Read at
 * each message, so that a new one is used at once. Throws `MissingSecretError`.
 */
export async function readSecret(
  what: string,
  { file, variable }: { file: string | undefined; variable: string | undefined },
): Promise<string | undefined> {
  if (file === undefined && variable === undefined) return undefined;
  const text =
    file === undefined ? readNamedVariable(variable ?? "") : await readFile(file, "utf8").catch(() => undefined);
  const secret = text?.trim();
  if (secret === undefined || secret === "")
    throw new MissingSecretError(
      `the ${what} was not found in ${file === undefined ? `environment variable ${variable}` : `file ${file}`}`,
    );
  return secret;
}

/** Reads one that must be there. */
export async function needSecret(
  what: string,
  place: { file: string | undefined; variable: string | undefined },
): Promise<string> {
  const secret = await readSecret(what, place);
  if (secret === undefined) throw new MissingSecretError(`the config names no place of the ${what}`);
  return secret;
}

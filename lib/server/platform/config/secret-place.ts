import { readFile } from "node:fs/promises";
import { z } from "zod";
import { readNamedVariable } from "./environment.ts";

// `file://` is the beginning of a URL, not of a path.
const placeForm = /^(?:file:(?!\/\/).+|env:[A-Za-z_][A-Za-z0-9_]*)$/;

/** Where a secret is: `file:PATH` or `env:NAME`. The config never contains the secret itself. */
export const SecretPlace = z.string().regex(placeForm, "say where it is, as file:PATH or env:NAME");

export function isSecretPlace(text: string): boolean {
  return placeForm.test(text);
}

/** Returns the name of the environment variable; undefined for a file. */
export function variableOf(place: string): string | undefined {
  return place.startsWith("env:") ? place.slice("env:".length) : undefined;
}

/** Returns the place with the path of its file changed. */
export function withPath(place: string, change: (path: string) => string): string {
  return place.startsWith("file:") ? `file:${change(place.slice("file:".length))}` : place;
}

/** Reads a secret without the spaces around it; undefined if it is missing, the empty text if it is empty. */
export async function readSecretPlace(place: string): Promise<string | undefined> {
  const variable = variableOf(place);
  const text =
    variable === undefined
      ? await readFile(place.slice("file:".length), "utf8").catch(() => undefined)
      : readNamedVariable(variable);
  return text?.trim();
}

/** Names the place in a message: `file /etc/x` or `environment variable X`. */
export function describeSecretPlace(place: string): string {
  const variable = variableOf(place);
  return variable === undefined ? `file ${place.slice("file:".length)}` : `environment variable ${variable}`;
}

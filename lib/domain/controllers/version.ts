import { parse } from "semver";

/**
 * Reads a version as a controller or the tag of its image says it: `v1.8.3+49fa151` is 1.8.3. Undefined if the text has
 * none, such as `latest`.
 */
export function readVersion(text: string): string | undefined {
  return parse(text.trim())?.version;
}

import { stringify } from "yaml";

/**
 * Formats a spec as readable YAML, with names first and the rest in alphabetical order: equal specs give equal texts.
 */
export function formatSpec(spec: unknown): string {
  return stringify(spec, {
    lineWidth: 0,
    aliasDuplicateObjects: false,
    sortMapEntries: (one, other) => compareKeys(String(one.key), String(other.key)),
  }).trimEnd();
}

function compareKeys(one: string, other: string): number {
  if (one === other) return 0;
  if (one === "name") return -1;
  if (other === "name") return 1;
  return one < other ? -1 : 1;
}

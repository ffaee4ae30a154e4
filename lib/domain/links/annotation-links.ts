import { parseAddress } from "./link-template.ts";

const prefix = "gatehouse.dev/link.";
const maxLinks = 10;
const maxLength = 2000;

/**
 * Reads the links of a rollout from its annotations `gatehouse.dev/link.NAME`. Any user who may change the rollout can
 * write them: only http and https, without a user part and without characters that are invisible or change the
 * direction of the text. Others are left out. Sorted by name, at most ten.
 */
export function readAnnotationLinks(annotations: Readonly<Record<string, string>>): { name: string; href: string }[] {
  return Object.entries(annotations)
    .flatMap(([key, value]) => {
      const name = key.startsWith(prefix) ? key.slice(prefix.length) : "";
      if (!/^[A-Za-z0-9][\w.-]{0,62}$/.test(name) || value.length > maxLength) return [];
      const text = value.trim();
      if (/[\s\\<>"`\p{Cc}\p{Cf}]/u.test(text)) return [];
      const href = parseAddress(text)?.href;
      return href === undefined ? [] : [{ name, href }];
    })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .slice(0, maxLinks);
}

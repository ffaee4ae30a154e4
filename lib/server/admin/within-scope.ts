import type { Source } from "#lib/contract/system.ts";
import { type Rights, readsAllOf } from "#lib/domain/policy/rights.ts";
import { hideAddresses } from "#lib/domain/storable/redact-text.ts";

/**
 * Limits a source to the parts that the person may see. Without the right to read all that it watches, they see how
 * fresh it is, but not how many objects it has or where. `held` counts the held objects that the person may read.
 */
export function withinScope({ source, rights, held }: { source: Source; rights: Rights; held: number }): Source {
  if (readsAllOf(rights, source)) return source;
  return {
    ...source,
    objects: null,
    lastError: source.lastError === null ? null : hideAddresses(source.lastError),
    hold: source.hold === null ? null : { ...source.hold, count: held },
  };
}

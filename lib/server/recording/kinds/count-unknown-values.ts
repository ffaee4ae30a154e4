import { findUnknownValues } from "#lib/domain/providers.ts";
import type { KindWriter } from "#lib/server/recording/store/batch-types.ts";

/** The process remembers this many objects as counted; older ones may be counted again. */
const maxRemembered = 10_000;

/** Counts words that Gatehouse has no meaning for. Each object that carries them is counted once, when it is stored. */
export function countUnknownValues(
  writer: KindWriter,
  { kind, onUnknown }: { kind: string; onUnknown: (field: string) => void },
): KindWriter {
  const counted = new Set<string>();
  return {
    ...writer,
    async write(tx, entries) {
      const result = await writer.write(tx, entries);
      return {
        ...result,
        committed() {
          result.committed();
          for (const { uid, object } of entries)
            for (const { field, value } of findUnknownValues(kind, object)) {
              const key = [uid, field, value].join("\n");
              if (counted.has(key)) continue;
              counted.add(key);
              const [oldest] = counted;
              if (counted.size > maxRemembered && oldest !== undefined) counted.delete(oldest);
              onUnknown(field);
            }
        },
      };
    },
  };
}

import { z } from "zod";

const Metadata = z.object({ metadata: z.object({ labels: z.unknown(), annotations: z.unknown() }).partial() });

/** In characters. A label has at most 63; an annotation that is longer is no label in disguise. */
const longestValue = 253;

/**
 * Returns the labels of an object that have these names, and annotations for names without a label. A longer value is
 * left out, since a part of it would look like another value.
 */
export function pickLabels(object: unknown, names: readonly string[]): Record<string, string> {
  if (names.length === 0) return {};
  const { labels, annotations } = Metadata.safeParse(object).data?.metadata ?? {};
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = readText(labels, name) ?? readText(annotations, name);
      return value === undefined || value.length > longestValue ? [] : [[name, value]];
    }),
  );
}

function readText(map: unknown, name: string): string | undefined {
  if (typeof map !== "object" || map === null || !Object.hasOwn(map, name)) return undefined;
  const value: unknown = Reflect.get(map, name);
  return typeof value === "string" ? value : undefined;
}

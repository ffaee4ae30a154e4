/** Characters are those of its names and texts. */
export type ObjectSize = { characters: number; values: number; depth: number };

/** The most of an object that is read. */
export const objectLimits: Readonly<ObjectSize> = {
  /** No API server with the usual settings takes a larger body, and etcd keeps half as much. */
  characters: 3 * 2 ** 20,
  /** The largest analysis run that etcd keeps has about 70 000. */
  values: 100_000,
  /** A pod template in an Experiment has about 20. */
  depth: 100,
};

/**
 * Measures a JSON value without recursion, however deeply it is nested. Stops soon after a limit is exceeded, so the
 * work is bounded.
 */
export function measureObject(object: unknown, limits: Readonly<ObjectSize> = objectLimits): ObjectSize {
  const size: ObjectSize = { characters: 0, values: 0, depth: 0 };
  const waiting: unknown[] = [object];
  const depths: number[] = [1];
  while (waiting.length > 0 && isWithin(size, limits)) {
    const value = waiting.pop();
    const depth = depths.pop() ?? 1;
    size.values += 1;
    if (typeof value === "string") size.characters += value.length;
    if (typeof value !== "object" || value === null) continue;
    size.depth = Math.max(size.depth, depth);
    if (!Array.isArray(value)) for (const name of Object.keys(value)) size.characters += name.length;
    for (const inner of Array.isArray(value) ? value : Object.values(value)) {
      waiting.push(inner);
      depths.push(depth + 1);
    }
  }
  return size;
}

export function isWithin(size: ObjectSize, limits: Readonly<ObjectSize> = objectLimits): boolean {
  return size.characters <= limits.characters && size.values <= limits.values && size.depth <= limits.depth;
}

/** Returns why an object of this size is not read, and which field is to blame; undefined if it may be read. */
export function explainExcess(object: unknown, size: ObjectSize): string | undefined {
  const { characters, values, depth } = objectLimits;
  if (size.depth > depth) return `${placeOf(object, "depth")} is nested more than ${depth} levels deep`;
  if (size.characters > characters)
    return `it has more than ${characters} characters, most of them in ${placeOf(object, "characters")}`;
  if (size.values > values) return `it has more than ${values} values, most of them in ${placeOf(object, "values")}`;
  return undefined;
}

const namedLevels = 2;
const longestName = 60;

/** Names the largest field, such as `metadata.annotations`. */
function placeOf(object: unknown, by: keyof ObjectSize): string {
  const path: string[] = [];
  let place = object;
  while (path.length < namedLevels && typeof place === "object" && place !== null && !Array.isArray(place)) {
    const fields = Object.entries(place).map(([name, value]) => ({ name, value, size: measureObject(value)[by] }));
    const [largest] = fields.toSorted((one, other) => other.size - one.size);
    if (largest === undefined) break;
    path.push(largest.name.slice(0, longestName));
    place = largest.value;
  }
  return path.join(".");
}

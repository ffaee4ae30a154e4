/**
 * Puts an entry into a map as its newest, and drops the oldest ones beyond `maxEntries`: their keys come from outside.
 */
export function putNewest<Key, Value>(
  map: Map<Key, Value>,
  { key, value, maxEntries }: { key: Key; value: Value; maxEntries: number },
): void {
  // A Map keeps an existing key in its old position.
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= maxEntries) return;
    map.delete(oldest);
  }
}

const encoder = new TextEncoder();

/** Returns the 32-bit FNV-1a hash of a text's UTF-8 bytes, as Go's hash/fnv `New32a`. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of encoder.encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

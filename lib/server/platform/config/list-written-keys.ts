import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";

/**
 * Lists the paths of all keys and items that a YAML text has, such as `clusters[0].name`, with their lines. Empty for a
 * text that is not YAML.
 */
export function listWrittenKeys(text: string): ReadonlyMap<string, number> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const found = new Map<string, number>();
  const lineOf = (node: unknown): number => lines.linePos((node as Node | undefined)?.range?.[0] ?? 0).line;
  const walk = (given: unknown, path: string): void => {
    const node = (given as { resolve?: (of: unknown) => unknown } | null)?.resolve?.(document) ?? given;
    if (isMap(node))
      for (const { key, value } of node.items) {
        const inner = joinPath(path, isScalar(key) ? String(key.value) : "?");
        found.set(inner, lineOf(key));
        walk(value, inner);
      }
    if (isSeq(node))
      for (const [index, item] of node.items.entries()) {
        found.set(`${path}[${index}]`, lineOf(item));
        walk(item, `${path}[${index}]`);
      }
  };
  walk(document.contents, "");
  return found;
}

export function joinPath(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

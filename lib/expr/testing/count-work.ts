/** Cost of creating or using a formatter, in reads of a character. */
const formatterCost = 3000;
const formatCost = 200;

type Cost = (self: unknown, args: readonly unknown[], result?: unknown) => number;

const sizeOf = (value: unknown): number => (typeof value === "string" ? value.length : 0);
const own: Cost = (self) => sizeOf(self) + 1;
const first: Cost = (_, [text]) => (typeof text === "string" ? text.length : 0) + 1;
const shorter: Cost = (self, [part]) => Math.min(sizeOf(self), sizeOf(part)) + 1;
const one: Cost = () => 1;
/** The engine's own searches are not linear in the length of the needle. */
const product: Cost = (self, [part]) => sizeOf(self) * Math.max(1, sizeOf(part)) + 1;
/** Counts from the start index to the match. */
const forwards: Cost = (self, [part, from = 0], found) => {
  const end = typeof found === "number" && found >= 0 ? found + sizeOf(part) : sizeOf(self);
  return Math.max(1, end - Number(from)) * Math.max(1, sizeOf(part));
};
/** With a regular expression, the work is counted in `exec`. */
const searching: Cost = (self, args) => (typeof args[0] === "string" ? product(self, args) : 1);

const costs: readonly (readonly [object, Readonly<Record<string, Cost>>])[] = [
  [
    String.prototype,
    {
      indexOf: forwards,
      ...Object.fromEntries(["lastIndexOf", "includes"].map((name) => [name, product])),
      ...Object.fromEntries(["split", "replace", "replaceAll", "match", "search"].map((name) => [name, searching])),
      ...Object.fromEntries(["startsWith", "endsWith"].map((name) => [name, shorter])),
      ...Object.fromEntries(["charCodeAt", "codePointAt", "charAt", "at"].map((name) => [name, one])),
      ...Object.fromEntries(
        ["toUpperCase", "toLowerCase", "toWellFormed", "trim", "normalize"].map((name) => [name, own]),
      ),
    },
  ],
  [TextEncoder.prototype, { encode: first }],
  [JSON, { parse: first, stringify: first }],
  [Intl.DateTimeFormat.prototype, { formatToParts: () => formatCost }],
];

/**
 * Counts the characters and elements that `run` reads, through the engine functions that it calls. Searches, and
 * everything else that is not linear, count as the engine's worst case. Lists count their own reads (`countedItems`).
 */
export function countWork(run: () => void): number {
  let work = 0;
  const undo: (() => void)[] = [];
  const replaceProperty = (owner: object, name: string, value: unknown): void => {
    const before = Object.getOwnPropertyDescriptor(owner, name);
    if (before === undefined) throw new Error(`there is no ${name}`);
    Object.defineProperty(owner, name, { ...before, value });
    undo.push(() => Object.defineProperty(owner, name, before));
  };
  for (const [owner, methods] of costs) {
    for (const [name, cost] of Object.entries(methods)) {
      const original = Reflect.get(owner, name) as (...args: unknown[]) => unknown;
      replaceProperty(owner, name, function counted(this: unknown, ...args: unknown[]): unknown {
        const result = original.apply(this, args);
        work += cost(this, args, result);
        return result;
      });
    }
  }
  const { exec } = RegExp.prototype;
  replaceProperty(RegExp.prototype, "exec", function counted(this: RegExp, text: string): RegExpExecArray | null {
    const from = this.global ? this.lastIndex : 0;
    const match = exec.call(this, text);
    const isPrefix = this.source.startsWith("^") && !this.source.endsWith("$");
    work += 1 + (match === null ? (isPrefix ? 16 : text.length - from) : match.index + match[0].length - from);
    return match;
  });
  const Original = Intl.DateTimeFormat;
  replaceProperty(
    Intl,
    "DateTimeFormat",
    new Proxy(Original, {
      construct: (target, args) => {
        work += formatterCost;
        return Reflect.construct(target, args);
      },
    }),
  );
  onRead = () => {
    work++;
  };
  try {
    run();
  } finally {
    onRead = () => {};
    for (const back of undo.reverse()) back();
  }
  return work;
}

let onRead = (): void => {};

/** Returns a list that reports every element read to `countWork`. */
export function countedItems<T>(items: readonly T[]): readonly T[] {
  return new Proxy(items, {
    get: (target, key, receiver) => {
      onRead();
      return Reflect.get(target, key, receiver);
    },
  });
}

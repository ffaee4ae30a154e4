import type { BuiltinNode, Node } from "./ast.ts";
import { assertBool, kindName } from "./conversion.ts";
import { runtimeError } from "./errors.ts";
import { currentItem, type Evaluate, type Frame, type Scope } from "./frame.ts";
import { anySlice, groupMap, uint8Type } from "./go-type.ts";
import { anyList, byteList, GoList, GoMap, type GoValue, mapKey, typeName } from "./go-value.ts";
import { add } from "./runtime-operators.ts";
import { sortValues } from "./sort.ts";
import { weigh } from "./walk.ts";

type Loop = {
  readonly collection: Evaluate;
  readonly body: Evaluate;
  readonly mapTo: Evaluate;
  readonly extra: Evaluate | undefined;
  readonly node: BuiltinNode;
  /** The most steps that one turn costs, nested loops excluded. */
  readonly weight: number;
};

/** The result of one turn: undefined continues; anything else ends the loop with this value. */
type Turn = (value: GoValue, frame: Frame) => GoValue | undefined;

/**
 * Compiles a builtin with a predicate; returns undefined for any other builtin. The predicate runs over the list in its
 * own scope. Mirrors expr v1.17.8 compiler/compiler.go `BuiltinNode`.
 */
export function compilePredicate(node: BuiltinNode, compile: (node: Node) => Evaluate): Evaluate | undefined {
  const build = loops.get(node.name);
  const [collection, predicate, extra] = node.args;
  if (build === undefined || collection === undefined) return undefined;
  const loop: Loop = {
    collection: compile(collection),
    body: predicate === undefined ? currentItem : compile(predicate),
    mapTo: node.mapTo === undefined ? currentItem : compile(node.mapTo),
    extra: extra === undefined ? undefined : compile(extra),
    node,
    weight: predicate === undefined ? 1 : weigh(predicate),
  };
  const run = build(loop);
  return (frame) => {
    const list = loop.collection(frame);
    frame.at = node.at;
    const outer = frame.scope;
    frame.scope = { items: listItems(list, frame), index: 0, accumulator: null };
    try {
      return run(frame, frame.scope);
    } finally {
      frame.scope = outer;
    }
  };
}

type Run = (frame: Frame, scope: Scope) => GoValue;

const loops: ReadonlyMap<string, (loop: Loop) => Run> = new Map<string, (loop: Loop) => Run>([
  ["all", (loop) => search(loop, (value) => (assertBool(value) ? undefined : false), true)],
  ["none", (loop) => search(loop, (value) => (assertBool(value) ? false : undefined), true)],
  ["any", (loop) => search(loop, (value) => (assertBool(value) ? true : undefined), false)],
  ["one", (loop) => counting(loop, (count) => count === 1)],
  ["count", (loop) => counting(loop, (count) => BigInt(count))],
  ["filter", filter],
  ["map", map],
  ["sum", sum],
  ["find", (loop) => finding(loop, (frame) => loop.mapTo(frame))],
  ["findIndex", (loop) => finding(loop, (_, scope) => BigInt(scope.index))],
  ["findLast", (loop) => finding(loop, (frame) => loop.mapTo(frame), true)],
  ["findLastIndex", (loop) => finding(loop, (_, scope) => BigInt(scope.index), true)],
  ["groupBy", groupBy],
  ["sortBy", sortBy],
  ["reduce", reduce],
]);

/**
 * Returns the items of anything that reflect has a length for: also a text (its bytes) and a map (whose elements cannot
 * be accessed).
 */
function listItems(value: GoValue, { budget }: Frame): readonly (GoValue | undefined)[] {
  if (value instanceof GoList) return value.items;
  if (value instanceof GoMap) budget.spend(value.entries.size);
  if (typeof value === "string") budget.spend(value.length);
  if (value instanceof GoMap) return Array.from({ length: value.entries.size }, () => undefined);
  if (typeof value === "string") return byteList(new TextEncoder().encode(value), uint8Type).items;
  throw runtimeError(`reflect: call of reflect.Value.Len on ${value === null ? "zero" : kindName(value)} Value`);
}

/** Runs the predicate over the list until a turn returns an answer. */
function search(loop: Loop, turn: Turn, fallback: GoValue, backwards = false): Run {
  return (frame, scope) => {
    const { length } = scope.items;
    for (let step = 0; step < length; step++) {
      scope.index = backwards ? length - 1 - step : step;
      frame.budget.spend(loop.weight);
      if (backwards) frame.leftovers.push(true);
      const answer = turn(loop.body(frame), frame);
      if (answer !== undefined) return answer;
    }
    if (backwards) frame.leftovers.push(false);
    return fallback;
  };
}

function counting(loop: Loop, answer: (count: number) => GoValue): Run {
  const { threshold } = loop.node;
  return (frame, scope) => {
    let count = 0;
    for (scope.index = 0; scope.index < scope.items.length; scope.index++) {
      frame.budget.spend(loop.weight);
      if (assertBool(loop.body(frame))) count++;
      if (threshold !== undefined && count >= threshold) break;
    }
    return answer(count);
  };
}

function filter(loop: Loop): Run {
  return (frame, scope) => {
    const mark = frame.leftovers.length;
    const kept: GoValue[] = [];
    let count = 0;
    for (scope.index = 0; scope.index < scope.items.length; scope.index++) {
      frame.budget.spend(loop.weight);
      if (!assertBool(loop.body(frame))) continue;
      count++;
      keep(frame, mark, kept, loop.mapTo(frame));
    }
    return listOf(frame, mark, kept, count);
  };
}

function map(loop: Loop): Run {
  return (frame, scope) => {
    const mark = frame.leftovers.length;
    const made: GoValue[] = [];
    for (scope.index = 0; scope.index < scope.items.length; scope.index++) {
      frame.budget.spend(loop.weight);
      keep(frame, mark, made, loop.body(frame));
    }
    return listOf(frame, mark, made, scope.items.length);
  };
}

/** Pushes a value on top of what a predicate left on the stack, as upstream does while it fills a list. */
function keep(frame: Frame, mark: number, stack: GoValue[], value: GoValue): void {
  if (frame.leftovers.length > mark) stack.push(...frame.leftovers.splice(mark));
  stack.push(value);
}

/** Makes a list of the topmost values; the values below them stay on the stack. */
function listOf(frame: Frame, mark: number, stack: GoValue[], count: number): GoList {
  if (frame.leftovers.length > mark) stack.push(...frame.leftovers.splice(mark));
  frame.leftovers.push(...stack.splice(0, stack.length - count));
  frame.budget.allocate(count);
  return anyList(stack);
}

/** Sums from the int 0, so a list of texts cannot be summed; an empty list gives 0. */
function sum(loop: Loop): Run {
  return (frame, scope) => {
    let total: GoValue = 0n;
    for (scope.index = 0; scope.index < scope.items.length; scope.index++) {
      frame.budget.spend(loop.weight);
      const value = loop.body(frame);
      frame.at = loop.node.at;
      total = add(value, total, frame.budget);
    }
    return total;
  };
}

function finding(loop: Loop, answer: (frame: Frame, scope: Scope) => GoValue, backwards = false): Run {
  return (frame, scope) => {
    let found: GoValue | undefined;
    const turn: Turn = (value) => {
      if (!assertBool(value)) return undefined;
      found = answer(frame, scope);
      return true;
    };
    search(loop, turn, false, backwards)(frame, scope);
    if (found !== undefined) return found;
    if (loop.node.throws) throw runtimeError("reflect: slice index out of range");
    return null;
  };
}

function groupBy(loop: Loop): Run {
  return (frame, scope) => {
    const groups = new Map<string, { readonly key: GoValue; readonly items: GoValue[] }>();
    for (scope.index = 0; scope.index < scope.items.length; scope.index++) {
      frame.budget.spend(loop.weight);
      const key = loop.body(frame);
      if (typeof key === "string") frame.budget.read(key.length);
      const hash = mapKey(key);
      if (hash === undefined) throw runtimeError(`hash of unhashable type: ${typeName(key)}`);
      const group = groups.get(hash) ?? { key, items: [] };
      group.items.push(currentItem(frame));
      groups.set(hash, group);
    }
    const entries = Array.from(groups, ([hash, { key, items }]) => [hash, [key, new GoList(anySlice, items)]] as const);
    return new GoMap(groupMap, new Map<string, readonly [GoValue, GoValue]>(entries));
  };
}

function sortBy(loop: Loop): Run {
  return (frame, scope) => {
    const order = loop.extra === undefined ? "asc" : loop.extra(frame);
    if (typeof order !== "string") throw runtimeError("sortBy order argument must be a string");
    if (order !== "asc" && order !== "desc") throw runtimeError("unknown order, use asc or desc");
    const keyed: { item: GoValue; key: GoValue }[] = [];
    for (scope.index = 0; scope.index < scope.items.length; scope.index++) {
      frame.budget.spend(loop.weight);
      const key = loop.body(frame);
      keyed.push({ item: currentItem(frame), key });
    }
    frame.at = loop.node.at;
    const sorted = sortValues(keyed, { keyOf: ({ key }) => key, descending: order === "desc", budget: frame.budget });
    frame.budget.allocate(sorted.length);
    return anyList(sorted.map(({ item }) => item));
  };
}

function reduce(loop: Loop): Run {
  return (frame, scope) => {
    if (loop.extra !== undefined) scope.accumulator = loop.extra(frame);
    else {
      if (scope.items.length === 0) throw runtimeError("reduce of empty array with no initial value");
      scope.accumulator = currentItem(frame);
      scope.index = 1;
    }
    for (; scope.index < scope.items.length; scope.index++) {
      frame.budget.spend(loop.weight);
      scope.accumulator = loop.body(frame);
    }
    return scope.accumulator;
  };
}

import type {
  BinaryNode,
  CallNode,
  ChainNode,
  ConditionalNode,
  LetNode,
  MapNode,
  MemberNode,
  Node,
  SliceNode,
} from "./ast.ts";
import type { Budget } from "./budget.ts";
import { dataBuiltins } from "./builtins-data.ts";
import { listBuiltins } from "./builtins-list.ts";
import { mathBuiltins } from "./builtins-math.ts";
import { textBuiltins } from "./builtins-text.ts";
import { timeBuiltins } from "./builtins-time.ts";
import { compileBinary } from "./compile-binary.ts";
import { compilePredicate } from "./compile-predicate.ts";
import { assertBool, assertString, isNil } from "./conversion.ts";
import { runtimeError } from "./errors.ts";
import { type Builtin, currentItem, type Evaluate, evaluateOperands, type Frame, leftOperand } from "./frame.ts";
import { stringMap, uint8Type } from "./go-type.ts";
import { anyList, byteList, GoFunction, GoList, GoMap, type GoValue, stringKeyedMap, typeName } from "./go-value.ts";
import { type Language, newestLanguage } from "./language.ts";
import { olderBuiltins } from "./older-builtins.ts";
import { fetch, slice, sliceLength } from "./runtime-access.ts";
import { negate } from "./runtime-operators.ts";
import { weigh } from "./walk.ts";

/** Thrown inside a chain of `?.` at a nil, and caught at the end of the chain. */
const chainEnd: unique symbol = Symbol("chain end");

/** Compiles a checked and optimized tree into a function. */
export function compileTree(root: Node, language: Language = newestLanguage): Evaluate {
  return new Compiler(language).compile(root);
}

export class Compiler {
  readonly #compiled = new Map<Node, Evaluate>();
  readonly #weights = new Map<Node, number>();
  readonly #slots: { readonly name: string; readonly slot: number }[] = [];
  readonly #language: Language;
  #slotCount = 0;

  constructor(language: Language) {
    this.#language = language;
  }

  /**
   * Compiles a node. A node may appear in two places (the middle of `a < b < c`), and such places may nest. It is
   * compiled once, and each further evaluation charges its full cost.
   */
  compile(node: Node): Evaluate {
    const known = this.#compiled.get(node);
    if (known !== undefined) return booked(known, weigh(node, this.#weights));
    const evaluate = this.#evaluateOf(node);
    this.#compiled.set(node, evaluate);
    return evaluate;
  }

  #evaluateOf(node: Node): Evaluate {
    switch (node.kind) {
      case "nil":
        return () => null;
      case "integer":
      case "float":
      case "bool":
      case "string":
      case "constant":
        return constant(node.value);
      case "bytes":
        return constant(byteList(node.value, uint8Type));
      case "identifier":
        return this.#identifier(node.name);
      case "unary":
        return this.#unary(node.operator, node.node, node.at);
      case "binary":
        return this.#binary(node);
      case "chain":
        return this.#chain(node);
      case "member":
        return this.#member(node);
      case "slice":
        return this.#slice(node);
      case "call":
        return this.#call(node);
      case "builtin":
        return this.#builtin(node);
      case "predicate":
        return this.compile(node.node);
      case "pointer":
        return compilePointer(node.name);
      case "let":
        return this.#let(node);
      case "sequence":
        return this.#sequence(node.nodes);
      case "conditional":
        return this.#conditional(node);
      case "array":
        return this.#array(node.nodes);
      case "map":
        return this.#map(node);
      case "pair":
        return this.compile(node.value);
    }
  }

  #identifier(name: string): Evaluate {
    const slot = this.#slots.findLast((candidate) => candidate.name === name)?.slot;
    if (slot !== undefined) return (frame) => frame.variables[slot] ?? null;
    if (name === "result") return (frame) => frame.result;
    if (name === "$env") return environmentMap;
    return (frame) => frame.functions.get(name) ?? null;
  }

  #unary(operator: string, operand: Node, at: number): Evaluate {
    const value = this.compile(operand);
    if (operator === "+") return value;
    if (operator === "-") {
      return (frame) => {
        const operandValue = value(frame);
        frame.at = at;
        return negate(operandValue);
      };
    }
    return (frame) => {
      const operandValue = value(frame);
      frame.at = at;
      return !assertBool(operandValue);
    };
  }

  #binary(node: BinaryNode): Evaluate {
    return compileBinary(node, this.compile(node.left), this.compile(node.right), this.#language);
  }

  #chain(node: ChainNode): Evaluate {
    const body = this.compile(node.node);
    return (frame) => {
      try {
        const value = body(frame);
        return isNil(value) ? null : value;
      } catch (error) {
        if (error === chainEnd) return null;
        throw error;
      }
    };
  }

  #member(node: MemberNode): Evaluate {
    const base = this.compile(node.node);
    const { property, optional, at } = node;
    if (property.kind === "integer" && !optional)
      return elementReader(base, Number(property.value), property.value, at);
    const key = this.compile(property);
    return (frame) => {
      const value = base(frame);
      if (optional && isNil(value)) throw chainEnd;
      const mark = frame.leftovers.length;
      const selector = key(frame);
      const from = leftOperand(frame, value, mark);
      frame.at = at;
      return fetch(from, selector, frame.budget);
    };
  }

  /** Compiles a slice; upstream evaluates the end before the start. */
  #slice(node: SliceNode): Evaluate {
    const base = this.compile(node.node);
    const from = node.from === undefined ? constant(0n) : this.compile(node.from);
    const to = node.to === undefined ? undefined : this.compile(node.to);
    const { at } = node;
    return (frame) => {
      const value = base(frame);
      frame.at = at;
      const end: Evaluate = to ?? constant(sliceLength(value, frame.budget));
      const [list = null, until = null, start = null] = evaluateOperands(frame, [constant(value), end, from]);
      frame.at = at;
      return slice(list, start, until, frame.budget);
    };
  }

  #call(node: CallNode): Evaluate {
    const args = node.args.map((arg) => this.compile(arg));
    const parts = [...args, this.compile(node.callee)];
    return (frame) => {
      const values = evaluateOperands(frame, parts);
      frame.at = node.at;
      frame.budget.spend(1);
      return invoke(values[args.length] ?? null, values.slice(0, args.length), frame);
    };
  }

  #builtin(node: Extract<Node, { kind: "builtin" }>): Evaluate {
    const call = functionsOf(this.#language).get(node.name);
    const predicate = call === undefined ? compilePredicate(node, (child) => this.compile(child)) : undefined;
    if (predicate !== undefined) return predicate;
    if (call === undefined) throw new Error(`builtin ${node.name} has no implementation`);
    const args = node.args.map((arg) => this.compile(arg));
    const [only] = args;
    const { at } = node;
    if (only !== undefined && args.length === 1) {
      return (frame) => {
        const value = only(frame);
        frame.at = at;
        if (typeof value === "string") frame.budget.read(value.length);
        return call([value], frame);
      };
    }
    return (frame) => {
      const values = evaluateOperands(frame, args);
      frame.at = at;
      bookTexts(values, frame.budget);
      return call(values, frame);
    };
  }

  #let(node: LetNode): Evaluate {
    const value = this.compile(node.value);
    const slot = this.#slotCount++;
    this.#slots.push({ name: node.name, slot });
    const body = this.compile(node.body);
    this.#slots.pop();
    return (frame) => {
      frame.variables[slot] = value(frame);
      return body(frame);
    };
  }

  #sequence(nodes: readonly Node[]): Evaluate {
    const parts = nodes.map((child) => this.compile(child));
    return (frame) => {
      let last: GoValue = null;
      for (const part of parts) last = part(frame);
      return last;
    };
  }

  #conditional(node: ConditionalNode): Evaluate {
    const condition = this.compile(node.condition);
    const whenTrue = this.compile(node.whenTrue);
    const whenFalse = this.compile(node.whenFalse);
    return (frame) => {
      const value = condition(frame);
      frame.at = node.at;
      return assertBool(value) ? whenTrue(frame) : whenFalse(frame);
    };
  }

  #array(nodes: readonly Node[]): Evaluate {
    const parts = nodes.map((child) => this.compile(child));
    return (frame) => {
      const items = evaluateOperands(frame, parts);
      frame.budget.allocate(items.length);
      return anyList(items);
    };
  }

  /**
   * Compiles a map. Upstream fills it from the end: of two equal keys, the last is evaluated last but the first stays.
   */
  #map(node: MapNode): Evaluate {
    const parts = node.pairs.flatMap((pair) => [this.compile(pair.key), this.compile(pair.value)]);
    return (frame) => {
      const values = evaluateOperands(frame, parts);
      frame.at = node.at;
      frame.budget.allocate(node.pairs.length);
      const entries = new Map<string, readonly [GoValue, GoValue]>();
      for (let index = values.length - 2; index >= 0; index -= 2) {
        const key = assertString(values[index] ?? null);
        frame.budget.read(key.length);
        entries.set(`s${key}`, [key, values[index + 1] ?? null]);
      }
      return new GoMap(stringMap, new Map([...entries].reverse()));
    };
  }
}

const environmentMaps = new WeakMap<Frame, GoMap>();

/** Returns the map of `$env`, which stays the same map throughout an evaluation. */
function environmentMap(frame: Frame): GoMap {
  const map = environmentMaps.get(frame) ?? stringKeyedMap([["result", frame.result], ...frame.functions]);
  environmentMaps.set(frame, map);
  return map;
}

function booked(evaluate: Evaluate, steps: number): Evaluate {
  return (frame) => {
    frame.budget.spend(steps);
    return evaluate(frame);
  };
}

function constant(value: GoValue): Evaluate {
  return () => value;
}

function compilePointer(name: string): Evaluate {
  if (name === "index") return (frame) => BigInt(frame.scope?.index ?? 0);
  if (name === "acc") return (frame) => frame.scope?.accumulator ?? null;
  return currentItem;
}

/** Compiles the common `list[0]`. */
function elementReader(base: Evaluate, index: number, key: bigint, at: number): Evaluate {
  return (frame) => {
    const from = base(frame);
    if (from instanceof GoList && index >= 0) {
      const item = from.items[index];
      if (item !== undefined) return item;
    }
    frame.at = at;
    return fetch(from, key, frame.budget);
  };
}

/** Charges for all the texts of a call, since the call may read every one of them. */
function bookTexts(values: readonly GoValue[], budget: Budget): void {
  for (const value of values) if (typeof value === "string") budget.read(value.length);
}

function invoke(target: GoValue, args: readonly GoValue[], { result, budget }: Frame): GoValue {
  if (target === null) throw runtimeError("invalid operation: cannot call nil");
  if (!(target instanceof GoFunction)) {
    throw runtimeError(`invalid operation: cannot call non-function of type ${typeName(target)}`);
  }
  const expected = target.type.params?.length ?? 0;
  if (args.length !== expected) {
    throw runtimeError(`invalid number of arguments: expected ${expected}, got ${args.length}`);
  }
  bookTexts(args, budget);
  return target.call(args, result, budget);
}

/** The builtins without a predicate, by name (expr v1.17.8 builtin/builtin.go). */
const builtinFunctions: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ...Object.entries(mathBuiltins),
  ...Object.entries(textBuiltins),
  ...Object.entries(listBuiltins),
  ...Object.entries(dataBuiltins),
  ...Object.entries(timeBuiltins),
]);

const olderFunctions: typeof builtinFunctions = new Map([...builtinFunctions, ...Object.entries(olderBuiltins)]);

/** Returns the builtins without a predicate, by name. */
function functionsOf(language: Language): ReadonlyMap<string, Builtin> {
  return language === "1.15.5" ? olderFunctions : builtinFunctions;
}

import type { GoValue } from "./go-value.ts";
import type { Nature } from "./nature.ts";
import type { CompiledRegex } from "./regex.ts";

/** Fields of every node: its position in the source, its height, and the type that the checker found. */
type Common = { readonly at: number; readonly height: number; nature?: Nature };

export type NilNode = Common & { readonly kind: "nil" };
export type IdentifierNode = Common & { readonly kind: "identifier"; readonly name: string };
/** `text` is the literal as written; absent if the node does not come from the source. */
export type IntegerNode = Common & { readonly kind: "integer"; readonly value: bigint; readonly text?: string };
export type FloatNode = Common & { readonly kind: "float"; readonly value: number; readonly text?: string };
export type BoolNode = Common & { readonly kind: "bool"; readonly value: boolean };
export type StringNode = Common & { readonly kind: "string"; readonly value: string };
export type BytesNode = Common & { readonly kind: "bytes"; readonly value: Uint8Array };
/** Created only by the optimizer. */
export type ConstantNode = Common & { readonly kind: "constant"; readonly value: GoValue };
export type UnaryNode = Common & { readonly kind: "unary"; readonly operator: string; node: Node };
export type BinaryNode = Common & {
  readonly kind: "binary";
  readonly operator: string;
  left: Node;
  right: Node;
  /** Set by the checker for `matches` with a literal pattern. */
  pattern?: CompiledRegex;
};
/** Ends the reach of `?.`: a nil inside makes the whole chain nil. */
export type ChainNode = Common & { readonly kind: "chain"; node: Node };
export type MemberNode = Common & {
  readonly kind: "member";
  node: Node;
  property: Node;
  readonly optional: boolean;
  readonly isMethod: boolean;
};
export type SliceNode = Common & { readonly kind: "slice"; node: Node; from?: Node; to?: Node };
export type CallNode = Common & { readonly kind: "call"; callee: Node; readonly args: Node[] };
export type BuiltinNode = Common & {
  readonly kind: "builtin";
  readonly name: string;
  readonly args: Node[];
  /** Set by the optimizer: `find` fails if nothing matches. */
  readonly throws?: boolean;
  /** Set by the optimizer: what to return instead of the element itself. */
  readonly mapTo?: Node;
  /** Set by the optimizer: `count` may stop once it reaches this. */
  readonly threshold?: number;
};
export type PredicateNode = Common & { readonly kind: "predicate"; node: Node };
/** `#` (empty name), `#index`, `#acc`. */
export type PointerNode = Common & { readonly kind: "pointer"; readonly name: string };
export type LetNode = Common & { readonly kind: "let"; readonly name: string; value: Node; body: Node };
export type SequenceNode = Common & { readonly kind: "sequence"; readonly nodes: Node[] };
export type ConditionalNode = Common & {
  readonly kind: "conditional";
  condition: Node;
  whenTrue: Node;
  whenFalse: Node;
};
export type ArrayNode = Common & { readonly kind: "array"; readonly nodes: Node[] };
export type PairNode = Common & { readonly kind: "pair"; key: Node; value: Node };
export type MapNode = Common & { readonly kind: "map"; readonly pairs: PairNode[] };

export type Node =
  | NilNode
  | IdentifierNode
  | IntegerNode
  | FloatNode
  | BoolNode
  | StringNode
  | BytesNode
  | ConstantNode
  | UnaryNode
  | BinaryNode
  | ChainNode
  | MemberNode
  | SliceNode
  | CallNode
  | BuiltinNode
  | PredicateNode
  | PointerNode
  | LetNode
  | SequenceNode
  | ConditionalNode
  | ArrayNode
  | PairNode
  | MapNode;

/** Returns the height of a node with these children. */
export function heightAbove(...children: readonly (Node | undefined)[]): number {
  return children.reduce((height, child) => Math.max(height, (child?.height ?? 0) + 1), 1);
}

/** The fields of a node that its kind decides. */
export type Part<N> = N extends Node ? Omit<N, "at" | "height" | "nature"> : never;

/** Casts to a node: callers pass parts typed by kind and have added the two fields that every node has. */
export function nodeOf<N extends Node>(parts: unknown): N {
  return parts as N;
}

import { heightAbove, type MemberNode, type Node, nodeOf, type PairNode, type Part, type StringNode } from "./ast.ts";
import { maxHeight, maxNodes, maxSourceLength, tooDeep } from "./budget.ts";
import { type ArgumentShape, builtinsOf } from "./builtin-names.ts";
import { isValidIdentifier } from "./characters.ts";
import { budgetError } from "./errors.ts";
import { type Language, newestLanguage } from "./language.ts";
import { describeToken, type Token } from "./lexer.ts";
import { binaryOperators, comparisonOperators, negatableOperators, unaryOperators } from "./operators.ts";
import { parseNumber, TokenCursor } from "./token-cursor.ts";

export type ParsedExpression = { readonly root: Node; readonly characters: readonly string[] };

/**
 * Parses an expression of expr v1.17.8 (parser/parser.go). `overridden` names functions of the environment that hide a
 * builtin. Throws ExpressionError with upstream's text and the position of the first error.
 */
export function parseExpression(
  source: string,
  overridden: ReadonlySet<string> = new Set(),
  language: Language = newestLanguage,
): ParsedExpression {
  if (source.length > maxSourceLength) throw budgetError(`expression is longer than ${maxSourceLength} characters`);
  const characters = Array.from(source.toWellFormed());
  const parser = new Parser(characters, overridden, language);
  return { root: parser.parse(), characters };
}

class Parser extends TokenCursor {
  readonly #overridden: ReadonlySet<string>;
  #predicateDepth = 0;
  #nesting = 0;
  #nodes = 0;

  constructor(characters: readonly string[], overridden: ReadonlySet<string>, language: Language) {
    super(characters, language);
    this.#overridden = overridden;
  }

  parse(): Node {
    const root = this.#sequence();
    if (this.current.kind !== "EOF") this.unexpected(this.current);
    return root;
  }

  /** Counts and limits every node; `children` are its operands. */
  #node<N extends Node>(part: Part<N>, at: number, ...children: readonly (Node | undefined)[]): N {
    if (++this.#nodes > maxNodes) this.fail("compilation failed: expression exceeds maximum allowed nodes");
    const height = heightAbove(...children);
    if (height > maxHeight) throw tooDeep();
    return nodeOf<N>({ ...part, at, height });
  }

  #sequence(): Node {
    const nodes = [this.#expression(0)];
    while (!this.isOlder && this.accept("Operator", ";")) {
      if (this.is("EOF")) break;
      nodes.push(this.#expression(0));
    }
    const [first] = nodes;
    if (first === undefined || nodes.length === 1) return first ?? this.fail("empty sequence expression");
    return this.#node({ kind: "sequence", nodes }, first.at, ...nodes);
  }

  #expression(precedence: number): Node {
    if (++this.#nesting > maxHeight) throw tooDeep();
    const node = this.#expressionWithin(precedence);
    this.#nesting--;
    return node;
  }

  #expressionWithin(precedence: number): Node {
    if (precedence === 0 && this.is("Operator", "let")) return this.#let();
    if (precedence === 0 && this.is("Operator", "if")) return this.#if();
    const node = this.#binary(this.#primary(), precedence);
    return precedence === 0 ? this.#ternary(node) : node;
  }

  #binary(first: Node, precedence: number): Node {
    let left = first;
    let previous = "";
    while (this.is("Operator")) {
      const negated = this.is("Operator", "not");
      const token = negated ? this.#negatedOperator() : this.current;
      const operator = binaryOperators.get(token.value);
      if (operator === undefined || operator.precedence < precedence) break;
      this.index += negated && !this.isOlder ? 2 : 1;
      if (token.value === "|") left = this.#call(this.expect("Identifier"), [left], true);
      else {
        if (previous === "??" && token.value !== "??") this.#mixedCoalesce(token);
        if (comparisonOperators.has(token.value) && !this.isOlder)
          left = this.#comparison(left, token, operator.precedence);
        else {
          const right = this.#expression(operator.rightAssociative ? operator.precedence : operator.precedence + 1);
          left = this.#node({ kind: "binary", operator: token.value, left, right }, token.at, left, right);
          if (negated) left = this.#node({ kind: "unary", operator: "not", node: left }, token.at, left);
        }
      }
      previous = token.value;
    }
    return left;
  }

  /** Reads the operator after a `not` between two operands. Version 1.15.5 skips a `not` before a weaker operator. */
  #negatedOperator(): Token {
    const not = this.index++;
    const token = this.current;
    if (this.isOlder) return token;
    this.index = not;
    return negatableOperators.has(token.value) ? token : this.unexpected(token);
  }

  #mixedCoalesce(token: Token): never {
    const reason = `Operator (${token.value}) and coalesce expressions (??) cannot be mixed.`;
    this.fail(`${reason} Wrap either by parentheses.`, token);
  }

  /** Parses a chain: `a < b < c` means `a < b && b < c`; b is one node that appears in both. */
  #comparison(first: Node, firstToken: Token, precedence: number): Node {
    let left = first;
    let token = firstToken;
    let chain: Node | undefined;
    for (;;) {
      const right = this.#expression(precedence + 1);
      const link: Node = this.#node({ kind: "binary", operator: token.value, left, right }, token.at, left, right);
      chain =
        chain === undefined
          ? link
          : this.#node({ kind: "binary", operator: "&&", left: chain, right: link }, token.at, chain, link);
      left = right;
      token = this.current;
      if (token.kind !== "Operator" || !comparisonOperators.has(token.value)) return chain;
      this.index++;
    }
  }

  #let(): Node {
    this.index++;
    const name = this.expect("Identifier");
    this.expect("Operator", "=");
    const value = this.#expression(0);
    this.expect("Operator", ";");
    const body = this.#sequence();
    return this.#node({ kind: "let", name: name.value, value, body }, name.at, value, body);
  }

  #if(): Node {
    const { at } = this.next();
    const condition = this.#expression(0);
    const whenTrue = this.#block();
    this.expect("Operator", "else");
    if (++this.#nesting > maxHeight) throw tooDeep();
    const whenFalse = this.is("Operator", "if") ? this.#if() : this.#block();
    this.#nesting--;
    return this.#node({ kind: "conditional", condition, whenTrue, whenFalse }, at, condition, whenTrue, whenFalse);
  }

  #block(): Node {
    this.expect("Bracket", "{");
    const node = this.#sequence();
    this.expect("Bracket", "}");
    return node;
  }

  #ternary(first: Node): Node {
    let node = first;
    while (this.accept("Operator", "?")) {
      const isShort = this.accept("Operator", ":");
      const whenTrue = isShort ? node : this.#expression(0);
      if (!isShort) this.expect("Operator", ":");
      const whenFalse = this.#expression(0);
      const { at } = this.current;
      node = this.#node({ kind: "conditional", condition: node, whenTrue, whenFalse }, at, node, whenTrue, whenFalse);
    }
    return node;
  }

  #primary(): Node {
    const token = this.current;
    if (token.kind === "Operator") {
      const unary = unaryOperators.get(token.value);
      if (unary !== undefined) {
        this.index++;
        const node = this.#expression(unary.precedence);
        return this.#postfix(this.#node({ kind: "unary", operator: token.value, node }, token.at, node));
      }
    }
    if (this.accept("Bracket", "(")) {
      const node = this.#sequence();
      this.expect("Bracket", ")");
      return this.#postfix(node);
    }
    if (this.#predicateDepth > 0 && (this.is("Operator", "#") || this.is("Operator", "."))) return this.#pointer();
    if (this.accept("Operator", "::")) return this.#postfix(this.#call(this.expect("Identifier"), [], false));
    return this.#secondary(token);
  }

  /** Parses a pointer. A single dot reads a field of the current element; the postfix parser handles it. */
  #pointer(): Node {
    const { at } = this.current;
    let name = "";
    if (this.accept("Operator", "#") && this.is("Identifier")) name = this.next().value;
    return this.#postfix(this.#node({ kind: "pointer", name }, at));
  }

  #secondary(token: Token): Node {
    if (token.kind === "Identifier") return this.#identifier();
    if (token.kind === "Number") return this.#number();
    if (token.kind === "String") {
      this.index++;
      const text: Node = this.#node({ kind: "string", value: token.value }, token.at);
      return this.isOlder ? text : this.#postfix(text);
    }
    if (token.kind === "Bytes") {
      this.index++;
      return this.#postfix(this.#node({ kind: "bytes", value: token.bytes ?? new Uint8Array() }, token.at));
    }
    if (this.is("Bracket", "[")) return this.#postfix(this.#array());
    if (this.is("Bracket", "{")) return this.#postfix(this.#map());
    return this.unexpected(token);
  }

  /** Parses an identifier. The three literals take no postfix: `true.x` is an unexpected token. */
  #identifier(): Node {
    const token = this.next();
    if (token.value === "true" || token.value === "false") {
      return this.#node({ kind: "bool", value: token.value === "true" }, token.at);
    }
    if (token.value === "nil") return this.#node({ kind: "nil" }, token.at);
    if (this.is("Bracket", "(")) return this.#postfix(this.#call(token, [], true));
    return this.#postfix(this.#node({ kind: "identifier", name: token.value }, token.at));
  }

  /** Parses a number; numbers take no postfix either. */
  #number(): Node {
    const token = this.next();
    const parsed = parseNumber(token.value, this.language);
    if ("error" in parsed) this.fail(parsed.error, this.current);
    const { value } = parsed;
    return typeof value === "bigint"
      ? this.#node({ kind: "integer", value, text: token.value }, token.at)
      : this.#node({ kind: "float", value, text: token.value }, token.at);
  }

  #call(token: Token, given: Node[], canOverride: boolean): Node {
    const { names, predicates } = builtinsOf(this.language);
    const isOverridden = canOverride && this.#overridden.has(token.value);
    const shape = isOverridden ? undefined : predicates.get(token.value);
    if (shape !== undefined) {
      const args = this.#predicateArguments(shape.slice(given.length), given);
      return this.#node({ kind: "builtin", name: token.value, args }, token.at, ...args);
    }
    if (!isOverridden && names.has(token.value)) {
      const args = this.#arguments(given);
      return this.#node({ kind: "builtin", name: token.value, args }, token.at, ...args);
    }
    const callee = this.#node({ kind: "identifier", name: token.value }, token.at);
    const args = this.#arguments(given);
    return this.#node({ kind: "call", callee, args }, token.at, callee, ...args);
  }

  #predicateArguments(shape: readonly ArgumentShape[], given: readonly Node[]): Node[] {
    const args = [...given];
    this.expect("Bracket", "(");
    for (const [index, { kind, optional }] of shape.entries()) {
      if (this.is("Bracket", ")")) {
        if (optional) break;
        this.fail(`expected at least ${shape.length} arguments`, this.current);
      }
      if (index > 0) this.expect("Operator", ",");
      args.push(kind === "predicate" ? this.#predicate() : this.#expression(0));
    }
    if (!this.isOlder) this.accept("Operator", ",");
    this.expect("Bracket", ")");
    return args;
  }

  #arguments(given: readonly Node[]): Node[] {
    const args = [...given];
    this.expect("Bracket", "(");
    while (!this.is("Bracket", ")")) {
      if (args.length > given.length) this.expect("Operator", ",");
      if (!this.isOlder && this.is("Bracket", ")")) break;
      args.push(this.#expression(0));
    }
    this.index++;
    return args;
  }

  #predicate(): Node {
    const { at } = this.current;
    const isWrapped = this.accept("Bracket", "{");
    this.#predicateDepth++;
    const node = isWrapped ? this.#sequence() : this.#expression(0);
    if (!isWrapped && !this.isOlder && this.is("Operator", ";"))
      this.fail("wrap predicate with brackets { and }", this.current);
    this.#predicateDepth--;
    if (isWrapped) this.expect("Bracket", "}");
    return this.#node({ kind: "predicate", node }, at, node);
  }

  #array(): Node {
    const { at } = this.next();
    const nodes: Node[] = [];
    while (!this.is("Bracket", "]")) {
      if (nodes.length > 0) this.expect("Operator", ",");
      if (nodes.length > 0 && this.is("Bracket", "]")) break;
      nodes.push(this.#expression(0));
    }
    this.index++;
    return this.#node({ kind: "array", nodes }, at, ...nodes);
  }

  #map(): Node {
    const { at } = this.next();
    const pairs: PairNode[] = [];
    while (!this.is("Bracket", "}")) {
      if (pairs.length > 0) this.expect("Operator", ",");
      if (pairs.length > 0 && this.is("Bracket", "}")) break;
      const key = this.#mapKey();
      this.expect("Operator", ":");
      const value = this.#expression(0);
      pairs.push(this.#node<PairNode>({ kind: "pair", key, value }, at, key, value));
    }
    this.index++;
    return this.#node({ kind: "map", pairs }, at, ...pairs);
  }

  #mapKey(): Node {
    const token = this.current;
    if (token.kind === "Number" || token.kind === "String" || token.kind === "Identifier") {
      this.index++;
      return this.#node({ kind: "string", value: token.value }, token.at);
    }
    if (this.is("Bracket", "(")) return this.#expression(0);
    if (this.is("Operator", ",")) this.unexpected(token);
    const allowed = "a quoted string, a number, a identifier, or an expression enclosed in parentheses";
    return this.fail(`a map key must be ${allowed} (unexpected token ${describeToken(token)})`, token);
  }

  #postfix(first: Node): Node {
    let node = first;
    for (;;) {
      const token = this.current;
      if (token.kind !== "Operator" && token.kind !== "Bracket") return node;
      if (!this.isOlder && token.value === "?." && this.tokens[this.index + 1]?.value === "[") {
        this.index++;
        node = this.#subscript(node, true);
      } else if (token.value === "." || token.value === "?.") node = this.#member(node, token.value === "?.");
      else if (token.value === "[" && token.kind === "Bracket") node = this.#subscript(node, false);
      else return node;
      if (node.height > maxHeight) throw tooDeep();
    }
  }

  /** Parses a member, which joins the chain that an earlier `?.` started. */
  #member(node: Node, optional: boolean): Node {
    this.index++;
    const token = this.next();
    const isName = token.kind === "Identifier" || (token.kind === "Operator" && isValidIdentifier(token.value));
    if (!isName) this.fail("expected name", this.current);
    const property = this.#node<StringNode>({ kind: "string", value: token.value }, token.at);
    const isChain = node.kind === "chain";
    const base = node.kind === "chain" ? node.node : node;
    const isMethod = this.is("Bracket", "(");
    const member = this.#node<MemberNode>(
      { kind: "member", node: base, property, optional, isMethod },
      token.at,
      base,
      property,
    );
    let result: Node = member;
    if (isMethod) {
      const args = this.#arguments([]);
      result = this.#node({ kind: "call", callee: member, args }, token.at, member, ...args);
    }
    return isChain || optional ? this.#node({ kind: "chain", node: result }, token.at, result) : result;
  }

  /** Parses `[i]`, `[from:to]` and their open forms. An index does not join a chain: the chain before it ends there. */
  #subscript(node: Node, optional: boolean): Node {
    const { at } = this.next();
    const from = this.is("Operator", ":") ? undefined : this.#expression(0);
    if (from === undefined || this.is("Operator", ":")) {
      this.expect("Operator", ":");
      const to = this.is("Bracket", "]") ? undefined : this.#expression(0);
      this.expect("Bracket", "]");
      return this.#node({ kind: "slice", node, from, to }, at, node, from, to);
    }
    this.expect("Bracket", "]");
    const member: Node = this.#node(
      { kind: "member", node, property: from, optional, isMethod: false },
      at,
      node,
      from,
    );
    return optional ? this.#node({ kind: "chain", node: member }, at, member) : member;
  }
}

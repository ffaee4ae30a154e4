import type {
  BinaryNode,
  BuiltinNode,
  CallNode,
  ConditionalNode,
  IdentifierNode,
  LetNode,
  MemberNode,
  Node,
  PointerNode,
  SliceNode,
} from "./ast.ts";
import { builtinsOf } from "./builtin-names.ts";
import { signaturesOf, takesFloat } from "./builtin-signatures.ts";
import { argumentMisfit, calleeName, toFloatLiterals } from "./check-arguments.ts";
import { checkBinary, joinBranches } from "./check-binary.ts";
import { booleanPredicates, elementNature, gotNature, predicateResult, predicateVariables } from "./check-predicate.ts";
import { ExpressionError, positionOf } from "./errors.ts";
import { anySlice, anyType, byteSlice, funcOf, type GoType, isInteger, stringMap } from "./go-type.ts";
import { typeOfValue } from "./go-value.ts";
import { type Language, newestLanguage } from "./language.ts";
import { methodOf } from "./method-table.ts";
import {
  arrayOf,
  boolNature,
  deref,
  describeNature,
  elementOf,
  floatNature,
  hasKind,
  intNature,
  isIntegerNature,
  isListNature,
  isNumberNature,
  isUnknown,
  type Nature,
  natureOf,
  nilNature,
  plainList,
  stringNature,
  unknown,
} from "./nature.ts";
import { PatternTally } from "./regex.ts";

export type EnvironmentTypes = ReadonlyMap<string, Nature>;

/** Why arguments do not fit a signature; the position is computed only for the one that is reported. */
type Misfit = { readonly at: Node; readonly message: string };

type PredicateScope = { readonly collection: Nature; readonly variables: Readonly<Record<string, Nature>> };

/**
 * Finds the type of every node and stores it on the node. Types are those of Go, so an operation on types that do not
 * fit fails here, before anything is evaluated. Integer literals are replaced in place if a float64 is expected. Throws
 * ExpressionError of kind `type` with upstream's text. Mirrors expr v1.17.8 checker/checker.go `Checker.visit`.
 */
export function checkTypes(
  root: Node,
  environment: EnvironmentTypes,
  characters: readonly string[],
  language: Language = newestLanguage,
): Nature {
  return new Checker(environment, characters, language).visit(root);
}

class Checker {
  readonly #environment: EnvironmentTypes;
  readonly #characters: readonly string[];
  readonly #language: Language;
  readonly #isOlder: boolean;
  readonly #patterns = new PatternTally();
  readonly #seen = new Set<Node>();
  readonly #predicates: PredicateScope[] = [];
  readonly #variables: { readonly name: string; readonly nature: Nature }[] = [];

  constructor(environment: EnvironmentTypes, characters: readonly string[], language: Language) {
    this.#environment = environment;
    this.#characters = characters;
    this.#language = language;
    this.#isOlder = language === "1.15.5";
  }

  /**
   * Visits each node once. A node may appear in two places, and is visited again for every signature that its call may
   * have; without this, the time would double with each level of nested calls.
   */
  visit(node: Node): Nature {
    const known = this.#seen.has(node) ? node.nature : undefined;
    if (known !== undefined) return known;
    const nature = this.#natureOf(node);
    node.nature = nature;
    this.#seen.add(node);
    return nature;
  }

  #fail(node: Node, message: string): never {
    throw new ExpressionError("type", message, positionOf(this.#characters, node.at));
  }

  #natureOf(node: Node): Nature {
    switch (node.kind) {
      case "nil":
        return nilNature;
      case "identifier":
        return this.#identifier(node);
      case "integer":
        return intNature;
      case "float":
        return floatNature;
      case "bool":
        return boolNature;
      case "string":
        return stringNature;
      case "bytes":
        return natureOf(byteSlice);
      case "constant":
        return { type: typeOfValue(node.value) };
      case "unary":
        return this.#unary(node.operator, node.node, node);
      case "binary":
        return this.#binary(node);
      case "chain":
        return this.visit(node.node);
      case "member":
        return this.#member(node);
      case "slice":
        return this.#slice(node);
      case "call":
        return this.#call(node);
      case "builtin":
        return this.#builtin(node);
      case "predicate":
        return this.#predicate(node.node);
      case "pointer":
        return this.#pointer(node);
      case "let":
        return this.#let(node);
      case "sequence":
        return node.nodes.map((child) => this.visit(child)).at(-1) ?? unknown;
      case "conditional":
        return this.#conditional(node);
      case "array":
        return this.#literal(node.nodes);
      case "map":
        for (const pair of node.pairs) this.visit(pair);
        return natureOf(stringMap);
      case "pair":
        this.visit(node.key);
        this.visit(node.value);
        return nilNature;
    }
  }

  #identifier(node: IdentifierNode): Nature {
    const variable = this.#variables.findLast(({ name }) => name === node.name);
    if (variable !== undefined) return variable.nature;
    if (node.name !== "$env") return this.#lookUp(node, node.name, true);
    return this.#isOlder ? natureOf(stringMap) : unknown;
  }

  /** Looks up a name of the environment, or a builtin's name (a value that is nil at run time). */
  #lookUp(node: Node, name: string, withBuiltins: boolean, strict = true): Nature {
    const nature = this.#environment.get(name);
    if (nature !== undefined) return nature;
    if (withBuiltins && builtinsOf(this.#language).names.has(name)) return natureOf(funcOf([anySlice], anyType, true));
    return strict ? this.#fail(node, `unknown name ${name}`) : unknown;
  }

  #unary(operator: string, operand: Node, node: Node): Nature {
    const nature = deref(this.visit(operand));
    if (operator === "!" || operator === "not") {
      if (hasKind(nature, "bool") || isUnknown(nature)) return boolNature;
    } else {
      if (isNumberNature(nature)) return nature;
      if (isUnknown(nature)) return unknown;
    }
    return this.#fail(node, `invalid operation: ${operator} (mismatched type ${describeNature(nature)})`);
  }

  #binary(node: BinaryNode): Nature {
    const left = deref(this.visit(node.left));
    const { operator, right: list } = node;
    const visited = deref(this.visit(list));
    const right = this.#isOlder && operator === "in" && list.kind === "array" ? this.#array(list.nodes) : visited;
    const checked = checkBinary(node, left, right, this.#patterns, this.#isOlder);
    if ("error" in checked) return this.#fail(node, checked.error);
    return this.#isOlder ? plainList(checked.nature) : checked.nature;
  }

  #member(node: MemberNode): Nature {
    const { node: baseNode, property } = node;
    if (baseNode.kind === "identifier" && baseNode.name === "$env") {
      // Upstream checks neither $env nor a computed name here.
      return property.kind === "string" ? this.#lookUp(node, property.value, this.#isOlder, !node.optional) : unknown;
    }
    const base = this.visit(baseNode);
    const selector = this.visit(property);
    if (isUnknown(base)) return unknown;
    if (property.kind === "string") {
      if (base.isNil) return this.#fail(node, `type nil has no field ${property.value}`);
      const method = base.type === undefined ? undefined : methodOf(base.type, property.value);
      if (method !== undefined) return natureOf(method);
    }
    // Version 1.15.5 looks up nil as the empty text.
    const key = this.#isOlder && selector.isNil && base.type?.kind === "map" ? unknown : selector;
    const element = elementNature(node, deref(base), key);
    return "error" in element ? this.#fail(element.at === "property" ? property : node, element.error) : element.nature;
  }

  #slice(node: SliceNode): Nature {
    const nature = this.visit(node.node);
    // Upstream does not visit the bounds of an unknown value, so errors in them appear only at run time. 1.15.5 does.
    if (isUnknown(nature) && !this.#isOlder) return unknown;
    if (!isUnknown(nature) && !hasKind(nature, "string") && !isListNature(nature))
      this.#fail(node, `cannot slice ${describeNature(nature)}`);
    for (const bound of [node.from, node.to]) {
      if (bound === undefined) continue;
      const index = deref(this.visit(bound));
      if (!isIntegerNature(index) && !isUnknown(index)) {
        this.#fail(bound, `non-integer slice index ${describeNature(index)}`);
      }
    }
    return nature;
  }

  #call(node: CallNode): Nature {
    if (node.nature?.type !== undefined && node.nature.type.kind !== "interface") return node.nature;
    const { callee } = node;
    if (callee.kind === "identifier" && callee.name === "$env") {
      return this.#fail(node, "map[string]interface {} is not callable");
    }
    const nature = this.visit(callee);
    if (isUnknown(nature)) return unknown;
    const name = calleeName(callee);
    if (nature.isNil) return this.#fail(node, `${name} is nil; cannot call nil as function`);
    if (nature.type?.kind !== "func") return this.#fail(node, `${describeNature(nature)} is not callable`);
    const checked = this.#arguments({ name, signature: nature.type, args: node.args, node });
    return "message" in checked ? this.#fail(checked.at, checked.message) : checked;
  }

  /** Checks arguments against one signature. Throws errors inside an argument; returns a misfit. */
  #arguments(call: { name: string; signature: GoType; args: Node[]; node: Node }): Nature | Misfit {
    const { name, signature, args, node } = call;
    const params = signature.params ?? [];
    const isVariadic = signature.isVariadic === true;
    const isTooMany = !isVariadic && args.length > params.length;
    if (isTooMany || args.length < params.length - (isVariadic ? 1 : 0)) {
      for (const arg of args) this.visit(arg);
      return { at: node, message: `${isTooMany ? "too many" : "not enough"} arguments to call ${name}` };
    }
    for (const [index, arg] of args.entries()) {
      const isRest = isVariadic && index >= params.length - 1;
      const param = (isRest ? params.at(-1)?.elem : params[index]) ?? anyType;
      const given = this.visit(arg);
      if (takesFloat(param) && isIntegerNature(given)) args[index] = toFloatLiterals(arg);
      else if (!(isInteger(param) && isIntegerNature(given))) {
        const misfit = this.#isOlder && given.isNil ? undefined : argumentMisfit(name, param, given);
        if (misfit !== undefined) return { at: arg, message: misfit };
      }
    }
    return natureOf(signature.result ?? anyType);
  }

  #builtin(node: BuiltinNode): Nature {
    if (node.args[1]?.kind === "predicate") {
      const nature = this.#predicateBuiltin(node);
      if (nature !== undefined) return nature;
    } else if (node.name === "count" || (node.name === "sum" && !this.#isOlder)) {
      const collection = this.#collection(node);
      return node.name === "count" ? intNature : elementOf(collection);
    }
    if (node.name === "get") return this.#get(node);
    const { overloads, validators } = signaturesOf(this.#language);
    const validate = validators.get(node.name);
    if (validate === undefined) return this.#overloads(node, overloads.get(node.name) ?? []);
    const types = node.args.map((arg) => {
      const nature = this.visit(arg);
      return isUnknown(nature) ? anyType : nature.type;
    });
    const validated = validate(types);
    return "error" in validated ? this.#fail(node, validated.error) : natureOf(validated.type);
  }

  #overloads(node: BuiltinNode, signatures: readonly GoType[]): Nature {
    let misfit: Misfit = { at: node, message: `no matching overload for ${node.name}` };
    for (const signature of signatures) {
      const checked = this.#arguments({ name: node.name, signature, args: node.args, node });
      if (!("message" in checked)) return checked;
      misfit = checked;
    }
    return this.#fail(misfit.at, misfit.message);
  }

  #collection(node: BuiltinNode): Nature {
    const [first] = node.args;
    if (first === undefined) return this.#fail(node, "expected at least 1 arguments");
    const collection = deref(this.visit(first));
    if (isListNature(collection) || isUnknown(collection)) return collection;
    return this.#fail(first, `builtin ${node.name} takes only array (got ${describeNature(collection)})`);
  }

  /** Returns undefined for a predicate of `sum` without a result, which is then checked as an ordinary call. */
  #predicateBuiltin(node: BuiltinNode): Nature | undefined {
    const [, predicateNode, extra] = node.args;
    if (predicateNode === undefined) return undefined;
    const collection = this.#collection(node);
    this.#predicates.push({ collection, variables: predicateVariables(node.name) });
    const predicate = this.visit(predicateNode);
    this.#predicates.pop();
    if (extra !== undefined) this.#extraArgument(node.name, extra);
    const returns = predicate.returns ?? unknown;
    if (returns.isNil) {
      if (node.name === "sum") return undefined;
      const inputs = node.name === "reduce" ? "two" : "one";
      this.#fail(predicateNode, `predicate should has ${inputs} input and one output param`);
    }
    if (booleanPredicates.has(node.name) && !hasKind(returns, "bool") && !isUnknown(returns)) {
      this.#fail(predicateNode, `predicate should return boolean (got ${describeNature(returns)})`);
    }
    const result = predicateResult(node.name, collection, returns);
    return this.#isOlder ? plainList(result) : result;
  }

  #extraArgument(name: string, extra: Node): void {
    const order = this.visit(extra);
    if (name === "sortBy" && !hasKind(order, "string") && !isUnknown(order)) {
      this.#fail(extra, `sortBy order argument must be a string (got ${describeNature(order)})`);
    }
  }

  #get(node: BuiltinNode): Nature {
    const [baseNode, propertyNode] = node.args;
    if (baseNode === undefined || propertyNode === undefined || node.args.length !== 2) {
      return this.#fail(node, `invalid number of arguments (expected 2, got ${node.args.length})`);
    }
    const base = this.visit(baseNode);
    // Version 1.15.5 does not visit the key of an unknown value.
    if (this.#isOlder && isUnknown(base)) return unknown;
    const property = deref(this.visit(propertyNode));
    if (baseNode.kind === "identifier" && baseNode.name === "$env") {
      return (propertyNode.kind === "string" && this.#environment.get(propertyNode.value)) || unknown;
    }
    const element = gotNature(base, property);
    return "error" in element
      ? this.#fail(element.at === "property" ? propertyNode : baseNode, element.error)
      : element.nature;
  }

  /** Checks a predicate. Its Go type is func(any) R; its result type is kept separately. */
  #predicate(body: Node): Nature {
    const returns = this.visit(body);
    const result = isUnknown(returns) ? anyType : returns.type;
    if (result === undefined) return { type: { kind: "func", name: "func(interface {})" }, returns };
    return { type: funcOf([anyType], result), returns };
  }

  #pointer(node: PointerNode): Nature {
    const scope = this.#predicates.at(-1);
    if (scope === undefined) return this.#fail(node, "cannot use pointer accessor outside predicate");
    if (node.name === "") return elementOf(scope.collection);
    const variable = Object.hasOwn(scope.variables, node.name) ? scope.variables[node.name] : undefined;
    return variable ?? this.#fail(node, `unknown pointer #${node.name}`);
  }

  #let(node: LetNode): Nature {
    if (this.#environment.has(node.name)) this.#fail(node, `cannot redeclare ${node.name}`);
    if (builtinsOf(this.#language).names.has(node.name)) this.#fail(node, `cannot redeclare builtin ${node.name}`);
    if (this.#variables.some(({ name }) => name === node.name)) {
      this.#fail(node, `cannot redeclare variable ${node.name}`);
    }
    const nature = this.visit(node.value);
    this.#variables.push({ name: node.name, nature });
    const body = this.visit(node.body);
    this.#variables.pop();
    return body;
  }

  #conditional(node: ConditionalNode): Nature {
    const condition = deref(this.visit(node.condition));
    if (!hasKind(condition, "bool") && !isUnknown(condition)) {
      this.#fail(node.condition, `non-bool expression (type ${describeNature(condition)}) used as condition`);
    }
    const whenTrue = this.visit(node.whenTrue);
    const whenFalse = this.visit(node.whenFalse);
    return joinBranches(whenTrue, whenFalse, this.#isOlder);
  }

  /** Checks an array. Version 1.15.5 has the type of its elements only for `in`. */
  #literal(nodes: readonly Node[]): Nature {
    const array = this.#array(nodes);
    return this.#isOlder ? natureOf(anySlice) : array;
  }

  #array(nodes: readonly Node[]): Nature {
    const natures = nodes.map((child) => this.visit(child));
    const kinds = new Set(natures.map((nature) => nature.type?.kind));
    return kinds.size > 1 ? natureOf(anySlice) : arrayOf(natures.at(-1) ?? unknown);
  }
}

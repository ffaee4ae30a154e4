import { existsSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import type { Work } from "./growth.ts";
import { findDeclared, listProductFiles, readSource, resolveImport, root } from "./product-regexes.ts";
import type { Attack } from "./regex-attacks.ts";

/** Texts for the places of a call: the first that takes a text, the others, and the items of lists. */
export type Texts = { first: string; other: string; items: readonly string[] };
/** Makes an argument. Undefined for a type of which no value can be made from texts. */
type Make = ((texts: Texts) => unknown) | undefined;
export type TextFunction = { file: string; name: string; parameters: ((texts: Texts) => unknown)[]; slots: Slots };

/** Packages that a module without side effects may import. */
const computing = ["zod", "re2js", "canonicalize", "node:crypto", "node:net"];
/** Deeper types are not looked into. */
const maxDepth = 5;

/** Finds the exported functions that take a text, of all modules that do nothing but compute. */
export function findTextFunctions(): TextFunction[] {
  return listProductFiles()
    .filter((file) => file.endsWith(".ts") && isPure(file))
    .flatMap((file) => functionsOf(readSource(file)));
}

const judged = new Map<string, boolean>();

/** Returns whether a module and its imports have no side effects. */
function isPure(file: string): boolean {
  const known = judged.get(file);
  if (known !== undefined) return known;
  judged.set(file, true);
  const isIt = readSource(file).statements.every((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return true;
    if (ts.isImportDeclaration(statement) && statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword)
      return true;
    const specifier = statement.moduleSpecifier;
    if (specifier === undefined || !ts.isStringLiteral(specifier)) return true;
    const imported = resolveImport(file, specifier.text);
    if (imported === undefined) return computing.includes(specifier.text);
    return imported.endsWith(".ts") && existsSync(join(root, imported)) && isPure(imported);
  });
  judged.set(file, isIt);
  return isIt;
}

/** Returns the functions of a file that take a text. Hooks belong to a component, and asynchronous ones wait. */
export function functionsOf(source: ts.SourceFile): TextFunction[] {
  return source.statements.flatMap((statement) => {
    if (!ts.isFunctionDeclaration(statement) || statement.name === undefined) return [];
    const modifiers = statement.modifiers?.map(({ kind }) => kind) ?? [];
    const name = statement.name.text;
    if (!modifiers.includes(ts.SyntaxKind.ExportKeyword) || modifiers.includes(ts.SyntaxKind.AsyncKeyword)) return [];
    if (/^use[A-Z]/.test(name) || /^Promise</.test(statement.type?.getText(source) ?? "")) return [];
    const slots = { count: 0, hasLists: false, hasObjects: false };
    const required = statement.parameters.filter(
      ({ questionToken, initializer, dotDotDotToken }) => !(questionToken ?? initializer ?? dotDotDotToken),
    );
    const parameters = required.map(({ type }) => makeOf(type, source, slots, 0)).filter((make) => make !== undefined);
    if (parameters.length < required.length || slots.count === 0) return [];
    return [{ file: source.fileName, name, parameters, slots }];
  });
}

/** The number of texts that are made, and whether lists or objects are made as well. */
type Slots = { count: number; hasLists: boolean; hasObjects: boolean };

function makeOf(type: ts.TypeNode | undefined, source: ts.SourceFile, slots: Slots, depth: number): Make {
  if (type === undefined || depth > maxDepth) return undefined;
  const inner = (node: ts.TypeNode | undefined) => makeOf(node, source, slots, depth + 1);
  if (ts.isParenthesizedTypeNode(type)) return inner(type.type);
  if (ts.isTypeOperatorNode(type)) return inner(type.type);
  if (ts.isArrayTypeNode(type)) return listOf(type.elementType, source, slots, depth);
  if (ts.isTypeLiteralNode(type)) return objectOf(type.members, source, slots, depth);
  if (ts.isUnionTypeNode(type)) {
    // A text, if it may be one.
    const order = type.types.toSorted((one, other) => rankOf(one) - rankOf(other));
    return order.map(inner).find((make) => make !== undefined);
  }
  if (ts.isIntersectionTypeNode(type)) {
    const makes = type.types.map(inner);
    return (texts) => Object.assign({}, ...makes.map((make) => make?.(texts)));
  }
  if (ts.isLiteralTypeNode(type)) {
    if (ts.isStringLiteral(type.literal)) return always(type.literal.text);
    return always(type.literal.kind === ts.SyntaxKind.NullKeyword ? null : true);
  }
  if (ts.isTypeReferenceNode(type)) return referenceOf(type, source, slots, depth);
  return makeKeyword(type.kind, slots);
}

function makeKeyword(kind: ts.SyntaxKind, slots: Slots): Make {
  if (kind === ts.SyntaxKind.StringKeyword || kind === ts.SyntaxKind.UnknownKeyword) {
    slots.count += 1;
    return slots.count === 1 ? ({ first }) => first : ({ other }) => other;
  }
  if (kind === ts.SyntaxKind.NumberKeyword) return always(7);
  if (kind === ts.SyntaxKind.BooleanKeyword) return always(false);
  return kind === ts.SyntaxKind.UndefinedKeyword ? always(undefined) : undefined;
}

function always(value: unknown): Make {
  return () => value;
}

function rankOf(type: ts.TypeNode): number {
  if (type.kind === ts.SyntaxKind.StringKeyword) return 0;
  return type.kind === ts.SyntaxKind.UndefinedKeyword || ts.isLiteralTypeNode(type) ? 2 : 1;
}

function listOf(element: ts.TypeNode, source: ts.SourceFile, slots: Slots, depth: number): Make {
  const make = makeOf(element, source, slots, depth + 1);
  const inner = ts.isParenthesizedTypeNode(element) ? element.type : element;
  const kinds = ts.isUnionTypeNode(inner) ? inner.types : [inner];
  if (!kinds.some(({ kind }) => kind === ts.SyntaxKind.StringKeyword)) return make && ((texts) => [make(texts)]);
  slots.hasLists = true;
  return make && (({ items }) => items.map((item) => make({ first: item, other: item, items: [item] })));
}

function objectOf(members: ts.NodeArray<ts.TypeElement>, source: ts.SourceFile, slots: Slots, depth: number): Make {
  slots.hasObjects = true;
  const makes: [string, Exclude<Make, undefined>][] = [];
  for (const member of members) {
    if (!ts.isPropertySignature(member)) return undefined;
    const make = makeOf(member.type, source, slots, depth + 1);
    if (make !== undefined) makes.push([member.name.getText(source), make]);
    else if (member.questionToken === undefined) return undefined;
  }
  return (texts) => Object.fromEntries(makes.map(([name, make]) => [name, make(texts)]));
}

const lists = ["Array", "ReadonlyArray", "Set", "ReadonlySet"];
const wrappers = ["Readonly", "Partial", "Required"];

function referenceOf(type: ts.TypeReferenceNode, source: ts.SourceFile, slots: Slots, depth: number): Make {
  const name = type.typeName.getText(source);
  const [first, second] = type.typeArguments ?? [];
  if (lists.includes(name) && first !== undefined) {
    const make = listOf(first, source, slots, depth);
    return name.endsWith("Set") && make !== undefined ? (texts) => new Set(make(texts) as unknown[]) : make;
  }
  if (wrappers.includes(name)) return makeOf(first, source, slots, depth);
  if (name === "Date") return always(new Date(0));
  if ((name === "Record" || name.endsWith("Map")) && second !== undefined) {
    slots.hasObjects = true;
    const make = makeOf(second, source, slots, depth + 1);
    if (make === undefined) return undefined;
    // A value is as short as its name: with the whole text in each, the input itself would be quadratic.
    const entries = ({ items }: Texts) =>
      items.map((item) => [item, make({ first: item, other: item, items: [item] })] as const);
    return (texts) => (name === "Record" ? Object.fromEntries(entries(texts)) : new Map(entries(texts)));
  }
  if (name === "Pick" && first !== undefined && second !== undefined) return makeOf(first, source, slots, depth);
  const declared = type.typeArguments === undefined ? findDeclared(source, name) : undefined;
  return declared !== undefined && ts.isTypeAliasDeclaration(declared)
    ? makeOf(declared.type, declared.getSourceFile(), slots, depth)
    : undefined;
}

const pumps = [
  ..."a1 .,:;-_=+*/\\|&?!@#$%^~`'\"()[]{}<>\n\t\u0000\u2028\u00e9\ud83d",
  ...[
    "\ud83d\ude00",
    "a.",
    "a-",
    "a,",
    "a=",
    "a ",
    " a",
    "a:",
    "a\n",
    "\r\n",
    "1.",
    "1e",
    "0x",
    '\\"',
    "\\\\",
    "{{",
    "}}",
    "%2",
  ],
  ...['"a":', '{"a":', "[[", "<a>", "a=1&", "a@", "://", "http://a", "https://a@", "aB", "A", "\u001b["],
];
const mostWords = 20;

/** Returns texts that grow: of single characters, of usual pieces, and of the words that a file itself has. */
export function attacksOn(source: ts.SourceFile): Attack[] {
  const words = new Set(pumps);
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
    if (isText && node.text.length > 1 && words.size < pumps.length + mostWords) words.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...words].map((pump) => ({ prefix: "", pump, suffix: "\u0000" }));
}

const pieceLength = 64;

/** Returns ways to call a function with a text: alone, and beside texts that are short, as long, or nearly a part. */
export function worksOf({ parameters, slots }: TextFunction, call: (...values: unknown[]) => unknown): Work[] {
  const withTexts = (toTexts: (text: string) => Texts) => (text: string) => {
    const texts = toTexts(text);
    try {
      call(...parameters.map((make) => make(texts)));
    } catch {
      // A refusal is an answer.
    }
  };
  const alone = withTexts((text) => ({ first: text, other: text, items: [text] }));
  if (slots.count < 2 && !slots.hasLists) return [alone];
  const pieces = (text: string) =>
    Array.from({ length: text.length / pieceLength }, (_, place) => text.slice(0, pieceLength - 8) + place);
  return [
    alone,
    withTexts((text) => ({ first: text, other: text.slice(0, 3), items: pieces(text) })),
    withTexts((text) => ({ first: text.slice(0, 3), other: text, items: pieces(text) })),
    withTexts((text) => ({ first: text, other: `\u0001${text.slice(text.length / 2)}`, items: pieces(text) })),
  ];
}

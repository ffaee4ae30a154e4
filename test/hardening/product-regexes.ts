import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";

export const root = join(import.meta.dirname, "../..");

/** A regular expression of the product, and whether a text is split by it. */
export type FoundRegex = { place: string; regex: RegExp; splits: boolean };

/** All files that run in the product. */
export function listProductFiles(): string[] {
  return globSync(["{lib,app,components,bin}/**/*.{ts,tsx,mjs}", "packages/*/src/**/*.ts", "*.ts"], { cwd: root })
    .filter((file) => !/\.test\.tsx?$|\.config\.ts$|\/generated\/|\/testing\//.test(file))
    .sort();
}

const sources = new Map<string, ts.SourceFile>();

export function readSource(file: string): ts.SourceFile {
  const known = sources.get(file);
  if (known !== undefined) return known;
  const source = ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.Latest, true);
  sources.set(file, source);
  return source;
}

/** Returns the regular expressions of a file: literals, and those made of texts that are known before it runs. */
export function findRegexes(source: ts.SourceFile): FoundRegex[] {
  const found: FoundRegex[] = [];
  const add = (node: ts.Node, pattern: string, flags: string) => {
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
    const { parent } = node;
    const splits =
      ts.isCallExpression(parent) &&
      ts.isPropertyAccessExpression(parent.expression) &&
      parent.expression.name.text === "split";
    found.push({ place: `${source.fileName}:${line}`, regex: new RegExp(pattern, flags), splits });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) add(node, ...splitLiteral(node.text));
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText(source) === "RegExp") {
      const [pattern, flags] = node.arguments ?? [];
      if (pattern !== undefined) add(node, textOf(pattern), flags === undefined ? "" : textOf(flags));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function splitLiteral(text: string): [string, string] {
  const end = text.lastIndexOf("/");
  return [text.slice(1, end), text.slice(end + 1)];
}

/** A part of a pattern that is known only when it runs, such as a name, stands as this word. */
const unknown = "x";

/** Returns the text of an expression, which names constants of this and of other files. */
function textOf(node: ts.Expression): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNumericLiteral(node)) return node.text;
  if (ts.isRegularExpressionLiteral(node)) return splitLiteral(node.text)[0];
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return textOf(node.expression);
  if (ts.isTemplateExpression(node))
    return (
      node.head.text + node.templateSpans.map(({ expression, literal }) => textOf(expression) + literal.text).join("")
    );
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
    return textOf(node.left) + textOf(node.right);
  if (ts.isTaggedTemplateExpression(node) && ts.isNoSubstitutionTemplateLiteral(node.template))
    return node.template.rawText ?? unknown;
  if (ts.isPropertyAccessExpression(node) && node.name.text === "source") return textOf(node.expression);
  const declared = ts.isIdentifier(node) ? findDeclared(node.getSourceFile(), node.text) : undefined;
  const initial = declared !== undefined && ts.isVariableDeclaration(declared) ? declared.initializer : undefined;
  return initial === undefined ? unknown : textOf(initial);
}

/** Finds the constant or type that a name stands for at the top of a file, or of the file that it is imported from. */
export function findDeclared(
  source: ts.SourceFile,
  name: string,
): ts.VariableDeclaration | ts.TypeAliasDeclaration | undefined {
  for (const statement of source.statements) {
    if (ts.isTypeAliasDeclaration(statement) && statement.name.text === name) return statement;
    if (ts.isVariableStatement(statement))
      for (const declared of statement.declarationList.declarations)
        if (declared.name.getText(source) === name) return declared;
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const bindings = statement.importClause?.namedBindings;
    if (bindings === undefined || !ts.isNamedImports(bindings)) continue;
    const imported = bindings.elements.find((element) => element.name.text === name);
    const file = resolveImport(source.fileName, statement.moduleSpecifier.text);
    if (imported !== undefined && file !== undefined && existsSync(join(root, file)))
      return findDeclared(readSource(file), (imported.propertyName ?? imported.name).text);
  }
  return undefined;
}

/** Returns the file of the product that an import names; undefined for a package. */
export function resolveImport(importer: string, specifier: string): string | undefined {
  if (specifier.startsWith("#")) return specifier.slice(1);
  return specifier.startsWith(".") ? join(dirname(importer), specifier) : undefined;
}

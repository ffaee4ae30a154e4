import {
  type Document,
  isNode,
  isPair,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  type ScalarTag,
  type Tags,
} from "yaml";
import type { TemplateProblem, TextPosition } from "#lib/domain/delivery/template-lab.ts";

const severalDocuments = "The text has several documents, divided by ---. Keep one: each template is edited by itself.";

type Severity = TemplateProblem["severity"];
export type YamlPath = readonly (string | number)[];

/** More aliases are refused: a few lines can stand for gigabytes. */
const maxAliases = 50;

/**
 * kubectl and Argo CD read YAML 1.1 (sigs.k8s.io/yaml, go-yaml 2), except for times and numbers in base 60, which stay
 * text.
 */
const asKubectl = { version: "1.1", merge: true, customTags: readAsGo } as const;

function readAsGo(tags: Tags): Tags {
  const read = tags.filter(
    (tag) => typeof tag === "string" || (tag.format !== "TIME" && tag.tag !== "tag:yaml.org,2002:timestamp"),
  );
  return [...read, goOctal, goFloat];
}

/** Go reads base 8 with `0o` as well as with `0`. */
const goOctal: ScalarTag = {
  default: true,
  tag: "tag:yaml.org,2002:int",
  test: /^[-+]?0o[0-7]+$/,
  resolve: (text) => (text.startsWith("-") ? -1 : 1) * Number(text.replace(/^[-+]/, "")),
};

/** Go needs no dot in a number with an exponent. */
const goFloat: ScalarTag = {
  default: true,
  tag: "tag:yaml.org,2002:float",
  test: /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/,
  resolve: (text) => Number(text),
};

/** A YAML text whose values can be found again by their path. */
export class YamlPlaces {
  readonly #source: string;
  readonly #lines = new LineCounter();
  readonly #document: Document.Parsed;

  constructor(source: string) {
    this.#source = source;
    this.#document = parseDocument(source, { ...asKubectl, lineCounter: this.#lines, prettyErrors: false });
  }

  /** Lists the problems of the YAML itself. */
  findSyntaxProblems(): TemplateProblem[] {
    const { errors, warnings } = this.#document;
    const toProblem = (severity: Severity) => (error: { code: string; message: string; pos: [number, number] }) => {
      const text = error.code === "MULTIPLE_DOCS" ? severalDocuments : error.message;
      return this.#problemAt({ severity, text, start: error.pos[0], end: error.pos[1] });
    };
    return [...errors.map(toProblem("error")), ...warnings.map(toProblem("warning"))];
  }

  /** Returns the content without fields that are null, as the API server prunes them; undefined with too many aliases. */
  readContent(): unknown {
    try {
      return withoutNulls(this.#document.toJS({ maxAliasCount: maxAliases }));
    } catch {
      return undefined;
    }
  }

  /** Makes a problem of the value at a path, or of the nearest one above it that exists. */
  problemAt(path: YamlPath, text: string, severity: Severity = "error"): TemplateProblem {
    const [start, end] = this.#rangeOf(path);
    return this.#problemAt({ severity, text, start, end });
  }

  /** Makes a problem of the key of a value. */
  problemAtKey(path: YamlPath, text: string, severity: Severity = "error"): TemplateProblem {
    const key = this.#findKey(path);
    const range = key?.range ?? undefined;
    if (range === undefined) return this.problemAt(path, text, severity);
    return this.#problemAt({ severity, text, start: range[0], end: range[1] });
  }

  /** Makes a problem of a position within a text value, from there to the end of the value. */
  problemWithin(path: YamlPath, position: TextPosition, text: string): TemplateProblem {
    const offset = this.#offsetWithin(path, position);
    if (offset === undefined) return this.problemAt(path, text);
    const [, end] = this.#rangeOf(path);
    return this.#problemAt({ severity: "error", text, start: offset, end: Math.max(offset + 1, end) });
  }

  /** Makes a problem of the first occurrence of a text within a value. */
  problemAtText(path: YamlPath, wanted: string, text: string): TemplateProblem {
    const [start, end] = this.#rangeOf(path);
    const found = this.#source.slice(start, end).indexOf(wanted);
    if (found < 0) return this.problemAt(path, text);
    return this.#problemAt({ severity: "error", text, start: start + found, end: start + found + wanted.length });
  }

  /** Finds the offset of a position in a text of one line; undefined if escapes or folding make it differ. */
  #offsetWithin(path: YamlPath, { line, column }: TextPosition): number | undefined {
    const node = this.#document.getIn(path, true);
    if (!isScalar(node) || typeof node.value !== "string" || line !== 1 || !node.range) return undefined;
    const found = this.#source.slice(node.range[0], node.range[1]).indexOf(node.value);
    if (found < 0) return undefined;
    // Columns count characters, offsets UTF-16 units.
    const before = [...node.value].slice(0, column - 1).join("").length;
    return node.range[0] + found + Math.min(before, Math.max(0, node.value.length - 1));
  }

  #rangeOf(path: YamlPath): [number, number] {
    for (let length = path.length; length > 0; length--) {
      const node = this.#document.getIn(path.slice(0, length), true);
      const range = isNode(node) ? node.range : undefined;
      if (range) return [range[0], trimmedEnd(this.#source, range)];
    }
    return [0, Math.max(0, this.#source.indexOf("\n"))];
  }

  #findKey(path: YamlPath): Node | undefined {
    const parent = path.length === 1 ? this.#document.contents : this.#document.getIn(path.slice(0, -1), true);
    const last = path.at(-1);
    if (typeof parent !== "object" || parent === null || !("items" in parent) || !Array.isArray(parent.items))
      return undefined;
    const pair: unknown = parent.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === last);
    return isPair(pair) && isNode(pair.key) ? pair.key : undefined;
  }

  #problemAt({
    severity,
    text,
    start,
    end,
  }: {
    severity: Severity;
    text: string;
    start: number;
    end: number;
  }): TemplateProblem {
    return { severity, text, from: this.#positionOf(start), to: this.#positionOf(Math.max(end, start)) };
  }

  #positionOf(offset: number): TextPosition {
    const { line, col } = this.#lines.linePos(Math.min(offset, this.#source.length));
    return { line: Math.max(1, line), column: Math.max(1, col) };
  }
}

/** Collections end at the start of the next node: the blank lines before it are not part of them. */
function trimmedEnd(source: string, [start, end]: readonly [number, number, number]): number {
  return start + source.slice(start, end).trimEnd().length;
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutNulls(inner)]));
}
